import { changedSince, type EventContext, readDays } from '../kinds/event/event-reads.ts';
import { numberIn } from '../records/existing-record.ts';
import type { Days } from '../records/listing.ts';
import { type DayLists, inFewerDays } from '../records/period-list.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import { listRecords } from '../service/list-records.ts';

/** How the service lists events, or the definitive ones (interface 4.4). */
export const eventLists = (context: EventContext, definitive: boolean): DayLists => ({
  modified: 'LMT',
  read: (days) => (definitive ? readDefinitive : readDays)(context, days),
  changedSince: (moment, days) => changedSince(context, moment, days),
});

/** The definitive events of some days, with what their own list leaves out (interface 2.7). */
export async function readDefinitive(context: EventContext, days: Days): Promise<AnswerRecord[]> {
  const { service, dialect, resource } = context;
  const { id, requests } = resource;
  const definitive = await inFewerDays(days, ({ from: DatumVan, to: DatumTot }) => {
    const body = { EnkelEvent: dialect.enkelEvenement, DatumVan, DatumTot };
    return listRecords(service, requests.allDefinitive, { body, id });
  });
  if (definitive.length === 0) return [];
  const all = await readDays(context, days);
  const known = new Map(all.map((record) => [numberIn(record, id), record]));
  return definitive.map((record) => ({ ...known.get(numberIn(record, id)), ...record }));
}
