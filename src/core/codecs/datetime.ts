import { z } from 'zod';
import type { Cell } from '../cell.ts';
import {
  type Codec,
  cellText,
  type DateOrders,
  type DecodedCell,
  decoded,
  finding,
  readScalar,
  undecodable,
} from '../codec.ts';
import type { Finding } from '../issue.ts';
import { type Bilingual, t } from '../language.ts';
import { shownMoment } from '../shown-moment.ts';
import type { Locale } from '../value.ts';
import { plainText } from './plain-text.ts';

/** How files and services write nearly all moments, on days 1 to 28; also with a T for the blank. */
const USUAL =
  /^(?:19|[2-9]\d)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])(?:[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?)?$/;
/** An offset or `Z` is ignored: the wall-clock time counts. */
const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO text, of files and answers, in the one shape that this program compares; undefined for other text. */
export function parseIso(text: string): string | undefined {
  if (USUAL.test(text)) {
    if (text.length === 10) return `${text} 00:00:00`;
    return `${text.slice(0, 10)} ${text.slice(11, text.endsWith('.000') ? 19 : undefined)}`;
  }
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const moment = { year, month, day, hour, minute, second, millisecond };
  return isMoment(moment) ? showMoment(moment) : undefined;
}

const NUMBER_AS_DATE: Bilingual = t(
  'the cell holds a small number or a time, shown as a day of 1900',
  'de cel bevat een klein getal of een tijd, getoond als een dag in 1900',
);

const zoneIgnored = (found: string, moment: string): Finding =>
  finding('date-zone', found, shownMoment(moment));

/** A date cell's value; a zone in it is ignored, with a warning. */
function decodeDate({ value: found, zone }: Cell & { readonly type: 'date' }): DecodedCell<string> {
  // Programs disagree on these days: Excel takes 1900 for a leap year.
  if (found < '1900-03-01')
    return undecodable('date-expected', found, found.includes('-') ? NUMBER_AS_DATE : NO_DAY);
  const value = parseIso(found);
  if (value !== undefined)
    return decoded(value, zone === undefined ? undefined : zoneIgnored(found + zone, value));
  return undecodable('date-expected', found, found.includes('-') ? undefined : NO_DAY);
}

/** Days from 1990 to 2099, as Excel counts them. */
const FIRST_LIKELY = 32_874;
const LAST_LIKELY = 73_050;
const DAY_DIGITS = /^(19|20)\d{6}$/;

/** A number without a date format may be anything; one that is plainly `YYYYMMDD` is not. */
function decodeNumber(value: number): DecodedCell<string> {
  const found = String(value);
  if (DAY_DIGITS.test(found)) return readDateText(found, found, { locale: 'nl', orders: undefined });
  if (!(value >= FIRST_LIKELY && value < LAST_LIKELY + 1)) return undecodable('date-expected', found);
  const { en, nl } = momentWords(startOf(new Date((Math.floor(value) - 25_569) * 86_400_000)));
  const hint = t(
    `give the cell a date format; it would show ${en}`,
    `geef de cel een datumnotatie; er zou ${nl} staan`,
  );
  return undecodable('date-expected', found, hint);
}

/** A time with a zone. */
const ZONE = /:.*(?:z|[+-]\d\d:?\d\d)$/i;

/** Reads a cell as a moment; in an end 24:00 is the next midnight, elsewhere it is refused. */
export function decodeMoment(
  cell: Cell,
  locale: Locale,
  orders: DateOrders | undefined,
  isEnd: boolean,
): DecodedCell<string> {
  if (cell.type === 'date') return decodeDate(cell);
  if (cell.type === 'number') return decodeNumber(cell.value);
  if (cell.type !== 'text') return undecodable('date-expected', cellText(cell));
  const plain = plainText(cell.value);
  const iso = parseIso(plain);
  if (iso === undefined) return readDateText(cell.value, plain, { locale, orders, isEnd });
  return decoded(iso, ZONE.test(plain) ? zoneIgnored(cell.value, iso) : undefined);
}

/** A datetime as wall-clock text `YYYY-MM-DD hh:mm:ss[.SSS]`, never moved between zones. */
export const datetimeCodec: Codec<string> = {
  type: 'datetime',
  decode: (cell, locale, orders) => decodeMoment(cell, locale, orders, false),
  read: readScalar((value) => {
    const text = String(value);
    return text.trim() === '' ? null : (parseIso(text) ?? text);
  }),
  wire: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{3})?$/, { abort: true })
    .refine((value) => parseIso(value) !== undefined, 'no day or time of the calendar'),
};

