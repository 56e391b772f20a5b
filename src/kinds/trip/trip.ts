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
import { type Days, EPOCH, exportedRecord, isDeleted, type RecordLister } from '../../records/listing.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { createMark } from '../../records/mark.ts';
import { type DayLists, inFewerDays, listDays } from '../../records/period-list.ts';
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
import { type FoundRecord, needsRecord, type RecordMatching } from '../../records/row-matching.ts';
import { saidBy } from '../../records/said-fields.ts';
import { sharedReading } from '../../records/shared-reading.ts';
import type { ReadAgain } from '../../records/stale-reads.ts';
import { undoRecord } from '../../records/undo.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { TripResource } from '../../schema/resource.ts';
import { listRecords } from '../../service/list-records.ts';
import { foundBy, type Kind } from '../kind.ts';

/** Trips: by their days, or by LMT. */
const tripLister: RecordLister<TripResource> = {
  modified: ({ modified }) => modified,
  ways: () => ['period', 'since'],
  list: (context, chosen) => listDays(context, tripLists(context), chosen),
  others: ({ fields }) => [
    { option: '--since', fields: Object.keys(fields).filter((name) => fields[name]?.reads === 'list') },
  ],
  read: (resource, record) =>
    isDeleted(record) ? null : exportedRecord(resource, record, resource.modified, BY_DAYS),
};

/** Trips: found by RitID in a list of their days or of what changed; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  rows(context) {
    const source = new TripSource(context);
    return { matching: (setup) => matchingFor(setup, context, source), summary: () => source.summary() };
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
      const existing = (row: Row): ExistingRecord | null => source.byId(tripOf(row));
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
  const { id, fields, requests, name, sheet } = resource;
  const isDelete = row.action === 'delete';
  if (row.action === 'skip') return SKIPPED;
  if (row.action === 'create') return refuseAction(row, 'action-not-possible', madeByService(resource));
  const refused = isDelete ? refuseDelete(row, rules, null) : null;
  if (refused !== null) return refused;
  const ID = tripOf(row);
  if (ID === null) return refuseField(row, id, 'key-missing', id);
  if (existing === null)
    return isDelete ? ALREADY_GONE : refuseField(row, id, 'record-missing', t(name, sheet));
  if (isDelete) {
    const step = { endpoint: requests.remove.name, body: {}, params: { ID } };
    return { action: 'delete', steps: [{ purpose: 'delete', ...step }] };
  }
  const sendable = Object.keys(row.values).filter(
    (field) => field !== id && fields[field]?.update !== 'none',
  );
  const changes = changesTo(existing, row, sendable);
  if (changes.length === 0) return { action: 'unchanged' };
  const body = { [id]: ID, ...changedValues(changes) };
  return { action: 'update', changes, steps: [{ purpose: 'update', endpoint: requests.update.name, body }] };
}

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

/** How the service lists trips; deleted ones are among those that changed: whoever follows them hears of them. */
export const tripLists = (context: TripContext): DayLists => ({
  modified: context.resource.modified,
  read: (days, signal) => listByDays(context, days, signal),
  changedSince: (lmt) => listByLmt(context, lmt),
});

/** Asks for the days of the plan in place of a moment. */
const BY_DAY = 'by day';

/** What the list by days returns: less than the one by LMT (interface 2.9). */
const BY_DAYS: ReturnedFields = ['both'];

/** The list by days, without SubtypeRitID (interface 2.9). */
async function listByDays(
  { service, resource: { requests, id } }: TripContext,
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
  const lists = (summary?.periods ?? []).map(({ DatumVan: from, DatumTot: to }) =>
    listByDays(context, { from, to }),
  );
  return toTrips(context.resource, (await Promise.all(lists)).flat(), BY_DAYS);
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

/** A few lists serve all rows of all sheets of trips in a run, as there is no reading one trip. */
class TripSource {
  private readonly known = new Map<number, ExistingRecord | null>();
  private readonly seen = createMark();
  /** Only the list by LMT returns all that rows ask for. */
  private byLmt = false;
  private all = false;
  private periods: SourceSummary['periods'];
  private readonly context: TripContext;

  constructor(context: TripContext) {
    this.context = context;
  }

  /** Reads what the rows still need: by their days or LMTs, and the whole list if some are missing. */
  async load(rows: readonly Row[]): Promise<void> {
    if (this.all) return;
    const { fields, modified, date } = this.context.resource;
    const isListed = (name: string): boolean => fields[name]?.reads === 'list';
    if (!this.byLmt && rows.some(({ values }) => Object.keys(values).some(isListed))) {
      this.byLmt = true;
      this.known.clear();
    }
    const lacks = (row: Row): boolean => tripOf(row) !== null && !this.known.has(tripOf(row) ?? 0);
    const wanted = rows.filter(lacks);
    if (wanted.length === 0) return;
    const [since] = shownIn(wanted, modified);
    const days = shownIn(wanted, date).map((day) => day.slice(0, 10));
    const [from, to] = [days[0], days.at(-1)];
    if (!this.byLmt && from !== undefined && to !== undefined) {
      this.periods = [{ DatumVan: from, DatumTot: to }];
      this.keep(toTrips(this.context.resource, await listByDays(this.context, { from, to }), BY_DAYS));
    } else if (since !== undefined) this.keep(await tripsSince(this.context, secondBefore(since)));
    if (!wanted.some(lacks)) return;
    this.all = true;
    this.keep(await tripsSince(this.context, EPOCH));
  }

  /** Null for a trip that is not there, or is deleted. */
  byId(id: number | null): ExistingRecord | null {
    return this.known.get(id ?? 0) ?? null;
  }

  summary(): SourceSummary {
    const { newest } = this.seen.mark();
    return { strategy: 'list', newest, ...(this.periods && { periods: this.periods }) };
  }

  private keep(trips: readonly ListedRecord[]): void {
    for (const { id, lmt, existing } of trips) {
      this.seen.saw({ id, lmt });
      this.known.set(id, existing);
    }
  }
}

function shownIn(rows: readonly Row[], field: string): string[] {
  const texts = rows.map(({ shown }) => shown[field]);
  return texts.filter((text) => typeof text === 'string').sort();
}
