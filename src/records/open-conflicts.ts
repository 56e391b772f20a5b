import type { PlannedRow, Step } from '../core/plan.ts';
import { isMade, sentValues } from '../core/row-text.ts';
import type { Value } from '../core/value.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { Ledger, OpenConflict } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import type { SameField } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';

type Memory = Pick<Context, 'serviceKey'> & {
  readonly ledger: Pick<Ledger, 'findConflicts' | 'rememberConflict' | 'forgetConflict'>;
};

/** The conflicts of a resource's records that are still to be decided, by the record's key. */
export async function readOpenConflicts(
  { ledger, serviceKey }: Memory,
  resource: string,
): Promise<ReadonlyMap<string, OpenConflict>> {
  const found = await ledger.findConflicts(serviceKey, resource);
  return new Map(found.map((conflict) => [conflict.key, conflict]));
}

/** The open conflict of a record: by its own key, else by the ExternalID that it was to be created with. */
export function conflictOn(
  open: ReadonlyMap<string, OpenConflict>,
  { key, external }: { readonly key: string | null; readonly external: Value | undefined },
): OpenConflict | undefined {
  const own = key === null ? undefined : open.get(key);
  return own ?? (typeof external === 'number' ? open.get(`external:${external}`) : undefined);
}

/**
 * What the record was when its row was left as a conflict. A field in which the row says something else now
 * is left out: that is the user's answer.
 */
export function seenThen(
  { key, lmt, fields }: OpenConflict,
  { action, values, mapping }: MappedRow,
  same: SameField,
): BaselineRecord {
  const known = Object.entries(fields).filter(([field, { to }]) => {
    const mine = values[field];
    return action === 'delete' || (mine !== undefined && same(field, to, mine));
  });
  const seen = Object.fromEntries(known.map(([field, { from }]) => [field, from]));
  return { resource: mapping.resource.name, key, lmt, values: seen };
}

/** Remembers conflicts as rows are sent, and forgets them as they are decided. */
export interface ConflictKeeper {
  /** A row was not sent, as someone else changed its record. */
  left(planned: PlannedRow): Promise<void>;
  /** A request went through: what it changed is decided. */
  decided(planned: PlannedRow, step: Step): Promise<void>;
}

/** For rows that are not compared field by field: their conflicts are about something else. */
export const NO_CONFLICTS: ConflictKeeper = { left: async () => {}, decided: async () => {} };

/** A keeper for the rows of one resource in a run; it reads the ledger once. */
export function createConflictKeeper(memory: Memory, resource: Resource, run: string): ConflictKeeper {
  const { ledger, serviceKey } = memory;
  const { name } = resource;
  let reading: Promise<Map<string, OpenConflict>> | undefined;
  const read = (): Promise<Map<string, OpenConflict>> => {
    reading ??= readOpenConflicts(memory, name).then((found) => new Map(found));
    return reading;
  };
  return {
    async left(planned) {
      const { key, lmt, action } = planned;
      const fields = wantedBy(planned);
      if (key === null || (Object.keys(fields).length === 0 && action !== 'delete')) return;
      const open = await read();
      const conflict = { key, run, lmt, fields: { ...open.get(key)?.fields, ...fields } };
      open.set(key, conflict);
      await ledger.rememberConflict(serviceKey, name, conflict);
    },
    async decided(planned, { purpose }) {
      const open = await read();
      const { changes } = planned;
      const known = conflictOn(open, planned);
      if (known === undefined) return;
      const sent = new Set(changes.map(({ field }) => field));
      const rest = Object.entries(known.fields).filter(([field]) => !sent.has(field));
      if (purpose === 'delete' || purpose === 'create' || rest.length === 0) {
        open.delete(known.key);
        await ledger.forgetConflict(serviceKey, name, known.key);
      } else if (rest.length < Object.keys(known.fields).length) {
        const conflict = { ...known, fields: Object.fromEntries(rest) };
        open.set(known.key, conflict);
        await ledger.rememberConflict(serviceKey, name, conflict);
      }
    },
  };
}

/** What a row would change, and from what; from null for a new record. */
function wantedBy(planned: PlannedRow): OpenConflict['fields'] {
  const { changes } = planned;
  if (!isMade(planned))
    return Object.fromEntries(changes.map(({ field, from, to }) => [field, { from, to }]));
  const wanted: Record<string, { readonly from: Value; readonly to: Value }> = {};
  for (const [field, to] of Object.entries(sentValues(planned)))
    if (to === null || typeof to !== 'object') wanted[field] = { from: null, to };
  return wanted;
}