const YEAR = String.raw`(?<year>'?\d{2}|\d{4})(?![\d:])`;
const DATES: readonly RegExp[] = [
  // `31-12-2026`, `31/12/2026`, `31.12.2026`, or month first.
  new RegExp(String.raw`^(?<first>\d{1,2}) ?(?<mark>[-/.]) ?(?<second>\d{1,2}) ?\k<mark> ?${YEAR}`),
  // `2026/12/31`; with dashes it is ISO.
  /^(?<year>\d{4})([-/.])(?<second>\d{1,2})\2(?<first>\d{1,2})(?!\d)/,
  // `31 december 2026`, `1 mrt. 2026`, `31-dec-2026`.
  new RegExp(
    String.raw`^(?<first>\d{1,2})(?:e|st|nd|rd|th)?[ .-]*(?:of )?(?<name>[a-z]{3,9})\.?[ ,.-]*${YEAR}`,
    'i',
  ),
  // `Dec 31, 2026`.
  new RegExp(String.raw`^(?<name>[a-z]{3,9})\.? (?<first>\d{1,2})(?:st|nd|rd|th)?(?:, ?| )${YEAR}`, 'i'),
];
/** `20261231`, as programs write it. */
const DIGITS = /^((?:19|20)\d{2})(\d{2})(\d{2})(?:[T ]?(\d{2})(\d{2})(\d{2})?)?$/i;
const TAIL = /^(?:[T ,]+(?:om |at )?|$)/i;
const NO_YEAR = /^(\d{1,2}[-/.]\d{1,2}|\d{1,2}[ -][a-z]{3,9}\.?)$/i;

/** What a time alone lacks. */
const NO_DAY: Bilingual = t('the day is missing', 'de dag ontbreekt');
const NO_YEAR_GIVEN: Bilingual = t('the year is missing', 'het jaartal ontbreekt');
const NO_SUCH_DAY: Bilingual = t('there is no such day', 'die dag bestaat niet');

/** A date taken apart; `separator` is null where day and month can't change places. */
interface Parts {
  readonly first: number;
  readonly second: number;
  readonly year: string;
  readonly separator: keyof DateOrders | null;
  readonly tail: string;
}

type DateOrder = NonNullable<DateOrders['-']>;

/** How a date text is read. */
interface DateReading {
  readonly locale: Locale;
  /** How the other dates of the column are written. */
  readonly orders: DateOrders | undefined;
  /** The moment is an end, as which 24:00 is the next midnight. */
  readonly isEnd?: boolean;
}

/** Reads a date with or without a time; `found` is the text as it stands in the cell, for messages. */
function readDateText(found: string, plain: string, reading: DateReading): DecodedCell<string> {
  const no = (hint?: Bilingual): DecodedCell<never> => undecodable('date-expected', found, hint);
  const digits = DIGITS.exec(plain);
  if (digits !== null) return readDigits(found, digits) ?? no(NO_SUCH_DAY);
  const { weekday, rest } = takeWeekday(plain);
  const parts = takeApart(rest);
  if (parts === undefined)
    return no(parseTime(plain) === undefined ? (NO_YEAR.test(rest) ? NO_YEAR_GIVEN : undefined) : NO_DAY);
  if (parts.year.length !== 4) return undecodable('date-two-digit-year', found);
  const time = timeOf(parts.tail);
  if (time === undefined) return no();
  const { moment, warning, otherwise } = inOrder(parts, time, weekday, reading);
  if (moment === undefined) return no(otherwise ?? NO_SUCH_DAY);
  if (weekday !== undefined && weekdayOf(moment) !== weekday) return wrongWeekday(found, moment);
  const value = atMidnight(moment);
  if (value !== moment && reading.isEnd !== true) return no(nextDay(value));
  return decoded(showMoment(value), warning ? finding('date-order', found, momentWords(value)) : undefined);
}

/**
 * The order that a numeric date must have, such as month first for 12/31/2026. Null where either order gives
 * another day; undefined where both give the same day or neither gives one.
 */
export function evidentOrder(
  found: string,
): { readonly separator: keyof DateOrders; readonly order: DateOrder | null } | undefined {
  const parts = takeApart(takeWeekday(plainText(found)).rest);
  if (parts === undefined || parts.separator === null || parts.year.length !== 4) return undefined;
  const { first, second, separator } = parts;
  if (first <= 12 && second <= 12) return first === second ? undefined : { separator, order: null };
  if (first > 12 && first <= 31 && second <= 12) return { separator, order: 'day' };
  return second > 12 && second <= 31 && first <= 12 ? { separator, order: 'month' } : undefined;
}

