import { type Cell, UNCACHED } from '../../core/cell.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { isoToText, serialToText } from '../serial-date.ts';
import { type CellStyle, GENERAL } from './styles.ts';

/** What the cells of a workbook are read by. */
export interface CellContext {
  readonly texts: readonly string[];
  readonly styles: readonly CellStyle[];
  readonly date1904: boolean;
}

/** A reference to a shared text that the file doesn't hold, shown as the error Excel itself would make of lost content. */
const LOST_TEXT = '#REF!';

/** A number as a cell: a date where its style shows one. Cells come in two shapes only, with and without a format, for speed. */
export function numberCell(column: number, value: number, style: CellStyle, date1904: boolean): Cell {
  const { format, kind } = style;
  if (format === undefined) return { column, type: 'number', value };
  const date = kind === 'number' ? undefined : serialToText(value, kind, date1904);
  return date === undefined
    ? { column, type: 'number', value, format }
    : { column, type: 'date', value: date, format };
}

/** Text as a cell; empty text is a blank cell. */
export function textCell(column: number, value: string, style: CellStyle): Cell | undefined {
  if (value === '') return undefined;
  const { format } = style;
  return format === undefined ? { column, type: 'text', value } : { column, type: 'text', value, format };
}

/** The cell that names shared text number `index`. */
export function sharedCell(
  column: number,
  index: number,
  style: CellStyle,
  texts: readonly string[],
): Cell | undefined {
  const text = texts[index];
  return text === undefined ? errorCell(column, LOST_TEXT, style) : textCell(column, text, style);
}

/** A formula whose result was never stored. */
export function uncachedCell(column: number, style: CellStyle): Cell {
  return errorCell(column, UNCACHED, style);
}

/** The cell of a value that is not a number, by the type it was stored with (`t`). What can't be read as its type stays text. */
export function otherCell(column: number, type: string, value: string, style: CellStyle): Cell | undefined {
  const word = value.trim();
  if (type === 'b' && /^(1|0|true|false)$/i.test(word))
    return booleanCell(column, /^(1|true)$/i.test(word), style);
  if (type === 'e' && word !== '') return errorCell(column, word, style);
  const date = type === 'd' ? isoToText(word) : undefined;
  if (date === undefined) return textCell(column, value, style);
  const { format } = style;
  return format === undefined ? { column, type: 'date', ...date } : { column, type: 'date', ...date, format };
}

function booleanCell(column: number, value: boolean, style: CellStyle): Cell {
  const { format } = style;
  return format === undefined
    ? { column, type: 'boolean', value }
    : { column, type: 'boolean', value, format };
}

function errorCell(column: number, value: string, style: CellStyle): Cell {
  const { format } = style;
  return format === undefined ? { column, type: 'error', value } : { column, type: 'error', value, format };
}

/** The style a cell names, General where the workbook has no such style. */
export function styleAt(styles: readonly CellStyle[], index: number): CellStyle {
  return styles[index] ?? GENERAL;
}

/** The column of a reference such as `AB12`, 0 when the bytes are no reference. Throws DamagedPart past the last column. */
export function columnFromBytes(bytes: Buffer, from: number, to: number): number {
  let column = 0;
  let i = from;
  for (; i < to; i++) {
    // Upper case or lower.
    const letter = ((bytes[i] as number) | 32) - 96;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
    if (column > LAST_COLUMN) throw new DamagedPart(DAMAGE.columnBeyond);
  }
  return i === to || rowFromBytes(bytes, i, to) === 0 ? 0 : column;
}

/** A row number, 0 when the bytes are none. Throws DamagedPart past the last row. */
export function rowFromBytes(bytes: Buffer, from: number, to: number): number {
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

/**
 * The number that ASCII bytes spell, exactly as JavaScript's Number reads them, NaN when they spell none.
 */
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
 * The number of bytes that are digits, perhaps with a minus before and a dot at `dot` (-1: none) among them; `mantissa` is what the digits
 * make without the dot. Up to 15 digits, the common case, both it and the power of ten are exact, so their quotient is rounded once, as it
 * should be; more are left to Number.
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

/** The number a text spells, NaN when it spells none; unlike Number, an empty text spells none, and neither do hex and Infinity. */
export function numberFromText(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
}
