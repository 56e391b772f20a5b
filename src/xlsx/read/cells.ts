import { type Cell, CIRCULAR, UNCACHED } from '../../core/cell.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { isoToText, serialToText } from '../numbers-and-dates.ts';
import { isPlain, nameCodes, type XmlScanner } from '../xml/xml-scanner.ts';
import { type CellStyle, GENERAL } from './workbook-part.ts';

/** What cells are read with: shared texts, styles and date system. */
export interface CellContext {
  readonly texts: readonly string[];
  readonly styles: readonly CellStyle[];
  readonly date1904: boolean;
  /** Cells of other columns may be left out, but for one of each row. */
  readonly columns?: ReadonlySet<number> | undefined;
  /** Formulas may refer to themselves: the program calculates them again and again. */
  readonly iterates: boolean;
  /** The name of the sheet, by which its formulas may call it. */
  readonly sheet?: string;
}

/** Shown for a shared text that the file lacks. */
const LOST_TEXT = '#REF!';

/** All cells have one of two shapes, for speed. */
function cell<Type extends Cell['type']>(
  column: number,
  type: Type,
  value: Extract<Cell, { readonly type: Type }>['value'],
  { format }: CellStyle,
): Cell {
  return (format === undefined ? { column, type, value } : { column, type, value, format }) as Cell;
}

/** The cell of a number: a date if its style shows one. */
export function numberCell(column: number, value: number, style: CellStyle, date1904: boolean): Cell {
  const date = style.kind === 'number' ? undefined : serialToText(value, style.kind, date1904);
  return date === undefined ? cell(column, 'number', value, style) : cell(column, 'date', date, style);
}

/** The cell of a text; undefined for an empty one. */
export function textCell(column: number, value: string, style: CellStyle): Cell | undefined {
  return value === '' ? undefined : cell(column, 'text', value, style);
}

/** The cell of shared text `index`. */
export function sharedCell(
  column: number,
  index: number,
  style: CellStyle,
  texts: readonly string[],
): Cell | undefined {
  const text = texts[index];
  return text === undefined ? cell(column, 'error', LOST_TEXT, style) : textCell(column, text, style);
}

/** The cell of a formula whose result was never stored. */
export function uncachedCell(column: number, style: CellStyle): Cell {
  return cell(column, 'error', UNCACHED, style);
}

/** The cell of a formula that refers to itself. */
export function circularCell(column: number, style: CellStyle): Cell {
  return cell(column, 'error', CIRCULAR, style);
}

/** The cell of a value of another type (`t`) than a number. What can't be read as its type is text. */
export function otherCell(column: number, type: string, value: string, style: CellStyle): Cell | undefined {
  const word = value.trim();
  if (type === 'b' && /^(1|0|true|false)$/i.test(word))
    return cell(column, 'boolean', /^(1|true)$/i.test(word), style);
  if (type === 'e' && word !== '') return cell(column, 'error', word, style);
  const date = type === 'd' ? isoToText(word) : undefined;
  if (date === undefined) return textCell(column, value, style);
  return { column, type: 'date', ...date, ...(style.format === undefined ? {} : { format: style.format }) };
}

const ATTRIBUTE = nameCodes('r', 's');

// Written out: one function that is handed how to read would be too slow for a million cells.

/** The number of the `<row>` just opened, 0 for none. */
export function rowNumber(scanner: XmlScanner): number {
  const at = scanner.attribute(ATTRIBUTE.r);
  return at < 0 ? 0 : rowFromBytes(scanner.bytes, startOf(scanner, at), endOf(scanner, at));
}

/** Whether the `<c>` just opened says where it is. */
export function isPlaced(scanner: XmlScanner): boolean {
  return scanner.attribute(ATTRIBUTE.r) >= 0;
}

/** The column of the `<c>` just opened, 0 for none. */
export function cellColumn(scanner: XmlScanner): number {
  const at = scanner.attribute(ATTRIBUTE.r);
  return at < 0 ? 0 : columnFromBytes(scanner.bytes, startOf(scanner, at), endOf(scanner, at));
}

/** The row of the `<c>` just opened, 0 for none. */
export function cellRow(scanner: XmlScanner): number {
  const at = scanner.attribute(ATTRIBUTE.r);
  return at < 0 ? 0 : rowOfPlace(scanner.bytes, startOf(scanner, at), endOf(scanner, at));
}

