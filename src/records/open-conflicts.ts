import type { PlannedRow, Step } from '../core/plan.ts';
import { isMade, sentValues } from '../core/row-text.ts';
import type { Value } from '../core/value.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { OpenConflict } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import { plainValues, type SameField } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';

/** The conflicts of a resource's records that are still to be decided, by the record's key. */
export async function readOpenConflicts({ ledger, serviceKey }: Context, resource: string) {
  return await ledger.recall(serviceKey, resource, 'conflict');
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

/** Remembers conflicts of a resource as rows of a run are sent, and forgets them as they are decided. */
export function createConflictKeeper(context: Context, name: string, run: string) {
  const { ledger, serviceKey } = context;
  let reading: ReturnType<typeof readOpenConflicts> | undefined;
  const read = () => (reading ??= readOpenConflicts(context, name));
  return {
    /** A row was not sent, as someone else changed its record. */
    async left(planned: PlannedRow): Promise<void> {
      const { key, lmt, action } = planned;
      const fields = wantedBy(planned);
      if (key === null || (Object.keys(fields).length === 0 && action !== 'delete')) return;
      const open = await read();
      const conflict = { key, run, lmt, fields: { ...open.get(key)?.fields, ...fields } };
      open.set(key, conflict);
      await ledger.remember(serviceKey, name, 'conflict', conflict.key, conflict);
    },
    /** A request went through: what it changed is decided. */
    async decided(planned: PlannedRow, { purpose }: Step): Promise<void> {
      const open = await read();
      const { changes } = planned;
      const known = conflictOn(open, planned);
      if (known === undefined) return;
      const sent = new Set(changes.map(({ field }) => field));
      const rest = Object.entries(known.fields).filter(([field]) => !sent.has(field));
      if (purpose === 'delete' || purpose === 'create' || rest.length === 0) {
        open.delete(known.key);
        await ledger.remember(serviceKey, name, 'conflict', known.key, null);
      } else if (rest.length < Object.keys(known.fields).length) {
        const conflict = { ...known, fields: Object.fromEntries(rest) };
        open.set(known.key, conflict);
        await ledger.remember(serviceKey, name, 'conflict', conflict.key, conflict);
      }
    },
  };
}

/** What a row would change, and from what; from null for a new record. */
function wantedBy(planned: PlannedRow): OpenConflict['fields'] {
  const made = isMade(planned) ? plainValues(sentValues(planned)) : {};
  const all = [...planned.changes, ...Object.entries(made).map(([field, to]) => ({ field, from: null, to }))];
  return Object.fromEntries(all.map(({ field, from, to }) => [field, { from, to }]));
}