function nextDay(moment: Moment): Bilingual {
  const iso = showMoment(moment).slice(0, 16);
  return t(
    `24:00 is the end of a day; if the next one is meant, write ${iso}`,
    `24:00 is het einde van een dag; is de volgende bedoeld, schrijf dan ${iso}`,
  );
}

function takeApart(text: string): Parts | undefined {
  for (const pattern of DATES) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { first, second, name, year = '', mark } = match.groups ?? {};
    const named = name === undefined ? Number(second) - 1 : numberOf(MONTHS, name);
    if (name !== undefined && named < 0) return undefined;
    const separator = (mark ?? null) as Parts['separator'];
    return { first: Number(first), second: named + 1, year, separator, tail: text.slice(match[0].length) };
  }
  return undefined;
}

function timeOf(tail: string): TimeOfDay | undefined {
  const match = TAIL.exec(tail);
  if (match === null) return undefined;
  return tail.trim() === '' ? MIDNIGHT : parseTime(tail.slice(match[0].length).trim());
}

/**
 * The moment in the order evident in the column, else in the locale's; a weekday decides where both fit.
 * `otherwise` tells what the other order gives where this one gives no day.
 */
function inOrder(
  { first, second, year, separator }: Parts,
  time: TimeOfDay,
  weekday: number | undefined,
  { locale, orders }: DateReading,
): { moment?: Moment; warning?: boolean; otherwise?: Bilingual } {
  const at = (day: number, month: number): Moment | undefined => {
    const moment = { year: Number(year), month, day, ...time };
    return isMoment({ ...moment, hour: time.hour % 24 }) ? moment : undefined;
  };
  const dayFirst = at(first, second);
  if (separator === null) return dayFirst === undefined ? {} : { moment: dayFirst };
  const monthFirst = at(second, first);
  const own: DateOrder = locale === 'en' && separator === '/' ? 'month' : 'day';
  const evident = orders?.[separator];
  const order = evident ?? own;
  const [moment, other] = order === 'day' ? [dayFirst, monthFirst] : [monthFirst, dayFirst];
  if (moment === undefined) return other === undefined ? {} : { otherwise: otherWayRound(other, order) };
  if (first === second) return { moment };
  if (other === undefined) return { moment, warning: order !== own };
  if (weekday !== undefined && weekdayOf(moment) !== weekday && weekdayOf(other) === weekday)
    return { moment: other, warning: true };
  // Dots mean day first everywhere, and a weekday that fits confirms the order.
  const clear = evident === own || weekday !== undefined || (separator === '.' && order === own);
  return { moment, warning: !clear };
}

function readDigits(found: string, match: RegExpExecArray): DecodedCell<string> | undefined {
  const [year = 0, month = 0, day = 0, ...time] = match.slice(1).map((part) => Number(part ?? 0));
  const [hour = 0, minute = 0, second = 0] = time;
  const moment = { year, month, day, hour, minute, second, millisecond: 0 };
  if (!isMoment(moment)) return undefined;
  return decoded(showMoment(moment), finding('date-written-oddly', found, momentWords(moment)));
}

function wrongWeekday(found: string, moment: Moment): DecodedCell<never> {
  const { en, nl } = momentWords({ ...moment, ...MIDNIGHT });
  const day = weekdayOf(moment);
  const hint = t(`${en} is a ${WEEKDAYS.en[day]}`, `${nl} is een ${WEEKDAYS.nl[day]}`);
  return undecodable('date-weekday', found, hint);
}

const TIME =
  /^(\d{1,2})(?:[:.uh](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?)? *(u\.?|uur|h)? *(?:([ap])\.?m\.?)?$/i;

/**
 * A time as people write it: `14:30`, `14.30`, `14u30`, `14:30 uur`, `2:30 PM`, `24:00`, and hours alone only
 * with their unit: `14 uur`. With `hours` 48 also of the next day, as in `25:30`. Undefined for any other text.
 */
export function parseTime(text: string, hours: 24 | 48 = 24): TimeOfDay | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [written = '', minutes, seconds, fraction = '', unit, half] = match.slice(1);
  if (minutes === undefined && unit === undefined && half === undefined) return undefined;
  const [minute, second] = [Number(minutes ?? 0), Number(seconds ?? 0)];
  const hour = half === undefined ? Number(written) : twelveHour(Number(written), half.toLowerCase() === 'p');
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const isDayEnd = hour === 24 && minute + second + millisecond === 0;
  // With a dot it may be a day and its month, or a price.
  const beyond = text.includes(':') ? hours : 24;
  if (hour === undefined || (hour >= beyond && !isDayEnd) || minute > 59 || second > 59) return undefined;
  return { hour, minute, second, millisecond };
}

