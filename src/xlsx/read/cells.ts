import { type Cell, CIRCULAR, UNCACHED } from '../../core/cell.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { isoToText, serialToText } from '../serial-date.ts';
import { nameCodes, type XmlScanner } from '../xml/xml-scanner.ts';
import { type CellStyle, GENERAL } from './styles.ts';

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
    if (column > LAST_COLUMN) throw new DamagedPart(DAMAGE.columnBeyond);
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
    if (row > LAST_ROW) throw new DamagedPart(DAMAGE.rowBeyond);
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
export function decimalFromBytes(
  bytes: Buffer,
  from: number,
  to: number,
  mantissa: number,
  dot: number,
): number {
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
