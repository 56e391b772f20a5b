import type { RecordReads } from '../records/doubts.ts';
import { type ExistingRecord, LISTED, momentIn, numberIn, readValues } from '../records/existing-record.ts';
import { keyedRows } from '../records/keyed-records.ts';
import { type DayLists, type Days, EPOCH, inFewerDays, isDeleted } from '../records/listing.ts';
import type { MappedRow } from '../records/mapped-row.ts';
import type { ContextOf } from '../records/planning.ts';
import { createRecordGuard } from '../records/record-guard.ts';
import { sharedReading } from '../records/shared-reading.ts';
import { undoRecord } from '../records/undo.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { TripResource } from '../schema/resource.ts';
import { listRecords } from '../service/pages.ts';
import { DaySource } from './day-source.ts';
import type { Kind } from './kind.ts';

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

/** What the list by days returns: less than the one by LMT, no SubtypeRitID (interface 2.9). */
export const BY_DAYS = ['both'] as const;

/** How the service lists trips; by LMT deleted ones too: whoever follows what changed hears of them. */
export const tripLists = ({
  service,
  resource: { modified, requests, id },
}: ContextOf<TripResource>): DayLists => ({
  modified,
  read: (days) =>
    inFewerDays(days, ({ from, to }) => {
      const body = { DatumVan: `${from} 00:00:00`, DatumTot: `${to} 23:59:59` };
      return listRecords(service, requests.all, { body, id });
    }),
  changedSince: (LMT) => listRecords(service, requests.allByLmt, { body: { LMT }, id }),
});

/**
 * How trips are read: in lists that all who ask share, as there is no reading one. `planned`: the days of which
 * lists told what a plan read.
 */
function tripReads(
  context: ContextOf<TripResource>,
  planned: () => readonly Days[],
): ConstructorParameters<typeof DaySource>[0] & RecordReads {
  const { resource } = context;
  const { read, changedSince } = tripLists(context);
  const trips = (records: readonly AnswerRecord[], returned = LISTED): ExistingRecord[] =>
    records.flatMap((record): ExistingRecord[] => {
      const id = numberIn(record, resource.id);
      if (id === null) return [];
      const [lmt, values] = [momentIn(record, resource.modified), readValues(resource, record, returned)];
      return [{ id, external: null, lmt, values, ...(isDeleted(record) && { gone: true }) }];
    });
  const since = async (lmt: string) => trips(await changedSince(lmt));
  const onDays = async (days: Days) => trips(await read(days), BY_DAYS).filter(({ gone }) => !gone);
  const all = async () => (await since(EPOCH)).filter(({ gone }) => !gone);
  const listed = sharedReading(context.time, async (of: 'planned' | 'all') =>
    of === 'all' ? await all() : (await Promise.all(planned().map(onDays))).flat(),
  );
  return {
    ...{ onDays, all, since },
    async one(id, _, asked) {
      const find = async (of: 'planned' | 'all') => (await listed(of, asked)).find((one) => one.id === id);
      return (await find('planned')) ?? (await find('all')) ?? null;
    },
  };
}

/** Reads the trips that rows name: of the days that they show, and all where one is on none of these. */
async function readTrips(
  { id, date, fields }: TripResource,
  source: DaySource,
  rows: readonly MappedRow[],
): Promise<void> {
  const named = rows.filter(({ values }) => typeof values[id] === 'number');
  const lacking = () => named.filter(({ values }) => !source.listed.ids.has(Number(values[id])));
  // Only the list of all returns every field.
  const asksAll = named.some(({ values }) =>
    Object.keys(values).some((name) => fields[name]?.reads === 'list'),
  );
  if (!asksAll) await source.cover(lacking().map(({ shown }) => String(shown[date] ?? '')));
  if (asksAll || lacking().length > 0) await source.readAll();
}