function twelveHour(hour: number, afternoon: boolean): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (afternoon ? 12 : 0);
}

/** Where the names of months or weekdays have one that a word begins, from 0; -1 for none. */
function numberOf(names: Readonly<Record<'nl' | 'en', readonly string[]>>, word: string): number {
  const start = word.toLowerCase().replace(/^mrt$/, 'maart');
  const at = (list: readonly string[]): number =>
    list.findIndex((name) => name.toLowerCase().startsWith(start));
  const dutch = at(names.nl);
  return dutch < 0 ? at(names.en) : dutch;
}

const LEADING_WORD = /^([a-z]{2,9})[.,]{0,2} +(?=[\da-z])/i;

/** Splits a weekday (0 for Sunday) off the front of a date. */
function takeWeekday(text: string): { readonly weekday: number | undefined; readonly rest: string } {
  const match = LEADING_WORD.exec(text);
  const weekday = match === null ? -1 : numberOf(WEEKDAYS, match[1] ?? '');
  return weekday < 0
    ? { weekday: undefined, rest: text }
    : { weekday, rest: text.slice(match?.[0].length ?? 0) };
}

const ORDERS = {
  day: t('read day first', 'gelezen met de dag eerst'),
  month: t('read month first', 'gelezen met de maand eerst'),
} as const;

/** Advice on a date that gives a day only in the other order: how it was read, which day it would be, what to write. */
function otherWayRound(other: Moment, order: DateOrder): Bilingual {
  const { en, nl } = momentWords(other);
  const read = ORDERS[order];
  const iso = showMoment(other).slice(0, 10);
  return t(
    `${read.en}; the other way round it is ${en}: if that is meant, write ${iso}`,
    `${read.nl}; andersom is het ${nl}: is dat bedoeld, schrijf dan ${iso}`,
  );
}

/** A moment in wall-clock time. */
interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** A time of day; 24:00 is the end of the day. */
type TimeOfDay = Pick<Moment, 'hour' | 'minute' | 'second' | 'millisecond'>;

/** The start of a day. */
export const MIDNIGHT: TimeOfDay = { hour: 0, minute: 0, second: 0, millisecond: 0 };

/** A day of the calendar. */
type Day = Pick<Moment, 'year' | 'month' | 'day'>;

const dateOf = ({ year, month, day }: Day): Date => new Date(Date.UTC(year, month - 1, day));

/** The start of the day that a date has in UTC. */
const startOf = (date: Date): Moment => ({
  ...{ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
  ...MIDNIGHT,
});

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether the calendar and the clock have this moment; years before 1900 have none. */
function isMoment({ year, month, day, hour, minute, second }: Moment): boolean {
  const isDay = year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return isDay && hour <= 23 && minute <= 59 && second <= 59;
}

/** The same moment, with 24:00 as 0:00 of the next day. */
function atMidnight(moment: Moment): Moment {
  return moment.hour === 24 ? startOf(dateOf({ ...moment, day: moment.day + 1 })) : moment;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** `hh:mm:ss` */
export function showTime({ hour, minute, second }: TimeOfDay): string {
  return `${pad(hour)}:${pad(minute)}:${pad(second)}`;
}

/** `YYYY-MM-DD hh:mm:ss`, with `.SSS` only where there are milliseconds. */
function showMoment(moment: Moment): string {
  const { year, month, day, millisecond } = moment;
  const text = `${pad(year, 4)}-${pad(month)}-${pad(day)} ${showTime(moment)}`;
  return millisecond === 0 ? text : `${text}.${pad(millisecond, 3)}`;
}

/** The day of the week, 0 for Sunday. */
export const weekdayOf = (day: Day): number => dateOf(day).getUTCDay();

const split = (names: string): readonly string[] => names.split(' ');

/** January first. */
export const MONTHS = {
  en: split('January February March April May June July August September October November December'),
  nl: split('januari februari maart april mei juni juli augustus september oktober november december'),
} as const;

/** Sunday first. */
export const WEEKDAYS = {
  en: split('Sunday Monday Tuesday Wednesday Thursday Friday Saturday'),
  nl: split('zondag maandag dinsdag woensdag donderdag vrijdag zaterdag'),
} as const;

/** A moment in words, in which day and month can't be mixed up: `1 March 2026 14:30`. */
function momentWords(moment: Moment): Bilingual {
  const { year, month, day, hour, minute } = moment;
  const time = hour === 0 && minute === 0 ? '' : ` ${pad(hour)}:${pad(minute)}`;
  const say = (months: readonly string[]): string => `${day} ${months[month - 1]} ${year}${time}`;
  return { en: say(MONTHS.en), nl: say(MONTHS.nl) };
}
