import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { createChangedSince, type ListedRecord } from '../../records/changed-since.ts';
import { recordTookEffect } from '../../records/doubts.ts';
import {
  changedValues,
  changesTo,
  type ExistingRecord,
  LISTED,
  momentIn,
  numberIn,
  type ReturnedFields,
  readValues,
  sameValue,
} from '../../records/existing-record.ts';
import { createFreshness, renewed, secondBefore } from '../../records/freshness.ts';
import {
  type Days,
  exportedRecord,
  inOne,
  isDeleted,
  newestOf,
  type RecordBatches,
  type RecordLister,
  uncounted,
} from '../../records/listing.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { createMark } from '../../records/mark.ts';
import { inFewerDays, isOn, OtherDays, periodRecords } from '../../records/period-list.ts';
import {
  type FoundRecord,
  needsRecord,
  planRecords,
  type RecordMatching,
} from '../../records/plan-records.ts';
import type { ContextOf, PlannerSetup, PlanRules, SourceSummary } from '../../records/planning.ts';
import {
  ALREADY_GONE,
  INVALID,
  placeDecision,
  type RowDecision,
  refuseAction,
  refuseDelete,
  refuseField,
  SKIPPED,
} from '../../records/row-decision.ts';
import { type GuardSetup, type RowGuard, readBackById, UNGUARDED } from '../../records/row-guard.ts';
import { saidBy } from '../../records/said-fields.ts';
import { sharedReading } from '../../records/shared-reading.ts';
import type { ReadAgain } from '../../records/stale-reads.ts';
import { undoRecord } from '../../records/undo.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import { type DailyResource, isDaily, type TripResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';
import { foundBy, type Kind } from '../kind.ts';

/** Trips: by their days, or by LMT; the like without days: all, or by LMT. */
const tripLister: RecordLister<TripResource> = {
  modified: ({ modified }) => modified,
  ways: (resource) => (isDaily(resource) ? ['period', 'since'] : ['all', 'since']),
  list(context, chosen) {
    const { resource } = context;
    if (chosen.way === 'since')
      return uncounted(inOne(() => newestSince(context, chosen.moment, chosen.days)));
    if (chosen.way === 'all') return uncounted(inOne(() => newestSince(context, EPOCH)));
    if (chosen.way !== 'period' || !isDaily(resource))
      throw new TypeError(`trips can't be listed by ${chosen.way}`);
    const otherDays = new OtherDays(resource);
    const told = (): Bilingual[] => otherDays.notes();
    return uncounted(tripsOn({ ...context, resource }, chosen.days, otherDays), told);
  },
  others: ({ fields }) => [
    { option: '--since', fields: Object.keys(fields).filter((name) => fields[name]?.reads === 'list') },
  ],
  read: (resource, record) =>
    isDeleted(record) ? null : exportedRecord(resource, record, resource.modified, BY_DAYS),
};

/** Trips: found by RitID in a list of their days or of what changed; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  plan(context) {
    const source = createTripSource(context);
    return planRecords(context, source.summary, (setup) => matchingFor(setup, context, source));
  },
  foundAgain: ({ id }) => foundBy(id),
  guard: tripGuard,
  compared: true,
  lister: tripLister,
  undo: (resource, history, { restore }) => undoRecord(resource, history, restore),
};

type Row = MappedRow<TripResource>;

/** So many rows share a list: a season's trips, so that a sheet of them takes one. */
const WINDOW = 5_000;

/** Rows wait until the days and moments of many are known, as one list answers for all of them. */
function matchingFor(
  { base, rules }: PlannerSetup,
  context: TripContext,
  source: TripSource,
): RecordMatching<TripResource, FoundRecord> {
  const { resource } = context;
  const readTrip = createTripReader(context);
  return {
    window: WINDOW,
    async find(rows) {
      await source.load(rows.filter((row) => needsRecord(row, base)));
      const existing = (row: Row): ExistingRecord | null => source.byId(tripOf(row) ?? 0);
      const again: ReadAgain<FoundRecord> = {
        keyOf: (at) => (needsRecord(rows[at] as Row, base) ? tripKey(rows[at] as Row) : null),
        states: (one) => (one.existing === null ? [] : [one.existing]),
        async read(at) {
          const row = rows[at] as Row;
          return { existing: await readTrip(tripOf(row) ?? 0, existing(row)?.lmt ?? null) };
        },
      };
      return { found: rows.map((row) => ({ existing: existing(row) })), again };
    },
    key: tripKey,
    named: () => resource.id,
    decide(row, { existing, key }) {
      const decision = stopsRow(row.issues) ? INVALID : decide(row, existing, rules);
      const about = { key, id: existing?.id ?? null, lmt: existing?.lmt ?? null, said: saidBy(row) };
      return placeDecision(row, decision, about);
    },
  };
}

