import type { Writable } from 'node:stream';
import Papa from 'papaparse';
import { shownNumber } from '../../schema/codecs/shown-number.ts';
import type { Locale } from '../../schema/value.ts';
import { guarded } from '../../workbook/formula-guard.ts';
import type { WrittenRow, WrittenValue } from '../../workbook/write/written-sheet.ts';

/** How a CSV is written. */
export interface CsvOptions {
  readonly delimiter: string;
  /** How its numbers are written. */
  readonly locale: Locale;
  /** For programs: no byte order mark, and texts that begin as formulas are left as they are. */
  readonly raw: boolean;
}

/** So that Excel takes the file for UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Records of a CSV as its text, with line ends. */
export function csvText(rows: readonly WrittenRow[], options: CsvOptions): string {
  const records = rows.map((row) => row.map((value) => csvField(value, options)));
  return `${Papa.unparse(records, { delimiter: options.delimiter, newline: '\r\n' })}\r\n`;
}

/** Three decimals behind few digits read as thousands in another locale; four do not. */
const AMBIGUOUS = /^-?\d{1,3}[.,]\d{3}$/;

function csvField(value: WrittenValue, { locale, raw }: CsvOptions): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'object') return value.date;
  if (typeof value === 'number') {
    const text = shownNumber(value, undefined, locale);
    return AMBIGUOUS.test(text) ? `${text}0` : text;
  }
  // A CSV with NUL in it is no text to most programs.
  const text = value.replaceAll('\0', '\ufffd');
  return raw ? text : guarded(text);
}

/**
 * Writes text to a stream that may be slow, and waits until it was passed on; false when its reader went away or it takes no more, so
 * that there is nothing more to do. Stdout says so to whoever writes: it is never closed.
 */
export async function writeText(stream: Writable, text: string): Promise<boolean> {
  if (stream.destroyed) return false;
  return await new Promise((resolve) => {
    const closed = (): void => resolve(false);
    stream.once('close', closed);
    stream.write(text, (error) => {
      stream.off('close', closed);
      resolve(error == null);
    });
  });
}