/** The index of the style of the `<row>` or `<c>` just opened, NaN for none. */
export function styleIndex(scanner: XmlScanner): number {
  const at = scanner.attribute(ATTRIBUTE.s);
  return at < 0 ? Number.NaN : numberFromBytes(scanner.bytes, startOf(scanner, at), endOf(scanner, at));
}

const startOf = ({ attributeStart }: XmlScanner, at: number): number => attributeStart[at] as number;

const endOf = ({ attributeEnd }: XmlScanner, at: number): number => attributeEnd[at] as number;

function rowOfPlace(bytes: Buffer, from: number, to: number): number {
  let digits = from;
  while (digits < to && (bytes[digits] as number) > 57) digits++;
  return rowFromBytes(bytes, digits, to);
}

/** The style at an index, General if there is none. */
export function styleAt(styles: readonly CellStyle[], index: number): CellStyle {
  return styles[index] ?? GENERAL;
}

/** The column of a reference such as `AB12`, 0 for other bytes. Throws DamagedPart past the last column. */
export function columnFromBytes(bytes: Buffer, from: number, to: number): number {
  let column = 0;
  let i = from;
  for (; i < to; i++) {
    // In either case.
    const letter = ((bytes[i] as number) | 32) - 96;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
    if (column > LAST_COLUMN) throw new DamagedPart(DAMAGE.beyond);
  }
  return i === to || rowFromBytes(bytes, i, to) === 0 ? 0 : column;
}

/** A row number, 0 for other bytes. Throws DamagedPart past the last row. */
function rowFromBytes(bytes: Buffer, from: number, to: number): number {
  let row = 0;
  for (let i = from; i < to; i++) {
    const digit = (bytes[i] as number) - 48;
    if (digit < 0 || digit > 9) return 0;
    row = row * 10 + digit;
    if (row > LAST_ROW) throw new DamagedPart(DAMAGE.beyond);
  }
  return row;
}

const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/** The number in ASCII bytes, exactly as Number reads it; NaN for other bytes. */
export function numberFromBytes(bytes: Buffer, from: number, to: number): number {
  const first = bytes[from] === 45 ? from + 1 : from;
  let mantissa = 0;
  let dot = -1;
  for (let i = first; i < to; i++) {
    const digit = (bytes[i] as number) - 48;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (digit === -2 && dot < 0) dot = i;
    else return numberFromText(bytes.toString('latin1', from, to));
  }
  const digits = to - first - (dot < 0 ? 0 : 1);
  return digits === 0 ? Number.NaN : decimalFromBytes(bytes, from, to, mantissa, dot);
}

/**
 * The number in digits behind an optional minus, with a dot at `dot` (-1: none); `mantissa` is its digits. Up
 * to 15 digits, mantissa and power of ten are exact, so the quotient is rounded correctly; Number reads
 * longer ones.
 */
function decimalFromBytes(bytes: Buffer, from: number, to: number, mantissa: number, dot: number): number {
  const negative = bytes[from] === 45;
  if (to - from > 15 + (negative ? 1 : 0) + (dot < 0 ? 0 : 1))
    return Number(bytes.toString('latin1', from, to));
  const value = dot < 0 ? mantissa : mantissa / (POWERS[to - dot - 1] as number);
  return negative ? -value : value;
}

/** The number in a text, NaN for other text; unlike for Number, empty text, hex and Infinity are none. */
export function numberFromText(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
}

const QUOTE = 34;
const GT = 62;

/** Four characters as the number by which they are compared, all at once. */
const four = (characters: string): number => Buffer.from(characters, 'latin1').readUInt32LE(0);
const two = (characters: string): number => Buffer.from(characters, 'latin1').readUInt16LE(0);

const CELL = four('<c r');
const QUOTED = two('="');
const STYLE = four(' s="');
const TYPE = four(' t="');
const SHARED = two('s"');
const BLANK = two('/>');
const VALUE = four('><v>');
const VALUE_END = four('</v>');
const CELL_END = four('</c>');

/** Bytes of a tag and its marks at most: a cell nearer to the end of the bytes is not taken. */
const ROOM = 64;

/**
 * A fast path that halves the time of reading: takes the cells at the scanner's position that are written the
 * usual way, and returns the column of the last one. Those are `<c r="A1"`, perhaps with `s="2"`, then a
 * plain number, a shared text, an inline text in ASCII, or nothing. It leaves the first other or incomplete
 * cell to the scanner, which would read all of them the same.
 */
