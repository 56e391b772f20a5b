import { columnLetters, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { isBlankText } from '../../core/codecs/text.ts';
import { INPUT_MARKS, isMark, normaliseHeader, outputMark } from '../../core/header.ts';
import type { CellRange } from '../../files/sheet.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Sheet } from '../../workbook/read-workbook.ts';
import { isBlank } from './cell-sense.ts';
import { type HeaderName, namesFor, UNUSED } from './header-names.ts';
import { meantFields } from './header-words.ts';
import { isListed, ownFirst } from './listed-columns.ts';

/** One header cell: the text as typed, and what it stands for. */
export interface HeaderCell {
  readonly column: number;
  readonly header: string;
  /** The field, or the program's own column, such as `#key`; `UNUSED` where the user leaves it. */
  readonly name?: string;
  /** The user said so of this column. */
  readonly chosen?: true;
  /** The header over several columns that this one is under. */
  readonly group?: string;
  /** Its own header names it among several columns of one header: by the row below, or by its letter. */
  readonly told?: true;
}

/** A sheet's header: one row, or two where merged cells are told apart by the row below. */
export interface HeaderRow {
  /** The last of its rows; data begins below it. */
  readonly headerRow: number;
  /** The first of its rows. */
  readonly firstHeaderRow: number;
  /** Its cells, as typed. */
  readonly headers: readonly HeaderCell[];
  /** The names that they were recognised by, normalised: fields and marks, by header. */
  readonly names: ReadonlyMap<string, string>;
}

/** What the user says of the header. */
export interface HeaderWishes {
  /** The row it stands in; looked for when absent. */
  readonly headerRow?: number | undefined;
  /** Headers of the user's own. */
  readonly names?: readonly HeaderName[] | undefined;
  /** Its merged cells. */
  readonly merges?: readonly CellRange[] | undefined;
}

/** Rows in which a header is looked for: titles, addresses and logos stand above it. */
export const HEADER_SEARCH_ROWS = 60;
/** Rows read below the last one that is searched: they tell what a header there is of. */
const ROWS_BELOW = 6;
/** So many names of fields make a row the header; fewer where no row has so many. */
const ENOUGH = 3;

/** The first rows of a sheet that hold anything: those that are searched, and a few below; `whole` where it has no more. */
export async function topRows(
  sheet: Sheet,
  until = 0,
): Promise<{ readonly top: readonly Row[]; readonly whole: boolean }> {
  const last = Math.max(until, HEADER_SEARCH_ROWS) + ROWS_BELOW;
  const top: Row[] = [];
  for await (const batch of sheet.batches) {
    for (const row of batch) {
      if (row.number > last) return { top, whole: false };
      if (row.cells.length > 0) top.push(row);
    }
  }
  return { top, whole: true };
}

/** The field that a header stands for. */
export const fieldOf = ({ name }: Pick<HeaderCell, 'name'>): string | undefined =>
  name === undefined || name === UNUSED || isMark(name) ? undefined : name;

/** Whether what stands below a header is read: as a field, or as `#action` or `#key`. */
export const isRead = (cell: Pick<HeaderCell, 'name'>): boolean =>
  fieldOf(cell) !== undefined || INPUT_MARKS.some((mark) => mark === cell.name);

/** The different fields that headers name. */
export const fieldsIn = (headers: readonly HeaderCell[]): ReadonlySet<string> =>
  new Set(headers.flatMap((cell) => fieldOf(cell) ?? []));

/** A header as it is shown. */
export const shownHeader = ({ header }: Pick<HeaderCell, 'header'>): string =>
  header.replace(/\s+/g, ' ').trim();

/** How a column is named where others have its header too: `Prijs (D)`. */
const letteredHeader = (cell: Pick<HeaderCell, 'header' | 'column'>): string =>
  `${shownHeader(cell)} (${columnLetters(cell.column)})`;

/** Whether a name is that of a column: its header, or that with its letter. */
export function isHeaderOf(cell: Pick<HeaderCell, 'header' | 'column'>, name: string): boolean {
  const wanted = normaliseHeader(name);
  return wanted === normaliseHeader(cell.header) || wanted === normaliseHeader(letteredHeader(cell));
}

/** Whether a header shows anything: signs without width name no column. */
export const isFilled = ({ header }: Pick<HeaderCell, 'header'>): boolean => !isBlankText(header);

/** A header that names nothing. */
export const withoutName = ({ name: _, ...bare }: HeaderCell): HeaderCell => bare;

const readHeader = ({ cells }: Row, names: HeaderRow['names']): HeaderCell[] =>
  cells.map((cell) => headerCell(cell.column, cellText(cell), names));

function headerCell(column: number, header: string, names: HeaderRow['names']): HeaderCell {
  const told = names.get(normaliseHeader(letteredHeader({ header, column })));
  if (told !== undefined) return { column, header, name: told, told: true };
  const normal = normaliseHeader(header);
  const name = names.get(normal) ?? outputMark(normal);
  return name === undefined ? { column, header } : { column, header, name };
}

/**
 * The header of a sheet as one of a resource: the first row with enough names of its fields, else with enough words for
 * them, or the row that the user names. Undefined where no row has any, or that row has none.
 */
export function findHeader(
  top: readonly Row[],
  resource: Resource,
  wishes: HeaderWishes = {},
): HeaderRow | undefined {
  const names = namesFor(resource, wishes.names ?? []);
  const rows = rowsFor(top, wishes).map(({ number, cells }) => ({
    number,
    headers: readHeader({ number, cells }, names),
  }));
  type Read = (typeof rows)[number];
  const first = (count: (read: Read) => number): Read | undefined => {
    const counts = rows.map(count);
    const least = Math.min(ENOUGH, Math.max(1, ...counts));
    return rows.find((_, at) => (counts[at] ?? 0) >= least);
  };
  const named = first(({ headers }) => fieldsIn(headers).size);
  const isNamed = named !== undefined && fieldsIn(named.headers).size > 1;
  const isKnown = (cell: HeaderCell): boolean =>
    fieldOf(cell) !== undefined || meantFields(resource, cell.header).length > 0;
  const found = isNamed ? named : (first(({ headers }) => headers.filter(isKnown).length) ?? named);
  if (found === undefined) return undefined;
  const { number } = found;
  const below = top.filter((one) => one.number > number);
  const { headerRow, headers } = spread(number, found.headers, below, wishes, names, resource);
  return { firstHeaderRow: number, headerRow, headers: withoutIdle(headers, resource, wishes), names };
}

const rowsFor = (top: readonly Row[], { headerRow }: HeaderWishes): Row[] =>
  top.filter(({ number }) => (headerRow === undefined ? number <= HEADER_SEARCH_ROWS : number === headerRow));

/** A proposal that was taken once gives way to the field's own header, and to an export's columns. */
function withoutIdle(
  headers: readonly HeaderCell[],
  resource: Resource,
  { names = [] }: HeaderWishes,
): readonly HeaderCell[] {
  const taken = new Set(names.flatMap((one) => (one.taken === true ? normaliseHeader(one.header) : [])));
  const isTaken = ({ header }: HeaderCell): boolean => taken.has(normaliseHeader(header));
  const own = new Set(headers.flatMap((cell) => (isTaken(cell) ? [] : (fieldOf(cell) ?? []))));
  const isExport = taken.size > 0 && ownFirst(resource, headers) !== null;
  return headers.map((cell) =>
    isTaken(cell) && (own.has(cell.name ?? '') || (isExport && isListed(resource, cell.header)))
      ? withoutName(cell)
      : cell,
  );
}

/** The header of a sheet as far as it can be told: that of the resource, else the row that looks like one. */
export function anyHeader(
  top: readonly Row[],
  resource: Resource | undefined,
  wishes: HeaderWishes,
): HeaderRow | undefined {
  const found = resource && findHeader(top, resource, wishes);
  if (found !== undefined) return found;
  const rows = rowsFor(top, wishes);
  // Titles above it are shorter.
  const most = Math.max(...rows.map(textsIn));
  const row =
    wishes.headerRow === undefined ? rows.find((one) => most > 0 && textsIn(one) * 3 >= most * 2) : rows[0];
  if (row === undefined) return undefined;
  const names = resource === undefined ? new Map<string, string>() : namesFor(resource, wishes.names ?? []);
  return { headerRow: row.number, firstHeaderRow: row.number, headers: readHeader(row, names), names };
}

/** The texts of a row of mostly texts. */
function textsIn({ cells }: Row): number {
  const texts = cells.filter((cell) => cell.type === 'text' && !isBlank(cell)).length;
  return texts * 2 > cells.length ? texts : 0;
}

/** A text that begins as a number, as no title or header does. */
export const VALUE = /^\s*[+-]?[€$£]?\s*\d/;

/**
 * A row of headers of which merged cells are over several columns: each column that holds anything has that header,
 * told apart by the words right below it. `below` are the rows below.
 */
function spread(
  row: number,
  headers: readonly HeaderCell[],
  below: readonly Row[],
  { merges = [] }: HeaderWishes,
  names: HeaderRow['names'],
  { fields }: Resource,
): Pick<HeaderRow, 'headerRow' | 'headers'> {
  // Where the cells below are merged too, it is one column.
  const wide = merges.filter(({ left, right }) => right > left);
  const over = wide.filter(
    (one) => one.top === row && !wide.some((next) => next.top === row + 1 && next.left === one.left),
  );
  // A word below a field that takes any may be a record's.
  const isPart = (cell: HeaderCell): boolean => {
    const merge = over.find(({ left, right }) => cell.column >= left && cell.column <= right);
    const { codec, lookup } = fields[headers.find(({ column }) => column === merge?.left)?.name ?? ''] ?? {};
    const takesWords = codec?.type === 'text' || lookup !== undefined;
    return merge !== undefined && (cell.name !== undefined || (!takesWords && !VALUE.test(cell.header)));
  };
  const words = below
    .filter(({ number }) => number === row + 1)
    .flatMap((one) => readHeader(one, names))
    .filter(isFilled);
  const isTold = words.length > 0 && words.every(isPart);
  const holds = (column: number): boolean =>
    below.some(({ cells }) => cells.some((cell) => cell.column === column && !isBlank(cell)));
  const all = headers.filter(isFilled).flatMap((cell): HeaderCell[] => {
    const { left, right } = over.find((one) => one.left === cell.column) ?? { left: 0, right: -1 };
    const columns = Array.from({ length: right - left + 1 }, (_, at) => left + at).filter(holds);
    if (columns.length < 2) return [{ ...cell, column: columns[0] ?? cell.column }];
    return columns.map((column) => {
      const part = isTold ? words.find((one) => one.column === column) : undefined;
      return partOf(cell, column, part, names);
    });
  });
  // A column that is told apart by its own header is the only one of its field.
  const told = new Set(all.flatMap((cell) => (cell.told === true ? (cell.name ?? []) : [])));
  return {
    headerRow: isTold ? row + 1 : row,
    headers: all.map((cell) => (cell.told !== true && told.has(cell.name ?? '') ? withoutName(cell) : cell)),
  };
}

/** One of the columns that a header is over; it has the name of that, unless it has one of its own. */
function partOf(
  { told: _, ...group }: HeaderCell,
  column: number,
  part: HeaderCell | undefined,
  names: HeaderRow['names'],
): HeaderCell {
  const told = { group: group.header, told: true } as const;
  if (part?.name !== undefined) return { ...part, ...told };
  const header = part === undefined ? group.header : `${group.header} ${part.header.trim()}`;
  const own = headerCell(column, header, names);
  if (part !== undefined && own.name !== undefined) return { ...own, ...told };
  return { ...group, ...own, group: group.header };
}
