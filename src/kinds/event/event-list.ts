import {
  type Days,
  exportedRecord,
  inOne,
  momentIn,
  newestOf,
  type RecordList,
  type RecordLister,
} from '../../records/listing.ts';
import { OtherDays, ofPeriod, periodRecords } from '../../records/period-list.ts';
import type { Context } from '../../run/context.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { EventResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';

/** Days around all events: the list by LMT takes a period too (interface 4.4). */
const ALL_DAYS: Days = { from: '1970-01-01', to: '2069-12-31' };

/** Events: by their days, by LMT, or the definitive ones. */
export const eventLister: RecordLister<EventResource> = {
  ways: () => ['period', 'since', 'definitive'],
  list(context, resource, chosen) {
    if (chosen.way === 'since') return eventsSince(context, resource, chosen.moment);
    const definitive = chosen.way === 'definitive';
    const period = (chosen.way === 'period' || definitive ? chosen.days : null) ?? null;
    // Days that nobody named are not cut into months.
    if (period === null) return inOne(() => read(context, resource, ALL_DAYS, true));
    const otherDays = new OtherDays(resource);
    return ofPeriod(eventsOn(context, resource, period, { definitive, otherDays }), otherDays);
  },
  read: (resource, record) => exportedRecord(resource, record, MODIFIED),
};

/** The member that says when an event was last written (interface 2.7). */
const MODIFIED = 'LMT';

/** The events of some days. */
export function eventsOn(
  context: Context,
  resource: EventResource,
  period: Days,
  { definitive = false, otherDays }: { readonly definitive?: boolean; readonly otherDays: OtherDays },
): AsyncGenerator<readonly AnswerRecord[]> {
  const lists = {
    ...{ context, resource, modified: MODIFIED, otherDays },
    read: (days: Days, signal?: AbortSignal) => read(context, resource, days, definitive, signal),
    changedSince: (moment: string, days: Days) => changedSince(context, resource, moment, days),
  };
  return periodRecords(lists, period);
}

/** Those modified after a moment; the list is asked to the minute, so it may hold earlier ones. */
function eventsSince(context: Context, resource: EventResource, moment: string): RecordList {
  const second = moment.slice(0, 19);
  return inOne(async () => {
    const records = await changedSince(context, resource, moment, ALL_DAYS);
    return records.filter((record) => (momentIn(record, MODIFIED) ?? second) >= second);
  });
}

async function read(
  { service, dialect }: Context,
  { requests, id }: EventResource,
  days: Days,
  definitive: boolean,
  signal?: AbortSignal,
): Promise<AnswerRecord[]> {
  const [flag, period] = [dialect.enkelEvenement, { DatumVan: days.from, DatumTot: days.to }];
  const more = { id, ...(signal && { signal }) };
  const records = definitive
    ? listRecords(service, requests.allDefinitive, { body: { EnkelEvent: flag, ...period }, ...more })
    : listRecords(service, requests.all, { body: { EnkelEvenement: flag, ...period }, ...more });
  return newestOf(await records, id, MODIFIED);
}

async function changedSince(
  { service, dialect }: Context,
  { requests, id }: EventResource,
  moment: string,
  days: Days,
): Promise<AnswerRecord[]> {
  const period = { DatumVan: days.from, DatumTot: days.to };
  const body = { EnkelEvenement: dialect.enkelEvenement, ...period, LMT: moment.slice(0, 16) };
  return newestOf(await listRecords(service, requests.allByLmt, { body, id }), id, MODIFIED);
}
