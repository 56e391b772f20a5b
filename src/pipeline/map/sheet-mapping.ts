import { type Cell, columnLetters, type Row } from '../../schema/cell.ts';
import { INPUT_MARKS, type InputMark } from '../../schema/header.ts';
import type { Resource } from '../../schema/resource.ts';
import { type ColumnReader, fieldReader, markReader } from './column-reader.ts';
import { explanationRows } from './explanations.ts';
import type { HeaderCell } from './header-cell.ts';
import type { HeaderNames, HeaderRow } from './header-row.ts';
import { isListed } from './listed-columns.ts';
import { findOutputColumns } from './output-columns.ts';
import { type UnknownColumn, unknownColumn } from './unknown-columns.ts';

/** One value for all rows, from `--set Field=value`. */
export interface SetValue {
  readonly field: string;
  readonly text: string;
}

/** How the columns of one sheet become the fields of one resource. */
export interface SheetMapping<R extends Resource = Resource> {
  readonly sheet: string;
  readonly resource: R;
  /** The row below which data begins: the header's, or the last of them. */
  readonly headerRow: number;
  /** The first row of the header; another one where two rows share the headers. */
  readonly firstHeaderRow: number;
  /** The header's cells, as typed. */
  readonly headers: readonly HeaderCell[];
  /** By what they were told. */
  readonly names: HeaderNames;
  /** Rows below the header that explain it. */
  readonly explanations: ReadonlySet<number>;
  /** Field by column number; a field may have more than one column. */
  readonly columns: ReadonlyMap<number, string>;
  /** Column number by field, for addresses; the first where there are more. */
  readonly columnOf: ReadonlyMap<string, number>;
  readonly marks: ReadonlyMap<InputMark, number>;
  /** What is read from each column that counts, by its number. */
  readonly readers: readonly (ColumnReader | undefined)[];
  /** Columns that hold text, or a number or date as text, among the first rows. */
  readonly textual: ReadonlySet<number>;
  /** In a CSV the last column that a header names, beyond which no value may stand; elsewhere Infinity: people jot notes there. */
  readonly lastHeader: number;
  /** Columns of an earlier result, which this one's take the place of. */
  readonly outputColumns: ReadonlySet<number>;
  /** Values for fields that the sheet lacks. */
  readonly set: readonly { readonly field: string; readonly cell: Cell; readonly reader: ColumnReader }[];
  /** What begins as a formula in it may be guarded. */
  readonly guarded: boolean;
  /** Headers of what only the service fills in, as an export has them. */
  readonly listed: readonly string[];
  /** Headers that mean nothing here, as typed. */
  readonly unknown: readonly string[];
  /** The same with the fields that they may be meant as. */
  readonly unknownColumns: readonly UnknownColumn[];
}

const isRead = (mark: string | undefined): boolean => INPUT_MARKS.some((one) => one === mark);

function columnsBy(
  cells: readonly HeaderCell[],
  nameOf: (cell: HeaderCell) => string | undefined,
): Map<string, number[]> {
  const columns = new Map<string, number[]>();
  for (const cell of cells) {
    const name = nameOf(cell);
    if (name !== undefined) columns.set(name, [...(columns.get(name) ?? []), cell.column]);
  }
  return columns;
}

const firstOf = ([name, columns]: readonly [string, readonly number[]]): [string, number] => [
  name,
  columns[0] ?? 0,
];

/** What is known of a sheet beside its header. */
export interface Surroundings {
  /** The first rows under the header, to tell which of them explain it. */
  readonly below?: readonly Row[];
  /** Its rows are cut by a separator, so that a value too many moves the others. */
  readonly separated?: boolean;
  /** An apostrophe may stand before what begins as a formula, as in a CSV and in a workbook that was one. */
  readonly guarded?: boolean;
}

/** Maps a header row's cells onto the resource's fields and the program's own columns. */
export function mapHeader(
  sheet: string,
  resource: Resource,
  header: HeaderRow,
  set: readonly SetValue[],
  { below = [], separated = false, guarded = separated }: Surroundings = {},
): SheetMapping {
  const named = header.cells.filter((cell) => cell.header.trim() !== '');
  const fields = columnsBy(named, ({ field }) => field);
  const marks = columnsBy(named, ({ mark }) => (isRead(mark) ? mark : undefined));
  const outputColumns = findOutputColumns(named, below);
  const readers = columnReaders(resource, fields, marks);
  const others = named
    .filter(({ field, mark, column }) => field === undefined && !isRead(mark) && !outputColumns.has(column))
    .map((cell) => cell.header.trim());
  const unknown = others.filter((text) => !isListed(resource, text));
  const taken = new Set(fields.keys());
  return {
    sheet,
    resource,
    headerRow: header.row,
    firstHeaderRow: header.first,
    headers: named,
    names: header.names,
    explanations: explanationRows(header.row, below, readers, outputColumns),
    columns: new Map([...fields].flatMap(([field, columns]) => columns.map((column) => [column, field]))),
    columnOf: new Map([...fields].map(firstOf)),
    marks: new Map([...marks].map(firstOf)) as ReadonlyMap<InputMark, number>,
    readers,
    textual: new Set(below.flatMap(({ cells }) => cells.flatMap(textColumn))),
    lastHeader: separated ? lastColumn(named, outputColumns) : Number.POSITIVE_INFINITY,
    outputColumns,
    set: set
      .filter(({ field }) => Object.hasOwn(resource.fields, field) && !fields.has(field))
      .map(({ field, text }) => ({
        field,
        cell: { column: 0, type: 'text', value: text },
        reader: fieldReader(resource, field, 0, []),
      })),
    guarded,
    listed: others.filter((text) => isListed(resource, text)),
    unknown,
    unknownColumns: unknown.map((text) => unknownColumn(text, resource, taken)),
  };
}

const textColumn = ({ type, column }: Cell): number[] => (type === 'text' ? [column] : []);

/** The last column with a header of the sheet's own: behind those of an earlier result a value too many would hide. */
function lastColumn(named: readonly HeaderCell[], outputs: ReadonlySet<number>): number {
  return Math.max(0, ...named.flatMap(({ column }) => (outputs.has(column) ? [] : [column])));
}

/** An array by column number: a cell's reader is one look away. */
function columnReaders(
  resource: Resource,
  fields: ReadonlyMap<string, readonly number[]>,
  marks: ReadonlyMap<string, readonly number[]>,
): (ColumnReader | undefined)[] {
  const last = Math.max(0, ...[...fields.values(), ...marks.values()].flat());
  const readers = new Array<ColumnReader | undefined>(last + 1).fill(undefined);
  for (const [name, columns] of fields)
    for (const column of columns) readers[column] = fieldReader(resource, name, column, columns);
  for (const [name, columns] of marks)
    for (const column of columns) readers[column] = markReader(name, column, columns);
  return readers;
}

/** `B, F`, for a message about columns. */
export function lettersOf(columns: readonly number[]): string {
  return columns.map(columnLetters).join(', ');
}
