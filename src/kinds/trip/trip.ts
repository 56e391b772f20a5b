import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { recordTookEffect } from '../../records/doubts.ts';
import { changedValues, changesTo, type ExistingRecord, sameValue } from '../../records/existing-record.ts';
import { changedSince, createFreshness, type ListedRecord, secondBefore } from '../../records/freshness.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import {
  type FoundRecord,
  needsRecord,
  planRecords,
  type RecordMatching,
} from '../../records/plan-records.ts';
import type { PlannerSetup, PlanRules } from '../../records/planning.ts';
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
import { type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import { undoRecord } from '../../records/undo.ts';
import type { TripResource } from '../../schema/resource.ts';
import { foundBy, type Kind } from '../kind.ts';
import { createTripSource, EPOCH, type TripSource, tripLister, tripsSince } from './trip-list.ts';

/** Trips: found by RitID in a list of their days or of what changed; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  plan(context) {
    const source = createTripSource(context);
    return planRecords(context, source.summary, (setup) => matchingFor(setup, context.resource, source));
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
  resource: TripResource,
  source: TripSource,
): RecordMatching<TripResource, FoundRecord> {
  return {
    window: WINDOW,
    async find(rows) {
      await source.load(rows.filter((row) => needsRecord(row, base)));
      const idOf = rows.map(tripOf);
      return { found: idOf.map((id) => ({ existing: id === null ? null : source.byId(id) })) };
    },
    key: (row) => keyOf(tripOf(row)),
    named: () => resource.id,
    decide(row, { existing, key }) {
      const decision = stopsRow(row.issues) ? INVALID : decide(row, existing, rules);
      return placeDecision(row, decision, { key, id: existing?.id ?? null, lmt: existing?.lmt ?? null });
    },
  };
}

function tripOf({ values, mapping }: Row): number | null {
  const id = values[mapping.resource.id];
  return typeof id === 'number' ? id : null;
}

const keyOf = (id: number | null): string | null => (id === null ? null : `id:${id}`);

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
  if (existing === null) return refuseField(row, resource.id, 'record-missing', resource.name);
  const sendable = Object.keys(row.values).filter(
    (field) => field !== resource.id && resource.fields[field]?.update !== 'none',
  );
  const changes = changesTo(existing, row, sendable);
  if (changes.length === 0) return { action: 'unchanged' };
  const body = { [resource.id]: ID, ...changedValues(changes) };
  return { action: 'update', changes, steps: [{ purpose: 'update', endpoint: update.name, body }] };
}

const neverDeleted = ({ name, sheet }: TripResource): Bilingual =>
  t(`the service deletes no ${name}`, `${sheet.toLowerCase()} verwijdert de dienst niet`);

const madeByService = ({ name, sheet, id }: TripResource): Bilingual =>
  t(
    `the service makes ${name} itself; empty the cell and name the record by its ${id}`,
    `${sheet.toLowerCase()} maakt de dienst zelf; maak de cel leeg en noem het record met ${id}`,
  );

/** Guards trips by LMT, and settles lost answers, by the list of what was written since. */
function tripGuard(context: GuardSetup<TripResource>): RowGuard {
  const freshness = createFreshness(
    changedSince(context, context.summary.newest, async (lmt) =>
      (await tripsSince(context, lmt)).map(withMoment),
    ),
  );
  return {
    ...UNGUARDED,
    check: freshness.check,
    wrote: async ({ id }) => freshness.wrote(id),
    tookEffect: (doubt) =>
      recordTookEffect(context, doubt, {
        async read(id) {
          const { lmt } = doubt.planned;
          const trips = await tripsSince(context, lmt === null ? EPOCH : secondBefore(lmt));
          return trips.find((trip) => trip.id === id)?.existing ?? null;
        },
        shows: ({ values }) => doubt.planned.changes.every(({ field, to }) => sameValue(values[field], to)),
      }),
  };
}

/** A trip that a list by LMT gives without an LMT is there, and no longer what it was. */
const withMoment = (trip: ListedRecord): ListedRecord =>
  trip.existing === null ? trip : { ...trip, existing: { ...trip.existing, lmt: trip.lmt ?? '' } };
