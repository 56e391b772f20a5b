import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { FieldChange } from '../../core/plan.ts';
import { createEarlierRows } from '../../records/earlier-rows.ts';
import { type ExistingRecord, sameValue } from '../../records/existing-record.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import {
  type FoundRecord,
  needsRecord,
  planRecords,
  type RecordMatching,
} from '../../records/plan-records.ts';
import type { PlannerSetup, PlanRules, UnplacedRow } from '../../records/planning.ts';
import {
  ALREADY_GONE,
  INVALID,
  placeDecision,
  type RowDecision,
  refuseAction,
  refuseField,
  SKIPPED,
} from '../../records/row-decision.ts';
import { undoRecord } from '../../records/undo.ts';
import type { TripResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { tripGuard } from './trip-guard.ts';
import { tripLister } from './trip-list.ts';
import { createTripSource, type TripSource } from './trip-source.ts';

/** Trips: found by RitID in a list of their days or of what changed; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  plan(context, resource, run) {
    const source = createTripSource(context, resource);
    const earlier = createEarlierRows(context, run, resource.name);
    return {
      openSheet: (setup) => planRecords(setup, earlier, matchingFor(setup, resource, source)),
      summary: source.summary,
    };
  },
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
    key: tripKey,
    named: () => resource.id,
    decide: (row, { existing }) => planTrip(row, existing, rules),
  };
}

/** The number of the trip that a row names. */
function tripOf({ values, mapping }: Row): number | null {
  const id = values[mapping.resource.id];
  return typeof id === 'number' ? id : null;
}

/** The key under which rows on one trip are kept in order. */
function tripKey(row: Row): string | null {
  const id = tripOf(row);
  return id === null ? null : `id:${id}`;
}

/** Decides one row: a pure function of the row, of what the service holds and of the rules. */
function planTrip(row: Row, existing: ExistingRecord | null, rules: PlanRules): UnplacedRow {
  const decision = stopsRow(row.issues) ? INVALID : decide(row, existing, rules);
  const about = { key: tripKey(row), id: existing?.id ?? null, lmt: existing?.lmt ?? null };
  return placeDecision(row, decision, about);
}

function decide(row: Row, existing: ExistingRecord | null, rules: PlanRules): RowDecision {
  const { resource } = row.mapping;
  const { requests } = resource;
  if (row.action === 'skip') return SKIPPED;
  if (row.action === 'create') return refuseAction(row, 'action-not-possible', madeByService(resource));
  const { remove } = requests;
  if (row.action === 'delete' && remove === undefined)
    return refuseAction(row, 'action-not-possible', neverDeleted(resource));
  if (row.action === 'delete' && !rules.allowDelete) return refuseAction(row, 'delete-not-allowed');
  const ID = tripOf(row);
  if (ID === null) return refuseField(row, resource.id, 'key-missing', resource.id);
  if (row.action === 'delete' && remove !== undefined) {
    if (existing === null) return ALREADY_GONE;
    const step = { purpose: 'delete', endpoint: remove.name, body: {}, params: { ID } } as const;
    return { action: 'delete', steps: [step] };
  }
  if (existing === null) return refuseField(row, resource.id, 'record-missing', resource.name);
  const changes = changesOf(row, existing);
  if (changes.length === 0) return { action: 'unchanged' };
  const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  const body = { [resource.id]: ID, ...changed };
  return {
    action: 'update',
    changes,
    steps: [{ purpose: 'update', endpoint: requests.update.name, body }],
  };
}

const neverDeleted = ({ name, sheet }: TripResource): Bilingual =>
  t(`the service deletes no ${name}`, `${sheet.toLowerCase()} verwijdert de dienst niet`);

const madeByService = ({ name, sheet, id }: TripResource): Bilingual =>
  t(
    `the service makes ${name} itself; empty the cell and name the record by its ${id}`,
    `${sheet.toLowerCase()} maakt de dienst zelf; maak de cel leeg en noem het record met ${id}`,
  );

function changesOf({ values, mapping }: Row, existing: ExistingRecord): FieldChange[] {
  const { fields, id } = mapping.resource;
  return Object.entries(values)
    .filter(([field]) => field !== id && fields[field]?.update !== 'none')
    .map(([field, to]) => ({ field, from: existing.values[field] ?? null, to }))
    .filter(({ from, to }) => !sameValue(from, to));
}
