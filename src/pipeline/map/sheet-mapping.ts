import { type Cell, columnLetters } from '../../schema/cell.ts';
import { type InputMark, OUTPUT_MARKS } from '../../schema/header.ts';
import type { Resource } from '../../schema/resource.ts';
import type { HeaderCell, HeaderRow } from './header-row.ts';

/** One value for all rows, from `--set Field=value`. */
export interface SetValue {
  readonly field: string;
  readonly text: string;
}

/** How the columns of one sheet become the fields of one resource. */
export interface SheetMapping<R extends Resource = Resource> {
  readonly sheet: string;
  readonly resource: R;
  readonly headerRow: number;
  /** Field by column number. */
  readonly columns: ReadonlyMap<number, string>;
  /** Column number by field, for addresses. */
  readonly columnOf: ReadonlyMap<string, number>;
  readonly marks: ReadonlyMap<InputMark, number>;
  /** Columns of an earlier result, which this one's take the place of. */
  readonly outputColumns: ReadonlySet<number>;
  /** Values for fields that the sheet lacks. */
  readonly set: readonly { readonly field: string; readonly cell: Cell }[];
  /** Headers that mean nothing here, as typed. */
  readonly unknown: readonly string[];
  /** Fields with more than one column: which column counts would be a guess. */
  readonly twice: readonly { readonly field: string; readonly columns: readonly number[] }[];
}

const OUTPUT: ReadonlySet<string> = new Set(OUTPUT_MARKS);

function columnsByField(cells: readonly HeaderCell[]): Map<string, number[]> {
  const columns = new Map<string, number[]>();
  for (const { field, column } of cells) {
    if (field !== undefined) columns.set(field, [...(columns.get(field) ?? []), column]);
  }
  return columns;
}

/** Maps a header row's cells onto the resource's fields and the program's own columns. */
export function mapHeader(
  sheet: string,
  resource: Resource,
  header: HeaderRow,
  set: readonly SetValue[],
): SheetMapping {
  const named = header.cells.filter((cell) => cell.header.trim() !== '');
  const byField = columnsByField(named);
  const firsts = [...byField].map(([field, columns]) => [field, columns[0] ?? 0] as const);
  const marks = named.filter((cell) => cell.mark !== undefined && !OUTPUT.has(cell.mark));
  return {
    sheet,
    resource,
    headerRow: header.row,
    columns: new Map(firsts.map(([field, column]) => [column, field])),
    columnOf: new Map(firsts),
    marks: new Map(marks.map((cell) => [cell.mark as InputMark, cell.column])),
    outputColumns: new Set(
      named.filter((cell) => cell.mark !== undefined && OUTPUT.has(cell.mark)).map((cell) => cell.column),
    ),
    set: set
      .filter(({ field }) => Object.hasOwn(resource.fields, field) && !byField.has(field))
      .map(({ field, text }) => ({ field, cell: { column: 0, type: 'text', value: text } })),
    unknown: named
      .filter((cell) => cell.field === undefined && cell.mark === undefined)
      .map((cell) => cell.header.trim()),
    twice: [...byField]
      .filter(([, columns]) => columns.length > 1)
      .map(([field, columns]) => ({ field, columns })),
  };
}

/** `B and F`, for a message about columns. */
export function lettersOf(columns: readonly number[]): string {
  return columns.map(columnLetters).join(', ');
}
