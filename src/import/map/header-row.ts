import { columnLetters, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { isBlankText } from '../../core/codecs/text.ts';
import { INPUT_MARKS, normaliseHeader, OUTPUT_MARKS, outputMark } from '../../core/header.ts';
import type { WideMerge } from '../../files/sheet.ts';
import type { Resource } from '../../schema/resource.ts';
import { isReadable } from './cell-sense.ts';
import { type HeaderName, namesFor } from './header-names.ts';

/** One header cell: the text as typed, and the field or the program's mark that it stands for. */
export interface HeaderCell {
  readonly column: number;
  readonly header: string;
  readonly field?: string;
  readonly mark?: string;
  /** The user said what it is; not used where it has neither field nor mark. */
  readonly chosen?: true;
  /** The header over several columns that this one is under. */
  readonly group?: string;
  /** Its own header names it among several columns of one header: by the row below, or by its letter. */
  readonly told?: true;
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
  /** Cells that are merged over several columns. */
  readonly wide?: readonly WideMerge[] | undefined;
  /** Columns that hold no value of the header over several that they stand under: they are none of its own. */
  readonly hollow?: ReadonlySet<number> | undefined;
}

/** A row as a header, and how many different fields it names. */
interface ReadHeader {
  readonly row: number;
  readonly cells: readonly HeaderCell[];
  readonly fields: number;
}

/** How a column is named where others have its header too: `Prijs (D)`. */
export const letteredHeader = ({ header, column }: Pick<HeaderCell, 'header' | 'column'>): string =>
  `${header.replace(/\s+/g, ' ').trim()} (${columnLetters(column)})`;

/** Whether a name is that of a column: its header, or that with its letter. */
export function isHeaderOf(cell: Pick<HeaderCell, 'header' | 'column'>, name: string): boolean {
  const wanted = normaliseHeader(name);
  return wanted === normaliseHeader(cell.header) || wanted === normaliseHeader(letteredHeader(cell));
}

/** Reads a row as a header. */
export function readHeader(row: Row, names: HeaderRow['names']): ReadHeader {
  const cells = row.cells.map((cell) => headerCell(cell.column, cellText(cell), names));
  return { row: row.number, cells, fields: new Set(cells.flatMap(({ field }) => field ?? [])).size };
}

function headerCell(column: number, header: string, names: HeaderRow['names']): HeaderCell {
  const normal = normaliseHeader(header);
  const told = names.get(normaliseHeader(letteredHeader({ header, column })));
  const name = told ?? names.get(normal) ?? outputMark(normal) ?? normal;
  const own = told === undefined ? { column, header } : { column, header, told: true as const };
  if (INPUT.has(name) || OUTPUT.has(name)) return { ...own, mark: name };
  return told !== undefined || names.has(normal) ? { ...own, field: name } : own;
}

/**
 * The row that names the most fields of the resource, the first of equals, or the one that the user names;
 * with the row above or below it where the two share the headers. A table above it goes first, or its rows
 * would not be read. Undefined when no row names a field.
 */
export function searchHeader(
  top: readonly Row[],
  resource: Resource,
  { headerRow, names: given = [], wide = [], hollow = new Set() }: HeaderWishes = {},
): HeaderRow | undefined {
  const names = namesFor(resource, given);
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
  const over = (row: number): readonly WideMerge[] => wide.filter((one) => one.row === row);
  // Merged cells hold their text in the upper of two rows.
  const above = added(cells, beside(at - 1));
  const whole = join(cells, spread(above, cells, over(at - 1), names, hollow));
  const lower = beside(at + 1);
  const isRecord = lower.some((cell) => isValueOf(cell, whole, resource));
  const under = !isRecord && isUnder(whole, lower) ? lower : [];
  const parts = spread(whole, under, over(at), names, hollow);
  const own = new Set(whole.filter(isFilled).map(({ column }) => column));
  const isParted = parts.some(({ column }) => !own.has(column)) && under.length > 0;
  const below = isHeader(whole, lower) ? added(whole, lower) : [];
  const empty = whole.filter((cell) => !isFilled(cell));
  const headers = settleTwins(join(join(empty, parts), below));
  return {
    headerRow: below.length > 0 || isParted ? at + 1 : at,
    firstHeaderRow: above.length > 0 ? at - 1 : at,
    headers,
    names: headers.some(({ told }) => told === true) ? unambiguous(names, headers) : names,
    most,
  };
}

const isNamed = (cell: HeaderCell | undefined): cell is HeaderCell =>
  cell !== undefined && nameOf(cell) !== undefined;

/** Whether a header shows anything: signs without width name no column. */
export const isFilled = ({ header }: Pick<HeaderCell, 'header'>): boolean => !isBlankText(header);

/**
 * The headers that are over several columns, each of them as a header of its own: `Verkoopprijs excl. btw`
 * where the row below tells them apart. Cells are merged, or the row below fills the columns from a header's
 * own on that have none. A column that holds nothing, as where the cells of each row are merged too, is none of
 * them, and so is one of remarks.
 */
function spread(
  header: Cells,
  lower: Cells,
  merges: readonly WideMerge[],
  names: HeaderRow['names'],
  hollow: ReadonlySet<number>,
): HeaderCell[] {
  const texts = new Map(lower.filter(isFilled).map((cell) => [cell.column, cell]));
  return header.filter(isFilled).flatMap((cell, place, filled) => {
    const { told: _, ...plain } = cell;
    const { column, header: group } = cell;
    let last = merges.find(({ from }) => from === column)?.to ?? column;
    // Up to the next header.
    const room = (filled[place + 1]?.column ?? Number.POSITIVE_INFINITY) - 1;
    const isPart = (at: number): boolean =>
      at <= room && texts.has(at) && [undefined, nameOf(cell)].includes(nameOf(texts.get(at) ?? cell));
    if (texts.has(column)) while (isPart(last + 1)) last++;
    last = Math.min(last, room);
    if (last === column) return [cell];
    const columns = Array.from({ length: last - column + 1 }, (_, at) => column + at);
    const [only = column, ...others] = columns.filter((at) => !hollow.has(at));
    return columns.flatMap((at): HeaderCell | HeaderCell[] => {
      const part = texts.get(at);
      if (at === only && others.length === 0) return { ...cell, column: at };
      if (hollow.has(at)) return part ?? [];
      const text = part === undefined ? group : `${group} ${part.header.trim()}`;
      if (isNamed(part)) return nameOf(part) === nameOf(cell) ? { ...part, told: true } : part;
      const own = headerCell(at, text, names);
      if (part !== undefined && isNamed(own)) return { ...own, group, told: true };
      return { ...plain, ...own, group };
    });
  });
}

/** Whether a row tells apart the columns of headers over several: words, in these columns alone. */
function isUnder(header: Cells, lower: Cells): boolean {
  const own = new Set(header.filter(isFilled).map(({ column }) => column));
  const filled = lower.filter(isFilled);
  const columns = new Set(filled.map(({ column }) => column));
  const isPart = (column: number): boolean => columns.has(column) && !own.has(column);
  return (
    filled.length > 0 &&
    filled.every(({ column, header: text }) => {
      if (VALUE.test(text)) return false;
      if (own.has(column)) return isPart(column + 1);
      return own.has(column - 1) ? columns.has(column - 1) : isPart(column - 1);
    })
  );
}

/** Whether what stands below a header is a value of its field, as a text is of one that takes any. */
function isValueOf({ column, header: value }: HeaderCell, header: Cells, { fields }: Resource): boolean {
  const field = fields[header.find((cell) => cell.column === column)?.field ?? ''];
  if (field === undefined || isBlankText(value)) return false;
  if (field.codec.type === 'text' || field.lookup !== undefined) return true;
  return isReadable({ column, type: 'text', value }, field);
}

/** A text that begins as a number, as no title or header does. */
export const VALUE = /^\s*[+-]?[€$£]?\s*\d/;

/** A column that is told apart by its own header is the only one of its field. */
function settleTwins(headers: Cells): Cells {
  const told = new Set(headers.flatMap((cell) => (cell.told === true ? (nameOf(cell) ?? []) : [])));
  if (told.size === 0) return headers;
  return headers.map((cell) => {
    const { field: _, mark: __, ...bare } = cell;
    return cell.told !== true && told.has(nameOf(cell) ?? '') ? bare : cell;
  });
}

/** The names of a header that stands there once more below: one with two meanings tells nothing. */
export function unambiguous(known: HeaderRow['names'], headers: Cells): HeaderRow['names'] {
  const names = new Map(known);
  const meanings = new Map<string, Set<string | undefined>>();
  for (const cell of headers) {
    const text = normaliseHeader(cell.header);
    if (text !== '') meanings.set(text, (meanings.get(text) ?? new Set()).add(nameOf(cell)));
  }
  for (const [text, [meaning, ...others]] of meanings) {
    if (meaning !== undefined && others.length === 0) names.set(text, meaning);
    else names.delete(text);
  }
  return names;
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
    return name === undefined || name === nameOf(cell) || !isFilled(cell);
  });
}

function join(header: Cells, more: Cells): Cells {
  const columns = new Set(more.map(({ column }) => column));
  return [...header.filter(({ column }) => !columns.has(column)), ...more].sort(
    (one, other) => one.column - other.column,
  );
}