function tripOf({ values, mapping }: Row): number | null {
  const id = values[mapping.resource.id];
  return typeof id === 'number' ? id : null;
}

function tripKey(row: Row): string | null {
  const id = tripOf(row);
  return id === null ? null : `id:${id}`;
}

function decide(row: Row, existing: ExistingRecord | null, rules: PlanRules): RowDecision {
  const { resource } = row.mapping;
  const { remove, update } = resource.requests;
  if (row.action === 'skip') return SKIPPED;
  if (row.action === 'create') return refuseAction(row, 'action-not-possible', madeByService(resource));
  if (row.action === 'delete') {
    const refused = refuseDelete(row, rules, remove === undefined ? neverDeleted(resource) : null);
    if (refused !== null) return refused;
  }
  const ID = tripOf(row);
  if (ID === null) return refuseField(row, resource.id, 'key-missing', resource.id);
  if (row.action === 'delete' && remove !== undefined) {
    if (existing === null) return ALREADY_GONE;
    const step = { purpose: 'delete', endpoint: remove.name, body: {}, params: { ID } } as const;
    return { action: 'delete', steps: [step] };
  }
  if (existing === null)
    return refuseField(row, resource.id, 'record-missing', t(resource.name, resource.sheet));
  const sendable = Object.keys(row.values).filter(
    (field) => field !== resource.id && resource.fields[field]?.update !== 'none',
  );
  const changes = changesTo(existing, row, sendable);
  if (changes.length === 0) return { action: 'unchanged' };
  const body = { [resource.id]: ID, ...changedValues(changes) };
  return { action: 'update', changes, steps: [{ purpose: 'update', endpoint: update.name, body }] };
}

const neverDeleted = ({ name, sheet }: TripResource): Bilingual =>
  t(`the service can't delete ${name}`, `het systeem kan ${sheet.toLowerCase()} niet verwijderen`);

const madeByService = ({ name, sheet, id }: TripResource): Bilingual =>
  t(
    `the service makes ${name} itself; empty the cell and name the record by its ${id}`,
    `het systeem maakt ${sheet.toLowerCase()} zelf; maak de cel leeg en noem het record met ${id}`,
  );

/** How old a list of all trips may be before it is read anew, ms: it may be long. */
const MAX_AGE = 10_000;

/** Guards trips by LMT, and settles lost answers, by the list of what was written since. */
function tripGuard(context: GuardSetup<TripResource>): RowGuard {
  const all = renewed(context.time, MAX_AGE, async () => {
    const trips = await tripsSince(context, EPOCH);
    return new Map(trips.map(({ id, existing }) => [id, existing]));
  });
  const changed = createChangedSince(context, {
    since: (lmt) => tripsSince(context, lmt),
    one: async (id) => (await all()).get(id) ?? null,
  });
  const read = createTripReader(context);
  const freshness = createFreshness(context.resource, async (id, lmt, anew) =>
    anew ? await read(id, lmt) : ((await changed.look(id, lmt)) ?? (await read.byDay(id))),
  );
  return {
    ...UNGUARDED,
    check: freshness.check,
    async wrote(sent) {
      freshness.wrote(sent.id);
      await changed.wrote(sent);
    },
    async readBack() {
      const { newest } = context.summary;
      const since = newest === null ? null : secondBefore(newest);
      const trips = since === null ? await tripsOfPlan(context) : await tripsSince(context, since);
      return trips.flatMap(({ existing }) => readBackById(existing));
    },
    readNow: async ({ id, planned }) =>
      id === null ? null : ((await read(id, planned.lmt, context.time.steady()))?.values ?? null),
    async tookEffect(doubt) {
      const { lmt, changes } = doubt.planned;
      return await recordTookEffect(context, doubt, {
        read: (id) => read(id, lmt, doubt.asked),
        shows: ({ values }) => changes.every(({ field, to }) => sameValue(values[field], to)),
      });
    },
  };
}

type TripContext = ContextOf<TripResource>;

/** What is asked about a plan's trips, where there is a plan. */
type TripsContext = TripContext & { readonly summary?: SourceSummary };

/** Reads one trip as it is now, in lists that all who ask share. */
function createTripReader(context: TripsContext) {
  const listed = sharedReading(context.time, (lmt: string) =>
    lmt === BY_DAY ? tripsOfPlan(context) : tripsSince(context, lmt),
  );
  const readSince = async (id: number, lmt: string, asked?: number): Promise<ExistingRecord | null> =>
    (await listed(lmt, asked)).find((trip) => trip.id === id)?.existing ?? null;
  const byDay = (id: number, asked?: number) => readSince(id, BY_DAY, asked);
  // A service's clock may have jumped: what the short list lacks is looked for in the long one.
  const read = async (id: number, lmt: string | null, asked?: number): Promise<ExistingRecord | null> =>
    (lmt === null ? null : await readSince(id, secondBefore(lmt), asked)) ??
    (await readSince(id, EPOCH, asked)) ??
    (await byDay(id, asked));
  return Object.assign(read, { byDay });
}

