import type { Value } from '../../core/value.ts';
import type { BaseRecord } from '../../files/base-sheet.ts';
import { sameValue } from '../catalogue/existing.ts';
import type { CountRow } from './counted.ts';

/**
 * Whether a row counts what the workbook said the total was when it was written: nobody counted it, and the total it stands for may
 * have moved since. Its other cells may be filled in all the same, as people fill a column down.
 */
export function isUntouched({ action, values, issues, mapping }: CountRow, was: BaseRecord): boolean {
  if (action !== 'auto') return false;
  return mapping.resource.amounts.every(({ counted }) => {
    const unread = issues.some(({ field, severity }) => field === counted && severity === 'error');
    return !unread && sameValue(was.values[counted], values[counted] ?? null);
  });
}

/** The row without an amount that nobody touched, where another one was counted in its place. */
export function withoutUntouched(row: CountRow, { values: was }: BaseRecord): CountRow {
  const { amounts } = row.mapping.resource;
  const given = amounts.filter(({ counted }) => row.values[counted] != null);
  const old = given.find(({ counted }) => sameValue(was[counted], row.values[counted] as Value));
  if (given.length < 2 || old === undefined) return row;
  const { [old.counted]: _, ...values } = row.values;
  return { ...row, values };
}
