import { parseIso } from '../../schema/codecs/datetime.ts';
import type { Language } from '../../schema/value.ts';
import type { WrittenValue } from '../../workbook/write/written-sheet.ts';
import { BOOLEAN_WORDS } from '../template/cell-type.ts';
import type { ColumnType } from './export-columns.ts';

/** The largest number of the 15 digits that spreadsheet programs keep and show. */
export const KEPT = 999_999_999_999_999;

/** Programs disagree on the days of 1900 before this one, and know none before them. */
const FIRST_DAY = '1900-03-01';

/** A moment as the service writes it, with seconds: other texts that look like a day may be anything. */
const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/;

/** A value of a record as a cell of its column. What is not of the column's type is written as it came. */
export function encodeCell(value: unknown, type: ColumnType, language: Language): WrittenValue {
  if (value === null || value === undefined || value === '') return null;
  switch (typeof value) {
    case 'number':
      return encodeNumber(value);
    case 'boolean':
      return language === 'en' ? value : BOOLEAN_WORDS.nl[value ? 0 : 1];
    case 'string':
      return type === 'datetime' || (type === 'unknown' && MOMENT.test(value)) ? encodeMoment(value) : value;
    default:
      return JSON.stringify(value);
  }
}

function encodeNumber(value: number): WrittenValue {
  // A longer id would show, and be typed over, with zeros at its end.
  return Number.isSafeInteger(value) && Math.abs(value) > KEPT ? String(value) : value + 0;
}

function encodeMoment(text: string): WrittenValue {
  const moment = parseIso(text);
  return moment === undefined || moment < FIRST_DAY ? text : { date: moment };
}
