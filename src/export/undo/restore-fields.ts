import { shorten } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { FieldChange } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
import { isClearable } from '../../import/map/column-reader.ts';
import { safeCell } from '../../import/map/safe-cell.ts';
import type { RestoredFields } from '../../records/undo.ts';
import type { Field } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';

/** Gives fields their old values, where a cell can. */
export function restoreFields(resource: Resource, changes: readonly FieldChange[]): RestoredFields {
  const cells: Record<string, Value> = {};
  const was: Record<string, Value> = {};
  const left: Bilingual[] = [];
  for (const { field, from, to } of changes) {
    const cell = cellFor(resource, field, from);
    if (cell === null) {
      left.push(
        t(
          `${field} can't be set back to ${shorten(valueText(from, 'en'))}: no cell that is imported says so`,
          `${field} kan niet terug naar ${shorten(valueText(from, 'nl'))}: geen cel die geïmporteerd wordt zegt dat`,
        ),
      );
    } else {
      cells[field] = cell;
      was[field] = to;
    }
  }
  return { cells, was, left };
}

/** The cell that gives a field its old value; null where no cell can. */
function cellFor(resource: Resource, name: string, from: Value): Value {
  const field = resource.fields[name];
  if (field === undefined) return null;
  if (from !== null && from !== '') return readableCell(field, name, from);
  return field.reads !== 'none' && isClearable(resource, name) ? '#CLEAR' : null;
}

/** How a cell is tried; numbers and booleans are written as the language has them later. */
const WORKBOOK = { language: 'en', locale: 'nl', csv: false } as const;

/** A value as an export takes it; null for what an import would refuse or misread. */
function readableCell(field: Field, header: string, from: Value): Value {
  const column = { header, type: field.codec.type, field, imported: true, path: [] };
  let isLost = false;
  // As the service gives it: a day may lack its midnight.
  const value = field.codec.read(from);
  const cell = safeCell(value, column, WORKBOOK, () => {
    isLost = true;
  });
  if (isLost || cell === null) return null;
  if (typeof value === 'boolean') return value;
  return typeof cell === 'object' ? cell.date : cell;
}
