import type { Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { INPUT_MARKS, normaliseHeader, OUTPUT_MARKS, outputMark } from '../../core/header.ts';
import type { Resource } from '../../schema/resource.ts';
import { type HeaderName, namesFor } from './header-names.ts';

/** One header cell: the text as typed, and the field or the program's mark that it stands for. */
export interface HeaderCell {
  readonly column: number;
  readonly header: string;
  readonly field?: string;
  readonly mark?: string;
  /** The user said what it is; not used where it has neither field nor mark. */
  readonly chosen?: true;
}

/** Rows in which a header is looked for: titles, addresses and logos stand above it. */
export const HEADER_SEARCH_ROWS = 60;

const INPUT: ReadonlySet<string> = new Set(INPUT_MARKS);
const OUTPUT: ReadonlySet<string> = new Set(OUTPUT_MARKS);

/** A sheet's header: one row, or two that share the names. */
export interface HeaderRow {
  /** The last of its rows; data begins below it. */
  readonly headerRow: number;
  /** The first of its rows. */
  readonly firstHeaderRow: number;
  /** Its cells, as typed. */
  readonly headers: readonly HeaderCell[];
  /** The names that they were recognised by, normalised: fields and marks, by header. */
  readonly names: ReadonlyMap<string, string>;
  /** The most different fields of the resource that any row names. */
  readonly most: number;
}

/** What the user says of the header. */
export interface HeaderWishes {
  /** The row it stands in; looked for when absent. */
  readonly headerRow?: number | undefined;
  /** Headers of the user's own. */
  readonly names?: readonly HeaderName[] | undefined;
}

/** A row as a header, and how many different fields it names. */
interface ReadHeader {
  readonly row: number;
  readonly cells: readonly HeaderCell[];
  readonly fields: number;
}

/** Reads a row as a header. */
export function readHeader(row: Row, names: HeaderRow['names']): ReadHeader {
  const cells = row.cells.map((cell): HeaderCell => {
    const { column } = cell;
    const header = cellText(cell);
    const normal = normaliseHeader(header);
    const name = names.get(normal) ?? outputMark(normal) ?? normal;
    if (INPUT.has(name) || OUTPUT.has(name)) return { column, header, mark: name };
    return names.has(normal) ? { column, header, field: name } : { column, header };
  });
  return { row: row.number, cells, fields: new Set(cells.flatMap(({ field }) => field ?? [])).size };
}

/**
 * The row that names the most fields of the resource, the first of equals, or the one that the user names;
 * with the row above or below it where the two share the headers. A table above it goes first, or its rows
 * would not be read. Undefined when no row names a field.
 */
export function searchHeader(
  top: readonly Row[],
  resource: Resource,
  { headerRow, names: own = [] }: HeaderWishes = {},
): HeaderRow | undefined {
  const names = namesFor(resource, own);
  const looked = top.filter(({ number }) =>
    headerRow === undefined ? number <= HEADER_SEARCH_ROWS : number === headerRow,
  );
  const read = looked.map((row) => readHeader(row, names)).filter((header) => header.fields > 0);
  const most = Math.max(0, ...read.map((header) => header.fields));
  const best = read.find((header) => header.fields === most);
  if (best === undefined) return undefined;
  const { row: at, cells } = tableAbove(best, read, top, resource) ?? best;
  const beside = (number: number): Cells =>
    top.filter((one) => one.number === number).flatMap((row) => readHeader(row, names).cells);
  // Merged cells hold their text in the upper of two rows.
  const above = added(cells, beside(at - 1));
  const whole = join(cells, above);
  const below = isHeader(whole, beside(at + 1)) ? added(whole, beside(at + 1)) : [];
  return {
    headerRow: below.length > 0 ? at + 1 : at,
    firstHeaderRow: above.length > 0 ? at - 1 : at,
    headers: join(whole, below),
    ...{ names, most },
  };
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
