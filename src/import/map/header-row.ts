import { columnLetters, type Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { isBlankText } from '../../core/codecs/text.ts';
import { INPUT_MARKS, normaliseHeader, OUTPUT_MARKS, outputMark } from '../../core/header.ts';
import type { CellRange } from '../../files/sheet.ts';
import type { Resource } from '../../schema/resource.ts';
import { isBlank } from './cell-sense.ts';
import type { HeaderName } from './header-names.ts';

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

/** The different fields that headers name. */
export const fieldsIn = (headers: readonly HeaderCell[]): ReadonlySet<string> =>
  new Set(headers.flatMap(({ field }) => field ?? []));

/** How a column is named where others have its header too: `Prijs (D)`. */
export const letteredHeader = ({ header, column }: Pick<HeaderCell, 'header' | 'column'>): string =>
  `${header.replace(/\s+/g, ' ').trim()} (${columnLetters(column)})`;

/** Whether a name is that of a column: its header, or that with its letter. */
export function isHeaderOf(cell: Pick<HeaderCell, 'header' | 'column'>, name: string): boolean {
  const wanted = normaliseHeader(name);
  return wanted === normaliseHeader(cell.header) || wanted === normaliseHeader(letteredHeader(cell));
}

/** The field or mark that a header names. */
export const nameOf = ({ field, mark }: HeaderCell): string | undefined => field ?? mark;

/** Whether a header shows anything: signs without width name no column. */
export const isFilled = ({ header }: Pick<HeaderCell, 'header'>): boolean => !isBlankText(header);

/** Reads a row as a header. */
export const readHeader = ({ cells }: Row, names: HeaderRow['names']): HeaderCell[] =>
  cells.map((cell) => headerCell(cell.column, cellText(cell), names));

function headerCell(column: number, header: string, names: HeaderRow['names']): HeaderCell {
  const normal = normaliseHeader(header);
  const told = names.get(normaliseHeader(letteredHeader({ header, column })));
  const name = told ?? names.get(normal) ?? outputMark(normal) ?? normal;
  const own = told === undefined ? { column, header } : { column, header, told: true as const };
  if (INPUT.has(name) || OUTPUT.has(name)) return { ...own, mark: name };
  return told !== undefined || names.has(normal) ? { ...own, field: name } : own;
}

/** A text that begins as a number, as no title or header does. */
export const VALUE = /^\s*[+-]?[€$£]?\s*\d/;

/**
 * A row of headers of which merged cells are over several columns: each column that holds anything has that header,
 * told apart by the words right below it. `below` are the rows below.
 */
export function spread(
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
    const { field = '' } = headers.find(({ column }) => column === merge?.left) ?? {};
    const { codec, lookup } = fields[field] ?? {};
    const takesWords = codec?.type === 'text' || lookup !== undefined;
    return merge !== undefined && (nameOf(cell) !== undefined || (!takesWords && !VALUE.test(cell.header)));
  };
  const lower = below.filter(({ number }) => number === row + 1).flatMap((one) => readHeader(one, names));
  const words = lower.filter(isFilled);
  const isTold = words.length > 0 && words.every(isPart);
  const parts = new Map((isTold ? words : []).map((cell) => [cell.column, cell]));
  const holds = (column: number): boolean =>
    below.some(({ cells }) => cells.some((cell) => cell.column === column && !isBlank(cell)));
  const all = headers.filter(isFilled).flatMap((cell): HeaderCell[] => {
    const { left, right } = over.find((one) => one.left === cell.column) ?? { left: 0, right: -1 };
    const columns = Array.from({ length: right - left + 1 }, (_, at) => left + at).filter(holds);
    if (columns.length < 2) return [{ ...cell, column: columns[0] ?? cell.column }];
    return columns.map((column) => partOf(cell, column, parts.get(column), names));
  });
  return { headerRow: isTold ? row + 1 : row, headers: settleTwins(all) };
}

/** One of the columns that a header is over; it has the name of that, unless it has one of its own. */
function partOf(
  { told: _, ...group }: HeaderCell,
  column: number,
  part: HeaderCell | undefined,
  names: HeaderRow['names'],
): HeaderCell {
  const told = { group: group.header, told: true } as const;
  if (part !== undefined && nameOf(part) !== undefined) return { ...part, ...told };
  const header = part === undefined ? group.header : `${group.header} ${part.header.trim()}`;
  const own = headerCell(column, header, names);
  if (part !== undefined && nameOf(own) !== undefined) return { ...own, ...told };
  return { ...group, ...own, group: group.header };
}

/** A column that is told apart by its own header is the only one of its field. */
function settleTwins(headers: readonly HeaderCell[]): readonly HeaderCell[] {
  const told = new Set(headers.flatMap((cell) => (cell.told === true ? (nameOf(cell) ?? []) : [])));
  return headers.map((cell) =>
    cell.told !== true && told.has(nameOf(cell) ?? '') ? withoutName(cell) : cell,
  );
}

/** A header that names nothing. */
export const withoutName = ({ field: _, mark: __, ...bare }: HeaderCell): HeaderCell => bare;
