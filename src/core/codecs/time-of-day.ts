import type { Cell } from '../cell.ts';
import { type Codec, type DecodedCell, decoded, finding, undecodable } from '../codec.ts';
import { type Bilingual, t } from '../language.ts';
import { parseTime } from './date-text.ts';
import { datetimeCodec } from './datetime.ts';
import { showTime } from './moment.ts';
import { plainText } from './plain-text.ts';

const TIME = /^(?:([01]\d|2[0-3]):[0-5]\d:[0-5]\d|24:00:00)$/;

/** Whether a value is a time alone, `hh:mm:ss` up to 24:00:00, that still needs its day. */
export function isTimeOfDay(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value);
}

/**
 * Days that spreadsheet programs and databases store with a time that has none; 1904 is where Excel for the
 * Mac counts from.
 */
const NO_DAY = /^(?:1899-12-3[01]|1900-01-\d\d|1904-01-01)[T ]/;
/** A format for hours that may go past 24. */
const ELAPSED = /\[h+\]/i;
const DAY = 86_400;
/** Numbers from here on are days, or the digits of a date. */
const DAYS_FROM = 30_000;

const WRITE_TIME: Bilingual = t(
  'write the time with a colon, such as 14:30',
  'schrijf de tijd met een dubbele punt, zoals 14:30',
);

/** A time as a fraction of a day, as Excel stores it; with a warning where the cell shows a number. */
function decodeFraction(value: number, format: string | undefined): DecodedCell<string> {
  const elapsed = format !== undefined && ELAPSED.test(format);
  if (!(value >= 0 && (value < 1 || (value === 1 && elapsed))))
    return undecodable('time-expected', String(value), WRITE_TIME);
  const seconds = Math.round(value * DAY);
  const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const time = showTime({ hour, minute, second, millisecond: 0 });
  return decoded(time, elapsed ? undefined : finding('time-written-oddly', String(value), time.slice(0, 5)));
}

/** A cell that shows a time; undefined for any other. */
function decodeTime(cell: Cell): DecodedCell<string> | undefined {
  if (cell.type !== 'date' && cell.type !== 'text') return undefined;
  const plain = cell.type === 'date' ? cell.value : plainText(cell.value);
  const dayless = NO_DAY.exec(plain);
  const time = parseTime(dayless === null ? plain : plain.slice(dayless[0].length));
  if (time === undefined) return undefined;
  const value = showTime(time);
  const shown = value.slice(0, 5);
  if (cell.type === 'date' && cell.zone !== undefined)
    return decoded(value, finding('date-zone', cell.value + cell.zone, shown));
  const odd = dayless !== null && cell.type === 'date' && plain.startsWith('1900');
  return decoded(value, odd ? finding('time-written-oddly', cell.value, shown) : undefined);
}

/**
 * A datetime whose cell may hold a time alone: `hh:mm:ss`, which is never sent; the row's day is put before
 * it.
 */
export const timeOfDayCodec: Codec<string> = {
  ...datetimeCodec,
  decode(cell, locale, orders) {
    if (cell.type === 'number' && cell.value < DAYS_FROM) return decodeFraction(cell.value, cell.format);
    const time = decodeTime(cell);
    if (time !== undefined) return time;
    const moment = datetimeCodec.decode(cell, locale, orders);
    if (moment.ok || moment.finding.code !== 'date-expected') return moment;
    return { ok: false, finding: { ...moment.finding, code: 'time-expected' } };
  },
};
