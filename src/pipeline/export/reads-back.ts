import type { Cell } from '../../schema/cell.ts';
import { issueAt } from '../../schema/issue.ts';
import type { Locale, Value } from '../../schema/value.ts';
import { sameValue } from '../kinds/catalogue/existing.ts';
import { isBlank, isClear, isName, noValue } from '../map/cell-sense.ts';
import { checkOf } from '../map/field-checks.ts';
import type { ExportColumn } from './export-columns.ts';

/** What an import makes of a cell: the value it was written for, an issue that stops its row, or something else. */
export type ReadBack = 'same' | 'issue' | 'other';

/** What an import makes of a cell of a column that was written for a value. */
export function readBack(
  { header, field }: ExportColumn,
  cell: Cell,
  value: Value,
  locale: Locale,
): ReadBack {
  // What shows nothing leaves the field alone.
  if (field === null || isBlank(cell)) return 'same';
  if (noValue(cell) !== undefined) return 'issue';
  if (cell.type === 'text' && isClear(cell.value)) return 'other';
  if (field.lookup !== undefined && isName(cell)) return 'other';
  const decoded = field.codec.decode(cell, locale);
  if (!decoded.ok) return 'issue';
  if (!sameValue(value, decoded.value)) return 'other';
  const finding = checkOf(header, field)?.(decoded.value);
  const stops =
    finding !== undefined && issueAt(finding, { field: header, address: null }).severity === 'error';
  return stops ? 'issue' : 'same';
}
