import { type Bilingual, t } from '../../core/language.ts';
import {
  type ExistingRecord,
  LISTED,
  type ReturnedFields,
  readValues,
} from '../../records/existing-record.ts';
import { type ListedRecord, secondBefore } from '../../records/freshness.ts';
import {
  type Days,
  exportedRecord,
  inOne,
  isDeleted,
  momentIn,
  newestOf,
  numberIn,
  type RecordBatches,
  type RecordLister,
  uncounted,
} from '../../records/listing.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { OtherDays, periodRecords } from '../../records/period-list.ts';
import type { ContextOf, SourceSummary } from '../../records/planning.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import { type DailyResource, isDaily, type TripResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';

/** What working on trips is handed. */
export type TripContext = ContextOf<TripResource>;

/** Trips: by their days, or by LMT; the like without days: all, or by LMT. */
export const tripLister: RecordLister<TripResource> = {
  modified: ({ modified }) => modified,
  ways: (resource) => (isDaily(resource) ? ['period', 'since'] : ['all', 'since']),
  list(context, chosen) {
    const { resource } = context;
    if (chosen.way === 'since') return uncounted(inOne(() => newestSince(context, chosen.moment)));
    if (chosen.way === 'all') return uncounted(inOne(() => newestSince(context, EPOCH)));
    if (chosen.way !== 'period' || !isDaily(resource))
      throw new TypeError(`trips can't be listed by ${chosen.way}`);
    const otherDays = new OtherDays(resource);
    return uncounted(tripsOn({ ...context, resource }, chosen.days, otherDays), () => [
      ...listLacks(resource),
      ...otherDays.notes(),
    ]);
  },
  read: (resource, record) =>
    isDeleted(record) ? null : exportedRecord(resource, record, resource.modified, BY_DAYS),
};

/** The trips of some days; those of others that come with them are told to `otherDays`. */
export function tripsOn(
  context: ContextOf<DailyResource>,
  period: Days,
  otherDays: OtherDays,
): RecordBatches {
  const { resource } = context;
  const { id, modified } = resource;
  const lists = {
    ...{ context, resource, modified, otherDays },
    read: async (days: Days, signal?: AbortSignal) =>
      newestOf(await listByDays(context, days, signal), id, modified),
    changedSince: (lmt: string) => newestSince(context, lmt),
  };
  return periodRecords(lists, period);
}

/** What only the list by LMT returns (interface 2.9) is not known here. */
function listLacks({ fields }: TripResource): Bilingual[] {
  const lacking = Object.keys(fields).filter((name) => fields[name]?.reads === 'list');
  if (lacking.length === 0) return [];
  const names = lacking.join(', ');
  const note = t(
    `${names}: the list by days does not return it; its cells are empty, which an import leaves alone (--since gives it)`,
    `${names}: de lijst op dag geeft dit niet; de cellen zijn leeg, en dat laat een import met rust (--since geeft het wel)`,
  );
  return [note];
}

/** Deleted ones are among them: whoever follows the changes hears of them. */
const newestSince = async (context: TripContext, lmt: string): Promise<AnswerRecord[]> =>
  newestOf(await listByLmt(context, lmt), context.resource.id, context.resource.modified);

/** Before any trip was written: a list by LMT from here on holds them all. */
export const EPOCH = '1970-01-01 00:00:00';

/** What the list by days returns: less than the one by LMT (interface 2.9). */
export const BY_DAYS: ReturnedFields = ['both'];

/** The list by days, without SubtypeRitID (interface 2.9). */
export async function listByDays(
  { service, resource: { requests, id } }: ContextOf<DailyResource>,
  { from, to }: Days,
  signal?: AbortSignal,
): Promise<readonly AnswerRecord[]> {
  const body = { DatumVan: `${from} 00:00:00`, DatumTot: `${to} 23:59:59` };
  return await listRecords(service, requests.all, { body, id, ...(signal && { signal }) });
}

/** The list of what was written after a moment, deleted trips too. */
export const listByLmt = (
  { service, resource: { requests, id } }: TripContext,
  LMT: string,
): Promise<readonly AnswerRecord[]> => listRecords(service, requests.allByLmt, { body: { LMT }, id });

/** The trips written after a moment, deleted ones too. */
export const tripsSince = async (context: TripContext, lmt: string): Promise<ListedRecord[]> =>
  toTrips(context.resource, await listByLmt(context, lmt), LISTED);

function toTrips(
  resource: TripResource,
  records: readonly AnswerRecord[],
  returned: ReturnedFields,
): ListedRecord[] {
  return records.flatMap((record): ListedRecord[] => {
    const [id, lmt] = [numberIn(record, resource.id), momentIn(record, resource.modified)];
    if (id === null) return [];
    if (isDeleted(record)) return [{ id, lmt, existing: null }];
    const values = readValues(resource, record, returned);
    return [{ id, lmt, existing: { id, external: null, lmt, values } }];
  });
}

type Row = MappedRow<TripResource>;

/** Where a plan reads trips. */
export type TripSource = ReturnType<typeof createTripSource>;

/** A few lists serve all rows of all sheets of trips in a run, as there is no reading one trip. */
export function createTripSource(context: TripContext) {
  const { resource } = context;
  const byDays = new Map<number, ExistingRecord | null>();
  const byLmt = new Map<number, ExistingRecord | null>();
  let newest: string | null = null;
  let all = false;
  const keep = (known: Map<number, ExistingRecord | null>, trips: readonly ListedRecord[]): void => {
    for (const { id, lmt, existing } of trips) {
      known.set(id, existing);
      if (lmt !== null && (newest === null || lmt > newest)) newest = lmt;
    }
  };
  const since = async (lmt: string): Promise<void> => keep(byLmt, await tripsSince(context, lmt));
  return {
    /** Reads what the rows still need: by their days or LMTs, and the whole list if some are missing. */
    async load(rows: readonly Row[]): Promise<void> {
      // Only the list by LMT returns some fields.
      const whole = rows.some(({ values }) =>
        Object.keys(values).some((name) => resource.fields[name]?.reads === 'list'),
      );
      const lacking = (): Row[] =>
        rows.filter(({ values }) => {
          const id = values[resource.id];
          return typeof id === 'number' && !byLmt.has(id) && (whole || !byDays.has(id));
        });
      const wanted = lacking();
      if (wanted.length === 0 || all) return;
      const moments = shownIn(wanted, resource.modified);
      const days = isDaily(resource) ? shownIn(wanted, resource.date).map((day) => day.slice(0, 10)) : [];
      if (!whole && isDaily(resource) && days[0] !== undefined) {
        const range = { from: days[0], to: days.at(-1) ?? days[0] };
        keep(byDays, toTrips(resource, await listByDays({ ...context, resource }, range), BY_DAYS));
      } else if (moments[0] !== undefined) await since(secondBefore(moments[0]));
      if (lacking().length === 0) return;
      all = true;
      await since(EPOCH);
    },
    /** Null for a trip that is not there, or is deleted. */
    byId: (id: number) => (byLmt.has(id) ? byLmt.get(id) : byDays.get(id)) ?? null,
    summary: (): SourceSummary => ({ strategy: 'list', newest }),
  };
}

function shownIn(rows: readonly Row[], field: string): string[] {
  const texts = rows.map(({ shown }) => shown[field]);
  return texts.filter((text) => typeof text === 'string').sort();
}
