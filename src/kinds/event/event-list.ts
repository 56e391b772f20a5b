import { momentIn } from '../../records/existing-record.ts';
import {
  type Days,
  exportedRecord,
  inOne,
  type RecordBatches,
  type RecordList,
  type RecordLister,
  uncounted,
} from '../../records/listing.ts';
import { isOn, OtherDays, periodRecords } from '../../records/period-list.ts';
import type { EventResource } from '../../schema/resource.ts';
import {
  ALL_DAYS,
  changedSince,
  type EventContext,
  MODIFIED,
  readDays,
  readDefinitive,
} from './event-reads.ts';

/** Events: by their days, by LMT, or the definitive ones. */
export const eventLister: RecordLister<EventResource> = {
  ways: () => ['period', 'since', 'definitive'],
  list(context, chosen) {
    if (chosen.way === 'since') return eventsSince(context, chosen.moment, chosen.days);
    const definitive = chosen.way === 'definitive';
    const period = chosen.way === 'period' || definitive ? chosen.days : null;
    // Days that nobody named are not cut into months.
    if (period === null) return uncounted(inOne(() => readDefinitive(context, ALL_DAYS)));
    const otherDays = new OtherDays(context.resource);
    return uncounted(eventsOn(context, period, { definitive, otherDays }), () => otherDays.notes());
  },
  read: (resource, record) => exportedRecord(resource, record),
};

/** The events of some days. */
export function eventsOn(
  context: EventContext,
  period: Days,
  { definitive = false, otherDays }: { readonly definitive?: boolean; readonly otherDays: OtherDays },
): RecordBatches {
  const read = definitive ? readDefinitive : readDays;
  const lists = {
    ...{ context, modified: MODIFIED, otherDays },
    read: (days: Days, signal?: AbortSignal) => read(context, days, signal),
    changedSince: (moment: string, days: Days) => changedSince(context, moment, days),
  };
  return periodRecords(lists, period);
}

/** Those modified after a moment; the list is asked to the minute, so it may hold earlier ones. */
function eventsSince(context: EventContext, moment: string, days?: Days): RecordList {
  const second = moment.slice(0, 19);
  const isAsked = (record: Parameters<typeof isOn>[0]): boolean =>
    (momentIn(record, MODIFIED) ?? second) >= second &&
    (days === undefined || isOn(record, context.resource.date, days));
  return uncounted(
    inOne(async () => (await changedSince(context, moment, days ?? ALL_DAYS)).filter(isAsked)),
  );
}
