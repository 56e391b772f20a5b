import {
  type DateOrder,
  type DateOrders,
  type DecodedCell,
  decoded,
  finding,
  undecodable,
} from '../codec.ts';
import { type Bilingual, t } from '../language.ts';
import type { Locale } from '../value.ts';
import {
  atMidnight,
  isMoment,
  MIDNIGHT,
  MONTHS,
  type Moment,
  momentWords,
  showMoment,
  type TimeOfDay,
  WEEKDAYS,
  weekdayOf,
} from './moment.ts';
import { plainText } from './plain-text.ts';

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
export const NO_DAY: Bilingual = t('the day is missing', 'de dag ontbreekt');
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

/** How a date text is read. */
interface DateReading {
  readonly locale: Locale;
  /** How the other dates of the column are written. */
  readonly orders: DateOrders | undefined;
  /** The moment is an end, as which 24:00 is the next midnight. */
  readonly isEnd?: boolean;
}

/** Reads a date with or without a time; `found` is the text as it stands in the cell, for messages. */
export function readDateText(found: string, plain: string, reading: DateReading): DecodedCell<string> {
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
    const month = name === undefined ? Number(second) : MONTH_NUMBERS.get(name.toLowerCase());
    if (month === undefined) return undefined;
    const separator = (mark ?? null) as Parts['separator'];
    return { first: Number(first), second: month, year, separator, tail: text.slice(match[0].length) };
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
  if (moment === undefined)
    return other === undefined ? {} : { otherwise: otherWayRound(other, order, evident !== undefined) };
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
 * with their unit: `14 uur`. Undefined for any other text.
 */
export function parseTime(text: string): TimeOfDay | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [hours = '', minutes, seconds, fraction = '', unit, half] = match.slice(1);
  if (minutes === undefined && unit === undefined && half === undefined) return undefined;
  const [minute, second] = [Number(minutes ?? 0), Number(seconds ?? 0)];
  const hour = half === undefined ? Number(hours) : twelveHour(Number(hours), half.toLowerCase() === 'p');
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const rest = minute + second + millisecond;
  if (hour === undefined || hour > 24 || (hour === 24 && rest > 0) || minute > 59 || second > 59)
    return undefined;
  return { hour, minute, second, millisecond };
}

function twelveHour(hour: number, afternoon: boolean): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (afternoon ? 12 : 0);
}

/** Short names other than the first three letters. */
const OTHER_MONTHS: readonly (readonly [string, number])[] = [
  ['mrt', 3],
  ['febr', 2],
  ['sept', 9],
];
const OTHER_WEEKDAYS: readonly (readonly [string, number])[] = [
  ...['zo', 'ma', 'di', 'wo', 'do', 'vr', 'za'].map((name, at) => [name, at] as const),
  ['tues', 2],
  ['thur', 4],
  ['thurs', 4],
];

const byName = (
  lists: readonly (readonly string[])[],
  from: number,
  others: readonly (readonly [string, number])[],
): ReadonlyMap<string, number> =>
  new Map([
    ...lists.flatMap((names) =>
      names.flatMap((name, at) => {
        const word = name.toLowerCase();
        return [[word, at + from] as const, [word.slice(0, 3), at + from] as const];
      }),
    ),
    ...others,
  ]);

const MONTH_NUMBERS = byName([MONTHS.nl, MONTHS.en], 1, OTHER_MONTHS);
const WEEKDAY_NUMBERS = byName([WEEKDAYS.nl, WEEKDAYS.en], 0, OTHER_WEEKDAYS);

const LEADING_WORD = /^([a-z]{2,9})[.,]{0,2} +(?=[\da-z])/i;

/** Splits a weekday (0 for Sunday) off the front of a date. */
function takeWeekday(text: string): { readonly weekday: number | undefined; readonly rest: string } {
  const match = LEADING_WORD.exec(text);
  const weekday = match === null ? undefined : WEEKDAY_NUMBERS.get((match[1] ?? '').toLowerCase());
  return weekday === undefined
    ? { weekday, rest: text }
    : { weekday, rest: text.slice(match?.[0].length ?? 0) };
}

const ORDERS = {
  day: t('day first', 'dag eerst'),
  month: t('month first', 'maand eerst'),
} as const;

/**
 * Advice on a date that gives a day only in the other order: how it was read and why, which day it would be,
 * and what to write. `evident`: the column shows the order.
 */
function otherWayRound(other: Moment, order: DateOrder, evident: boolean): Bilingual {
  const { en, nl } = momentWords(other);
  const read = ORDERS[order];
  const why = evident
    ? t(
        `the column is read ${read.en}, as other dates in it are written`,
        `de kolom is gelezen met de ${read.nl}, zoals andere datums erin`,
      )
    : t(`read ${read.en}`, `gelezen met de ${read.nl}`);
  const iso = showMoment(other).slice(0, 10);
  return t(
    `${why.en}; the other way round it is ${en}: if that is meant, write ${iso}`,
    `${why.nl}; andersom is het ${nl}: is dat bedoeld, schrijf dan ${iso}`,
  );
}
