import type { Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { INPUT_MARKS, normaliseHeader, outputMark } from '../../core/header.ts';
import type { Resource } from '../../schema/resource.ts';
import { type HeaderName, namesFor } from './header-names.ts';

/** One header cell: the text as typed, and the field or the program's mark that it stands for. */
export interface HeaderCell {
  readonly column: number;
  readonly header: string;
  readonly field?: string;
  readonly mark?: string;
}

/** Rows in which a header is looked for: titles, addresses and logos stand above it. */
export const HEADER_SEARCH_ROWS = 60;

const INPUT: ReadonlySet<string> = new Set(INPUT_MARKS);

/** A sheet's header: one row, or two that share the names. */
export interface HeaderRow {
  /** The last of its rows; what stands below is data. */
  readonly row: number;
  /** The first of its rows. */
  readonly first: number;
  readonly cells: readonly HeaderCell[];
  /** How many different fields of the resource it names. */
  readonly fields: number;
  /** The most that any row names. */
  readonly most: number;
  /** The names that its cells were recognised by. */
  readonly names: HeaderNames;
}

/** What the user says of the header. */
export interface HeaderWishes {
  /** The row it stands in; looked for when absent. */
  readonly headerRow?: number | undefined;
  /** Headers of the user's own. */
  readonly names?: readonly HeaderName[] | undefined;
}

/** The names that a header is recognised by, normalised. */
export interface HeaderNames {
  /** The resource's fields. */
  readonly fields: ReadonlyMap<string, string>;
  /** The fields and marks that the user's own headers stand for. */
  readonly own: ReadonlyMap<string, string>;
}

type ReadHeader = Pick<HeaderRow, 'row' | 'cells' | 'fields'>;

/** A row as a header, and how many different fields it names. */
export function readHeader(row: Row, names: HeaderNames): ReadHeader {
  const cells = row.cells.map((cell): HeaderCell => {
    const header = cellText(cell);
    const normal = normaliseHeader(header);
    const own = names.own.get(normal);
    const known = cell.type === 'text' ? (names.fields.get(normal) ?? '') : '';
    const name = own ?? known;
    const mark = name === '' ? (outputMark(normal) ?? (INPUT.has(normal) ? normal : undefined)) : undefined;
    if (mark !== undefined || INPUT.has(name)) return { column: cell.column, header, mark: mark ?? name };
    return name === '' ? { column: cell.column, header } : { column: cell.column, header, field: name };
  });
  return { row: row.number, cells, fields: fieldsIn(cells) };
}

const fieldsIn = (cells: readonly HeaderCell[]): number =>
  new Set(cells.flatMap(({ field }) => field ?? [])).size;

/**
 * The row that names the most fields of the resource, the first of equals, or the one that the user names;
 * with the row above or below it where the two share the headers. A table above it goes first, or its rows
 * would not be read. Undefined when no row names a field.
 */
export function findHeader(
  top: readonly Row[],
  resource: Resource,
  { headerRow, names: own = [] }: HeaderWishes = {},
): HeaderRow | undefined {
  const fields = new Map(Object.keys(resource.fields).map((name) => [normaliseHeader(name), name]));
  const names: HeaderNames = { fields, own: namesFor(resource, own) };
  const looked = top.filter(({ number }) =>
    headerRow === undefined ? number <= HEADER_SEARCH_ROWS : number === headerRow,
  );
  const read = looked.map((row) => readHeader(row, names)).filter((header) => header.fields > 0);
  const most = Math.max(0, ...read.map((header) => header.fields));
  const best = read.find((header) => header.fields === most);
  if (best === undefined) return undefined;
  const { row: at, cells } = tableAbove(best, read, top, resource) ?? best;
  const beside = (number: number): ReadHeader | undefined => {
    const row = top.find((one) => one.number === number);
    return row === undefined ? undefined : readHeader(row, names);
  };
  const joined = joinRows(cells, beside(at - 1)?.cells, beside(at + 1)?.cells);
  const [first, last] = [joined.above ? at - 1 : at, joined.below ? at + 1 : at];
  return { row: last, first, cells: joined.cells, fields: fieldsIn(joined.cells), most, names };
}

/** The first header above another that names a key and another field, and has rows of its own. */
function tableAbove(
  best: ReadHeader,
  read: readonly ReadHeader[],
  top: readonly Row[],
  { keys }: Resource,
): ReadHeader | undefined {
  const isOther = (number: number): boolean => !read.some(({ row, fields }) => row === number && fields > 1);
  return read.find(({ row, cells, fields }) => {
    if (row >= best.row || fields < 2) return false;
    if (!cells.some(({ field }) => field !== undefined && keys.includes(field))) return false;
    return top.some(
      (one) => one.number > row && one.number < best.row && isOther(one.number) && one.cells.length > 1,
    );
  });
}

type Cells = readonly HeaderCell[];

const nameOf = ({ field, mark }: HeaderCell): string | undefined => field ?? mark;

/** The cells beside a header that name what it lacks, in columns where it names nothing. */
function added(header: Cells, beside: Cells): Cells {
  const columns = new Set(header.flatMap((cell) => (nameOf(cell) === undefined ? [] : cell.column)));
  const names = new Set(header.map(nameOf));
  return beside.filter((cell) => {
    const name = nameOf(cell);
    return name !== undefined && !columns.has(cell.column) && !names.has(name);
  });
}

/** The lower of two header rows has no values under the headers, or the same names; a row of data does. */
function isHeader(header: Cells, below: Cells): boolean {
  const names = new Map(header.map((cell) => [cell.column, nameOf(cell)]));
  return below.every((cell) => {
    const name = names.get(cell.column);
    return name === undefined || name === nameOf(cell) || cell.header.trim() === '';
  });
}

function join(header: Cells, more: Cells): Cells {
  const columns = new Set(more.map(({ column }) => column));
  return [...header.filter(({ column }) => !columns.has(column)), ...more].sort(
    (one, other) => one.column - other.column,
  );
}

/** Joins a header with the rows beside it: merged cells hold their text in the upper of two rows. */
function joinRows(header: Cells, above: Cells | undefined, below: Cells | undefined) {
  const upper = above === undefined ? [] : added(header, above);
  const whole = join(header, upper);
  const lower = below === undefined || !isHeader(whole, below) ? [] : added(whole, below);
  return { cells: join(whole, lower), above: upper.length > 0, below: lower.length > 0 };
}
