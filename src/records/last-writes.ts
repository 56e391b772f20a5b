import type { PlannedRow } from '../core/plan.ts';
import type { Values } from '../core/value.ts';
import type { WrittenRow } from '../ledger/ledger.ts';
import { type ExistingRecord, heldIn, plainValues } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import type { SameField } from './three-way.ts';

/** The rows that wrote records last, by the record's key. */
export type LastWrites = ReadonlyMap<string, WrittenRow>;
/** Of records that are as their rows say. */
export const NO_WRITES: LastWrites = new Map();

/** What a row surely sent: of one that was ended the first request alone. */
export const surelySent = (write: WrittenRow | undefined): Values =>
  write?.done === true ? lastSent(write) : plainValues(write?.steps[0]?.body ?? {});

/** What a row sends, all its requests together. */
const lastSent = (write: PlannedRow | undefined): Values =>
  write === undefined ? {} : plainValues(Object.assign({}, ...write.steps.map(({ body }) => body)));

interface DifferingRow {
  readonly row: MappedRow;
  readonly existing: ExistingRecord;
  readonly key: string;
}

/** The rows whose records hold something else than they say. */
export function differingRows<R extends MappedRow>(
  rows: readonly R[],
  found: readonly { readonly existing: ExistingRecord | null }[],
  keyOf: (row: R, at: number) => string | null,
  same: SameField,
): readonly DifferingRow[] {
  return rows.flatMap((row, at) => {
    const existing = found[at]?.existing ?? null;
    if (existing === null || !differs(row, existing, same)) return [];
    return [{ row, existing, key: keyOf(row, at) ?? '' }];
  });
}

/** Whether a record holds something else than a row says. */
function differs(row: MappedRow, existing: ExistingRecord, same: SameField): boolean {
  for (const field in row.values) {
    const held = heldIn(row.mapping.resource, existing, field);
    if (held !== undefined && !same(field, held, row.values[field] ?? null)) return true;
  }
  return false;
}

/** What a record was sent last in the fields that its row names, and holds otherwise. */
export function pairsSince({ row, existing }: DifferingRow, write: WrittenRow | undefined, same: SameField) {
  const { lmt } = existing;
  const isUnmoved = write?.lmt != null && write.lmt === lmt;
  return Object.entries(lastSent(write)).flatMap(([field, sent]) => {
    const held = existing.values[field];
    if (write === undefined || row.values[field] === undefined || held === undefined) return [];
    const change = write.changes.find(({ field: name }) => name === field);
    const cameBack = change !== undefined && change.from === held;
    // Nothing shows that the record was read after that write.
    const isUntold = isUnmoved && (change === undefined || cameBack);
    return same(field, held, sent) || isUntold ? [] : [{ field, pair: { sent, held }, write, lmt, cameBack }];
  });
}