export function takePlainCells(
  scanner: XmlScanner,
  context: CellContext,
  cells: Cell[],
  lastColumn: number,
): number {
  const { bytes, view, limit } = scanner;
  const { styles, texts, date1904, columns } = context;
  let last = lastColumn;
  let at = scanner.position;
  // Bytes past the limit are old ones; a cell that reaches them is not taken.
  while (at + ROOM < limit) {
    if (view.getUint32(at, true) !== CELL || view.getUint16(at + 4, true) !== QUOTED) break;
    let i = at + 6;
    let byte = bytes[i] as number;
    let column = 0;
    while (byte >= 65 && byte <= 90 && column <= LAST_COLUMN) {
      column = column * 26 + byte - 64;
      byte = bytes[++i] as number;
    }
    if (column <= last || column > LAST_COLUMN) break;
    const digits = i;
    while (byte >= 48 && byte <= 57) byte = bytes[++i] as number;
    if (i === digits || i > digits + 6 || byte !== QUOTE) break;
    let mark = view.getUint32(++i, true);
    let style = GENERAL;
    if (mark === STYLE) {
      let index = 0;
      i += 4;
      const first = i;
      byte = bytes[i] as number;
      while (byte >= 48 && byte <= 57) {
        index = index * 10 + byte - 48;
        byte = bytes[++i] as number;
      }
      if (byte !== QUOTE || i === first || i > first + 6) break;
      style = styleAt(styles, index);
      mark = view.getUint32(++i, true);
    }
    const typed = mark === TYPE;
    if (typed) {
      if (view.getUint16(i + 4, true) !== SHARED) {
        const wanted = columns === undefined || columns.has(column) || cells.length === 0;
        const end = takeInlineText(scanner, i + 4, wanted ? cells : undefined, column, style);
        if (end < 0) break;
        last = column;
        at = end;
        continue;
      }
      i += 6;
      mark = view.getUint32(i, true);
    }
    if (mark !== VALUE) {
      if (typed || (mark & 0xffff) !== BLANK) break;
      last = column;
      at = i + 2;
      continue;
    }
    const start = i + 4;
    i = start;
    byte = bytes[i] as number;
    if (byte === 45) byte = bytes[++i] as number;
    const first = i;
    let dot = -1;
    let mantissa = 0;
    for (;;) {
      if (byte >= 48 && byte <= 57) mantissa = mantissa * 10 + byte - 48;
      else if (byte === 46 && dot < 0) dot = i;
      else break;
      byte = bytes[++i] as number;
    }
    if (i + 8 > limit || i === first || (i === first + 1 && dot === first)) break;
    if (view.getUint32(i, true) !== VALUE_END || view.getUint32(i + 4, true) !== CELL_END) break;
    last = column;
    at = i + 8;
    if (columns !== undefined && !columns.has(column) && cells.length > 0) continue;
    const value = decimalFromBytes(bytes, start, i, mantissa, dot);
    const cell = typed ? sharedCell(column, value, style, texts) : numberCell(column, value, style, date1904);
    if (cell !== undefined) cells.push(cell);
  }
  scanner.position = at;
  return last;
}

const INLINE = ['inli', 'neSt', 'r"><', 'is><'].map(four) as [number, number, number, number];
const TEXT = two('t>');
const TEXT_LENGTH = 18;
const TEXT_END = ['</t>', '</is', '></c'].map(four) as [number, number, number];
const TEXT_END_LENGTH = 13;

/** Takes an inline text in plain ASCII from its type on, or passes it over; its end, or -1 for another. */
function takeInlineText(
  { bytes, view, limit }: XmlScanner,
  from: number,
  cells: Cell[] | undefined,
  column: number,
  style: CellStyle,
): number {
  if (view.getUint32(from, true) !== INLINE[0] || view.getUint32(from + 4, true) !== INLINE[1]) return -1;
  if (view.getUint32(from + 8, true) !== INLINE[2] || view.getUint32(from + 12, true) !== INLINE[3])
    return -1;
  if (view.getUint16(from + 16, true) !== TEXT) return -1;
  const start = from + TEXT_LENGTH;
  let end = start;
  while (end < limit && isPlain(bytes[end] as number)) end++;
  const stop = end + TEXT_END_LENGTH;
  if (stop > limit || view.getUint32(end, true) !== TEXT_END[0]) return -1;
  if (view.getUint32(end + 4, true) !== TEXT_END[1] || view.getUint32(end + 8, true) !== TEXT_END[2])
    return -1;
  if (bytes[stop - 1] !== GT) return -1;
  if (cells === undefined) return stop;
  const cell = textCell(column, bytes.toString('latin1', start, end), style);
  if (cell !== undefined) cells.push(cell);
  return stop;
}
