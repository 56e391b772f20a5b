import type { Cell } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { parseIso } from '../../core/codecs/datetime.ts';
import { isNullWord } from '../../core/codecs/plain-text.ts';
import { ISSUES } from '../../core/issue-catalogue.ts';
import type { Language } from '../../core/language.ts';
import { BOOLEAN_WORDS } from '../../core/row-text.ts';
import type { Locale, Value } from '../../core/value.ts';
import { visibleControls } from '../../core/visible-text.ts';
import { sameValue } from '../../records/existing-record.ts';
import type { ColumnType, ExportColumn } from '../../records/listing.ts';
import { LONGEST_TEXT } from '../../xlsx/excel-text.ts';
import type { WrittenValue } from '../../xlsx/write/written-book.ts';
import { isBlank, isClear, isName, isOrdinary, noValue } from './cell-sense.ts';
import { checkOf } from './sheet-mapping.ts';

/** The largest number of 15 digits: spreadsheet programs keep no more. */
export const LARGEST_EXACT_NUMBER = 999_999_999_999_999;

/** Programs disagree on the days of 1900 before this one, and know none before them. */
const FIRST_DAY = '1900-03-01';

/** A moment as the service writes it; a text without seconds may be anything. */
const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/;

/** In a column of days. */
const MIDNIGHT = ' 00:00:00';

const FLAGS: readonly string[] = Object.values(BOOLEAN_WORDS).flat();

/** A record's value as a cell; one that is not of the column's type is written as it came. */
export function encodeCell(value: unknown, type: ColumnType, language: Language): WrittenValue {
  if (value === null || value === undefined || value === '') return null;
  switch (typeof value) {
    case 'number':
      // A longer id as a number would lose its last digits.
      return Number.isSafeInteger(value) && Math.abs(value) > LARGEST_EXACT_NUMBER
        ? String(value)
        : value + 0;
    case 'boolean':
      return BOOLEAN_WORDS[language][value ? 0 : 1];
    case 'string':
      if (type === 'day') return encodeMoment(value, MIDNIGHT);
      return type === 'datetime' || (type === 'unknown' && MOMENT.test(value)) ? encodeMoment(value) : value;
    default:
      return JSON.stringify(value);
  }
}

/** `unsaid`: a time that is left out. */
function encodeMoment(text: string, unsaid = ''): WrittenValue {
  const moment = parseIso(text);
  if (moment === undefined || moment < FIRST_DAY) return text;
  return { date: unsaid !== '' && moment.endsWith(unsaid) ? moment.slice(0, -unsaid.length) : moment };
}

/**
 * Why a cell does not give import the record's value: it is too long, import refuses it, or would misread it;
 * or why it shows another: control characters, which a CSV has pictures for.
 */
export type CellLoss = 'too-long' | 'refused' | 'misread' | 'controls';

/** How cells are written. */
export interface CellOptions {
  readonly language: Language;
  /** How an import reads the numbers of a CSV. */
  readonly locale: Locale;
  readonly csv: boolean;
}

/** Invisible, and left out by import: it makes `#CLEAR` in a record's text a text like any other. */
const WORD_JOINER = '\u2060';

/**
 * A value as a cell that an import reads as that value again. Where there is none `lost` is told why: a value
 * that import refuses is written as it came, one that is too long or would be misread is left out.
 */
export function safeCell(
  value: unknown,
  column: ExportColumn,
  options: CellOptions,
  lost: (why: CellLoss) => void,
): WrittenValue {
  const cell = encodeCell(value, column.type, options.language);
  if (cell === null) return null;
  if (typeof cell === 'string' && cell.length > LONGEST_TEXT && !options.csv) {
    lost('too-long');
    return null;
  }
  if (typeof cell === 'string' && options.csv && visibleControls(cell) !== cell) lost('controls');
  if (!column.imported || isPlain(cell, column)) return cell;
  const lossOf = (one: NonNullable<WrittenValue>): CellLoss | null =>
    lossIn(asRead(one, options.csv), value as Value, column, options.locale);
  const loss = lossOf(cell);
  if (loss === null) return cell;
  // An id of 0 stands for none.
  if (value === 0 && column.type === 'integer') return null;
  const joined = `${WORD_JOINER}${cell}`;
  if (typeof cell === 'string' && column.type === 'text' && lossOf(joined) === null) return joined;
  lost(loss);
  return loss === 'refused' ? cell : null;
}

/** What import loses in a cell written for a value; null where it reads that value. */
function lossIn(cell: Cell, value: Value, { header, field }: ExportColumn, locale: Locale): CellLoss | null {
  // A cell that shows nothing leaves the field alone.
  if (field === null || isBlank(cell)) return null;
  if (noValue(cell) !== undefined) return 'refused';
  if (cell.type === 'text' && isClear(cell.value)) return 'misread';
  if (field.lookup !== undefined && isName(cell)) return 'misread';
  const decoded = field.codec.decode(cell, locale);
  if (!decoded.ok) return 'refused';
  if (!sameValue(value, decoded.value)) return 'misread';
  const finding = checkOf(header, field)?.(decoded.value);
  return finding !== undefined && ISSUES[finding.code].severity === 'error' ? 'refused' : null;
}

/** A quick look: nearly all cells certainly read as what they are. */
function isPlain(cell: WrittenValue, { header, type }: ExportColumn): boolean {
  if (typeof cell === 'number') {
    if (type === 'decimal' || type === 'money') return Number.isFinite(cell);
    if (type !== 'integer' || !Number.isInteger(cell) || Math.abs(cell) > LARGEST_EXACT_NUMBER) return false;
    return cell > 0 || !header.endsWith('ID');
  }
  if (typeof cell === 'boolean') return type === 'boolean';
  if (typeof cell !== 'string') return false;
  if (type === 'boolean') return FLAGS.includes(cell);
  return type === 'text' && isOrdinary(cell) && !isNullWord(cell.trim());
}

/** The text of a workbook's cell, as its reader gives it. */
export const textRead = (value: WrittenValue): string =>
  value === null ? '' : cellText(asRead(value, false));

/** The cell as a workbook's reader gives it. */
function asRead(value: NonNullable<WrittenValue>, csv: boolean): Cell {
  if (typeof value === 'string') return { column: 1, type: 'text', value };
  if (typeof value === 'object') return { column: 1, type: csv ? 'text' : 'date', value: value.date };
  if (typeof value === 'boolean') return { column: 1, type: 'boolean', value };
  return { column: 1, type: 'number', value };
}
