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
export const lastSent = (write: PlannedRow | undefined): Values =>
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

/** Whether several records hold nothing in a field of which they were sent something. */
export const isOftenEmpty = (field: string, rows: readonly DifferingRow[], writes: LastWrites): boolean =>
  rows.filter(({ key, existing }) => existing.values[field] === null && surelySent(writes.get(key))[field])
    .length > 1;

/** Whether a record holds something else than a row says. */
function differs(row: MappedRow, existing: ExistingRecord, same: SameField): boolean {
  for (const field in row.values) {
    const held = heldIn(row.mapping.resource, existing, field);
    if (held !== undefined && !same(field, held, row.values[field] ?? null)) return true;
  }
  return false;
}
