import { type Cell, UNCACHED } from '../schema/cell.ts';
import { isoToText, serialToText } from './serial-date.ts';
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
