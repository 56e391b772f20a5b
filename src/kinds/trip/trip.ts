import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { changesTo, type ExistingRecord } from '../../records/existing-record.ts';
import { needsRecord, type PlanRules, WINDOW } from '../../records/planning.ts';
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
  saidBy,
} from '../../records/row-decision.ts';
import { undoRecord } from '../../records/undo.ts';
import type { TripResource } from '../../schema/resource.ts';
import { DaySource } from '../day-source.ts';
import { foundBy, type Kind } from '../kind.ts';
import { readTrips, type TripRow, tripOf, tripReads } from './trip-reads.ts';

/** Trips: found by RitID in lists of their days, else in that of all; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  rows(context) {
    const reads = tripReads(context, () => source.periods);
    const source = new DaySource(reads);
    const { listed } = source;
    return {
      matching: ({ base, rules }) => ({
        window: WINDOW,
        async find(rows) {
          const ids = rows.map((row) => (needsRecord(row, base) ? tripOf(row) : null));
          const named = rows.filter((_, at) => ids[at] !== null);
          await readTrips(source, named);
          return {
            found: ids.map((id) => ({ existing: listed.ids.get(id ?? 0) ?? null })),
            again: {
              keyOf: (at) => keyOf(ids[at] ?? null),
              read: async (at) => ({ existing: await reads.one(ids[at] ?? 0, null) }),
            },
          };
        },
        key: (row) => keyOf(tripOf(row)),
        decide(row, { existing, key }) {
          const decision = stopsRow(row.issues) ? INVALID : decide(row, existing, rules);
          const { id = null, lmt = null } = existing ?? {};
          return placeDecision(row, decision, { key, id, lmt, said: saidBy(row) });
        },
      }),
      summary: () => ({ strategy: 'list', newest: listed.seen.mark().newest, periods: source.periods }),
    };
  },
  foundAgain: ({ id }) => foundBy(id),
  guard(context) {
    const { periods = [] } = context.summary;
    return createRecordGuard(
      context,
      tripReads(context, () => periods),
    );
  },
  undo: (resource, history, { restore }) => undoRecord(resource, history, restore),
};

const keyOf = (id: number | null): string | null => (id === null ? null : `id:${id}`);

function decide(row: TripRow, existing: ExistingRecord | null, rules: PlanRules): RowDecision {
  const { id, fields, requests, name, sheet } = row.mapping.resource;
  const ID = tripOf(row);
  if (row.action === 'skip') return SKIPPED;
  const byService = t(
    `the service makes ${name} itself; empty the cell and name the record by its ${id}`,
    `het systeem maakt ${sheet.toLowerCase()} zelf; maak de cel leeg en noem het record met ${id}`,
  );
  if (row.action === 'create') return refuseAction(row, 'action-not-possible', byService);
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
