import { columnLetters } from '../../schema/cell.ts';
import { type Field, readOnly } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { checkOf, type FieldCheck } from './field-checks.ts';

/** How the cells of one column are read: worked out once a sheet, so that a row only has to look it up. */
export interface ColumnReader {
  /** The resource's field, or the program's own `#action` or `#key`. */
  readonly name: string;
  /** One of the program's own columns. */
  readonly mark: boolean;
  /** Such as `F`; null for a value that stands in no column. */
  readonly letters: string | null;
  /** Null for one of the program's own columns, and for one that only reads return. */
  readonly field: Field | null;
  /** The field of a column that only reads return, where it helps to find the record. */
  readonly finds: Field | null;
  /** What is checked of the field's values beside their type. */
  readonly check: FieldCheck | null;
  /** Whether `#CLEAR` may stand there. */
  readonly clearable: boolean;
  /** All columns with this header; more than one where it stands there twice. */
  readonly columns: readonly number[];
}

/** The reader of a column that holds a field of the resource; `column` 0 is a value for all rows. */
export function fieldReader(
  resource: Resource,
  name: string,
  column: number,
  columns: readonly number[],
): ColumnReader {
  const field = resource.fields[name];
  const letters = column === 0 ? null : columnLetters(column);
  if (field === undefined || readOnly(field)) {
    const finds = resource.finds?.includes(name) === true ? (field ?? null) : null;
    return { name, mark: false, letters, field: null, finds, check: null, clearable: false, columns };
  }
  const clearable = isClearable(resource, name);
  const check = checkOf(name, field);
  return { name, mark: false, letters, field, finds: null, check, clearable, columns };
}

/** Whether `#CLEAR` may stand in a column. */
export function isClearable({ keys, fields }: Resource, name: string): boolean {
  return !keys.includes(name) && fields[name]?.update === 'optional';
}

/** The reader of one of the program's own columns. */
export function markReader(name: string, column: number, columns: readonly number[]): ColumnReader {
  return {
    name,
    mark: true,
    letters: columnLetters(column),
    field: null,
    finds: null,
    check: null,
    clearable: false,
    columns,
  };
}

/** Where a reader's cell stands in a row, such as `F12`. */
export function placeOf({ letters }: ColumnReader, row: number): string | null {
  return letters === null ? null : `${letters}${row}`;
}
