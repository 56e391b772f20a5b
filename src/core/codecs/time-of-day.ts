import type { Cell } from '../cell.ts';
import { type Codec, type DecodedCell, decoded, finding, undecodable } from '../codec.ts';
import type { Finding } from '../issue.ts';
import { type Bilingual, t } from '../language.ts';
import type { Locale } from '../value.ts';
import { datetimeCodec, decodeMoment, MIDNIGHT, parseTime, showTime } from './datetime.ts';
import { elapsedText } from './decimal.ts';
import { plainText } from './plain-text.ts';
import { shownDate } from './shown-cell.ts';

const TIME = /^(?:[0-3]\d|4[0-7]):[0-5]\d:[0-5]\d$/;

/** The end of a day, as people write it; what is later is on the next day. */
export const DAY_END = '24:00:00';

/**
 * Whether a value is a time alone, `hh:mm:ss` before 48:00:00, that still needs its day. From 24:00:00 on it
 * is on the next one.
 */
export function isTimeOfDay(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value);
}

/**
 * Days that spreadsheet programs and databases store with a time that has none; 1904 is where Excel for the
 * Mac counts from.
 */
const NO_DAY = /^(?:1899-12-3[01]|1900-01-\d\d|1904-01-0[12])(?:[T ]|$)/;
/** A format for hours that may go past 24. */
const ELAPSED = /\[h+\]/i;
const DAY = 86_400;
/** Numbers from here on are days, or the digits of a date. */
const DAYS_FROM = 30_000;

const WRITE_TIME: Bilingual = t(
  'write the time with a colon, such as 14:30',
  'schrijf de tijd met een dubbele punt, zoals 14:30',
);

const BEGIN: Bilingual = t(
  '24:00 is the end of a day; a begin at midnight is 0:00 of the next day',
  '24:00 is het einde van een dag; een begin om middernacht is 0:00 op de volgende dag',
);

/** A number of seconds as a time, also past 24:00. */
function timeText(seconds: number): string {
  const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return showTime({ hour, minute, second, millisecond: 0 });
}

/** A time as a fraction of a day, as Excel stores it; with a warning where the cell shows a number. */
function decodeFraction(value: number, format: string | undefined, isEnd: boolean): DecodedCell<string> {
  const elapsed = format !== undefined && ELAPSED.test(format);
  const seconds = Math.round(value * DAY);
  const beyond = elapsed && isEnd ? 2 * DAY : DAY;
  if (!(value >= 0 && seconds < beyond))
    return undecodable('time-expected', String(value), elapsed && seconds === DAY ? BEGIN : WRITE_TIME);
  const time = timeText(seconds);
  return decoded(time, elapsed ? undefined : finding('time-written-oddly', String(value), time.slice(0, 5)));
}

/** A format that shows no day. */
const showsTime = (format = ''): boolean => !/[dy]|^$/i.test(format.replace(/"[^"]*"?|\\.|\[[^\]]*\]/g, ''));

/** The warning on a time that is stored with a day, which its cell may not show. */
function withDay(cell: Cell, locale: Locale, time: string): Finding {
  const [year, shown] = [String(cell.value).slice(0, 4), time.slice(0, 5)];
  const hint = t(
    `${shown}; the cell holds a day of ${year} too`,
    `${shown}; de cel bevat ook een dag van ${year}`,
  );
  return finding('time-written-oddly', shownTime(cell, locale), hint);
}

/** `25:30:00` as `01:30:00`. */
export const lessADay = (time: string): string =>
  String(Number(time.slice(0, 2)) - 24).padStart(2, '0') + time.slice(2);

/** A cell with a time alone, as it is shown. */
export function shownTime({ type, value, format }: Cell, locale: Locale): string {
  if (type === 'date') return shownDate(value, format, locale);
  return type === 'number' && format !== undefined && ELAPSED.test(format)
    ? elapsedText(value)
    : String(value).trim();
}

/** A cell that shows a time; undefined for any other. */
function decodeTime(cell: Cell, isEnd: boolean, locale: Locale): DecodedCell<string> | undefined {
  if (cell.type !== 'date' && cell.type !== 'text') return undefined;
  const plain = cell.type === 'date' ? cell.value : plainText(cell.value);
  const day = NO_DAY.exec(plain)?.[0] ?? '';
  const isMidnight = day === plain && cell.type === 'date' && showsTime(cell.format);
  const time = isMidnight ? MIDNIGHT : parseTime(plain.slice(day.length), isEnd ? 48 : 24);
  if (time === undefined) return undefined;
  const value = showTime(time);
  if (value === DAY_END && !isEnd) return undecodable('time-expected', cell.value, BEGIN);
  if (cell.type === 'text') return decoded(value);
  if (cell.zone !== undefined)
    return decoded(value, finding('date-zone', cell.value + cell.zone, value.slice(0, 5)));
  // What the cell shows is what is read, unless it shows the day too.
  const odd = day.startsWith('1900') && !showsTime(cell.format);
  return decoded(value, odd ? withDay(cell, locale, value) : undefined);
}

/**
 * A datetime whose cell may hold a time alone: `hh:mm:ss`, which is never sent; the row's day is put before
 * it.
 */
const timeCodec = (isEnd: boolean): Codec<string> => ({
  ...datetimeCodec,
  decode(cell, locale, orders) {
    if (cell.type === 'number' && cell.value < DAYS_FROM)
      return decodeFraction(cell.value, cell.format, isEnd);
    const time = decodeTime(cell, isEnd, locale);
    if (time !== undefined) return time;
    const moment = decodeMoment(cell, locale, orders, isEnd);
    if (moment.ok || moment.finding.code !== 'date-expected') return moment;
    return { ok: false, finding: { ...moment.finding, code: 'time-expected' } };
  },
});

/** A begin, before 24:00. */
export const timeOfDayCodec = timeCodec(false);

/** An end: 24:00 is the next midnight, and up to 47:59 is on the next day. */
export const endTimeCodec = timeCodec(true);
