import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { changesTo, type ExistingRecord } from '../../records/existing-record.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { PlannerSetup, PlanRules } from '../../records/planning.ts';
import { createRecordGuard } from '../../records/record-guard.ts';
import {
  decideFound,
  INVALID,
  placeDecision,
  type RowDecision,
  refuseAction,
  refuseDelete,
  refuseField,
  SKIPPED,
} from '../../records/row-decision.ts';
import type { FoundRecord, RecordMatching } from '../../records/row-matching.ts';
import { saidBy } from '../../records/said-fields.ts';
import { undoRecord } from '../../records/undo.ts';
import type { TripResource } from '../../schema/resource.ts';
import { foundBy, type Kind } from '../kind.ts';
import { TripSource, tripKey, tripLister, tripOf, tripReads } from './trip-reads.ts';

/** Trips: found by RitID in a list of their days or of what changed; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  rows(context) {
    const source = new TripSource(context);
    return {
      matching: (setup) => matchingFor(setup, source),
      summary: () => source.summary(),
    };
  },
  foundAgain: ({ id }) => foundBy(id),
  guard: (context) => createRecordGuard(context, tripReads(context, context.summary)),
  compared: true,
  lister: tripLister,
  undo: (resource, history, { restore }) => undoRecord(resource, history, restore),
};

type Row = MappedRow<TripResource>;

/** So many rows share a list: a season's trips, so that a sheet of them takes one. */
const WINDOW = 5_000;

/** Rows wait until the days and moments of many are known, as one list answers for all of them. */
const matchingFor = (
  { base, rules }: PlannerSetup,
  source: TripSource,
): RecordMatching<TripResource, FoundRecord> => ({
  window: WINDOW,
  find: (rows) => source.find(rows, base),
  key: (row) => tripKey(tripOf(row)),
  named: ({ mapping }) => mapping.resource.id,
  decide(row, { existing, key }) {
    const decision = stopsRow(row.issues) ? INVALID : decide(row, existing, rules);
    const about = { key, id: existing?.id ?? null, lmt: existing?.lmt ?? null, said: saidBy(row) };
    return placeDecision(row, decision, about);
  },
});

function decide(row: Row, existing: ExistingRecord | null, rules: PlanRules): RowDecision {
  const { resource } = row.mapping;
  const { id, fields, requests, name, sheet } = resource;
  const ID = tripOf(row);
  if (row.action === 'skip') return SKIPPED;
  if (row.action === 'create') return refuseAction(row, 'action-not-possible', madeByService(resource));
  const refused = row.action === 'delete' ? refuseDelete(row, rules, null) : null;
  if (refused !== null) return refused;
  if (ID === null) return refuseField(row, id, 'key-missing', id);
  if (existing === null && row.action !== 'delete')
    return refuseField(row, id, 'record-missing', t(name, sheet));
  const sendable = Object.keys(row.values).filter((one) => one !== id && fields[one]?.update !== 'none');
  return decideFound(row, existing && { ...existing, changes: changesTo(existing, row, sendable) }, {
    remove: { endpoint: requests.remove.name, body: {}, params: { ID } },
    update: { endpoint: requests.update.name, body: { [id]: ID } },
  });
}

const madeByService = ({ name, sheet, id }: TripResource): Bilingual =>
  t(
    `the service makes ${name} itself; empty the cell and name the record by its ${id}`,
    `het systeem maakt ${sheet.toLowerCase()} zelf; maak de cel leeg en noem het record met ${id}`,
  );
