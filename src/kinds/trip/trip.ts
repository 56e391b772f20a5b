import { keyedRows } from '../../records/keyed-records.ts';
import { createRecordGuard } from '../../records/record-guard.ts';
import { undoRecord } from '../../records/undo.ts';
import type { TripResource } from '../../schema/resource.ts';
import { DaySource } from '../day-source.ts';
import type { Kind } from '../kind.ts';
import { readTrips, tripReads } from './trip-reads.ts';

/** Trips: found by RitID in lists of their days, else in that of all; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  rows(context) {
    const reads = tripReads(context, () => source.periods);
    const source = new DaySource(reads);
    const { listed } = source;
    const matching = keyedRows(context, () => ({
      reads,
      async open(rows) {
        await readTrips(context.resource, source, rows);
        return () => listed;
      },
    }));
    const summary = () =>
      ({ strategy: 'list', newest: listed.seen.mark().newest, periods: source.periods }) as const;
    return { matching, summary };
  },
  guard(context) {
    const { periods = [] } = context.summary;
    return createRecordGuard(
      context,
      tripReads(context, () => periods),
    );
  },
  undo: (resource, history, { restore }) => undoRecord(resource, history, restore),
};