/** The trips of some days; those of others that come with them are told to `otherDays`. */
export function tripsOn(
  context: ContextOf<DailyResource>,
  period: Days,
  otherDays: OtherDays,
): RecordBatches {
  const { id, modified } = context.resource;
  const lists = {
    ...{ context, modified, otherDays },
    read: async (days: Days, signal?: AbortSignal) =>
      newestOf(await listByDays(context, days, signal), id, modified),
    changedSince: (lmt: string) => newestSince(context, lmt),
  };
  return periodRecords(lists, period);
}

/** Deleted ones are among them: whoever follows the changes hears of them. */
async function newestSince(context: TripContext, lmt: string, days?: Days): Promise<AnswerRecord[]> {
  const { resource } = context;
  const newest = newestOf(await listByLmt(context, lmt), resource.id, resource.modified);
  if (days === undefined || !isDaily(resource)) return newest;
  return newest.filter((record) => isOn(record, resource.date, days));
}

/** Asks for the days of the plan in place of a moment. */
const BY_DAY = 'by day';

/** Before any trip was written: a list by LMT from here on holds them all. */
const EPOCH = '1970-01-01 00:00:00';

/** What the list by days returns: less than the one by LMT (interface 2.9). */
const BY_DAYS: ReturnedFields = ['both'];

/** The list by days, without SubtypeRitID (interface 2.9). */
async function listByDays(
  { service, resource: { requests, id } }: ContextOf<DailyResource>,
  days: Days,
  signal?: AbortSignal,
): Promise<AnswerRecord[]> {
  return await inFewerDays(days, ({ from, to }) => {
    const body = { DatumVan: `${from} 00:00:00`, DatumTot: `${to} 23:59:59` };
    return listRecords(service, requests.all, { body, id, ...(signal && { signal }) });
  });
}

/** The list of what was written after a moment, deleted trips too. */
const listByLmt = (
  { service, resource: { requests, id } }: TripContext,
  LMT: string,
): Promise<AnswerRecord[]> => listRecords(service, requests.allByLmt, { body: { LMT }, id });

/** The trips of the plan's days: a list by LMT may lack one that has none. */
async function tripsOfPlan({ summary, ...context }: TripsContext): Promise<ListedRecord[]> {
  const { resource } = context;
  if (!isDaily(resource)) return [];
  const lists = (summary?.periods ?? []).map(({ DatumVan: from, DatumTot: to }) =>
    listByDays({ ...context, resource }, { from, to }),
  );
  return toTrips(resource, (await Promise.all(lists)).flat(), BY_DAYS);
}

/** The same, as a plan knows them. */
const tripsSince = async (context: TripContext, lmt: string): Promise<ListedRecord[]> =>
  toTrips(context.resource, await listByLmt(context, lmt));

function toTrips(resource: TripResource, records: AnswerRecord[], returned = LISTED): ListedRecord[] {
  return records.flatMap((record): ListedRecord[] => {
    const [id, lmt] = [numberIn(record, resource.id), momentIn(record, resource.modified)];
    if (id === null) return [];
    if (isDeleted(record)) return [{ id, lmt, existing: null }];
    const values = readValues(resource, record, returned);
    return [{ id, lmt, existing: { id, external: null, lmt, values } }];
  });
}

type TripSource = ReturnType<typeof createTripSource>;

/** A few lists serve all rows of all sheets of trips in a run, as there is no reading one trip. */
function createTripSource(context: TripContext) {
  const { resource } = context;
  const byDays = new Map<number, ExistingRecord | null>();
  const byLmt = new Map<number, ExistingRecord | null>();
  const seen = createMark();
  let all = false;
  let periods: SourceSummary['periods'];
  const keep = (known: Map<number, ExistingRecord | null>, trips: readonly ListedRecord[]): void => {
    for (const trip of trips) {
      known.set(trip.id, trip.existing);
      seen.saw(trip);
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
        periods = [{ DatumVan: range.from, DatumTot: range.to }];
        keep(byDays, toTrips(resource, await listByDays({ ...context, resource }, range), BY_DAYS));
      } else if (moments[0] !== undefined) await since(secondBefore(moments[0]));
      if (lacking().length === 0) return;
      all = true;
      await since(EPOCH);
    },
    /** Null for a trip that is not there, or is deleted. */
    byId: (id: number) => (byLmt.has(id) ? byLmt.get(id) : byDays.get(id)) ?? null,
    summary: (): SourceSummary => ({
      ...{ strategy: 'list', newest: seen.mark().newest },
      ...(periods && { periods }),
    }),
  };
}

function shownIn(rows: readonly Row[], field: string): string[] {
  const texts = rows.map(({ shown }) => shown[field]);
  return texts.filter((text) => typeof text === 'string').sort();
}
