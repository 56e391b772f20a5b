import { type DateOrder, type DateOrders, type Decoded, decoded, undecodable } from '../codec.ts';
import type { Finding } from '../issue.ts';
import type { Bilingual, Locale } from '../value.ts';
import { monthNumber, takeWeekday } from './calendar-words.ts';
import {
  atMidnight,
  isMoment,
  MIDNIGHT,
  type Moment,
  momentWords,
  showMoment,
  type Time,
  WEEKDAYS,
  weekdayOf,
} from './moment.ts';
import { otherWayRound } from './other-way-round.ts';
import { plainText } from './plain-text.ts';
import { parseTime } from './time-text.ts';

const YEAR = String.raw`('?\d{2}|\d{4})(?![\d:])`;
/** `31-12-2026`, `31/12/2026`, `31.12.2026`, or month first. */
const NUMERIC = new RegExp(String.raw`^(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?${YEAR}`);
/** `2026/12/31`; with dashes it is ISO. */
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
/** `20261231`, as programs write it. */
const DIGITS = /^(19|20)(\d{2})(\d{2})(\d{2})(?:[T ]?(\d{2})(\d{2})(\d{2})?)?$/i;
/** `31 december 2026`, `1 mrt. 2026`, `31-dec-2026`. */
const DAY_NAMED = new RegExp(
  String.raw`^(\d{1,2})(?:e|st|nd|rd|th)?[ .-]*(?:of )?([a-z]{3,9})\.?[ ,.-]*${YEAR}`,
  'i',
);
/** `Dec 31, 2026`. */
const MONTH_NAMED = new RegExp(String.raw`^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?:, ?| )${YEAR}`, 'i');
const TAIL = /^(?:[T ,]+(?:om |at )?|$)/i;
const NO_YEAR = /^(\d{1,2}[-/.]\d{1,2}|\d{1,2}[ -][a-z]{3,9}\.?)$/i;

const THE_DAY: Bilingual = { en: 'the day is missing', nl: 'de dag ontbreekt' };
const THE_YEAR: Bilingual = { en: 'the year is missing', nl: 'het jaartal ontbreekt' };
const NO_SUCH_DAY: Bilingual = { en: 'there is no such day', nl: 'die dag bestaat niet' };

/** A date taken apart; where day and month could change places, `order` is the mark between them. */
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
  /** How the other dates of the column are written, where that is evident. */
  readonly orders: DateOrders | undefined;
}

/** Reads a date with or without a time, as people write it; `found` is the text as it stands in the cell. */
export function readDateText(found: string, plain: string, reading: DateReading): Decoded<string> {
  const no = (hint?: Bilingual): Decoded<never> =>
    undecodable({ code: 'date-expected', found, ...(hint === undefined ? {} : { hint }) });
  const digits = DIGITS.exec(plain);
  if (digits !== null) return readDigits(found, digits) ?? no(NO_SUCH_DAY);
  const { weekday, rest } = takeWeekday(plain);
  const parts = takeApart(rest);
  if (parts === undefined)
    return no(parseTime(plain) === undefined ? (NO_YEAR.test(rest) ? THE_YEAR : undefined) : THE_DAY);
  if (parts.year.length !== 4) return undecodable({ code: 'date-two-digit-year', found });
  const time = timeOf(parts.tail);
  if (time === undefined) return no();
  const { moment, warning, otherwise } = inOrder(parts, time, weekday, reading);
  if (moment === undefined) return no(otherwise ?? NO_SUCH_DAY);
  if (weekday !== undefined && weekdayOf(moment) !== weekday) return wrongWeekday(found, moment);
  const value = atMidnight(moment);
  const hint = momentWords(value);
  const finding: Finding = { code: 'date-order', found, hint };
  return decoded(showMoment(value), warning ? finding : undefined);
}

/**
 * Which order a date text can't do without, such as month first for 12/31/2026; null where either would give another
 * day; undefined where both give the same or neither a day.
 */
export function evidentOrder(
  found: string,
): { readonly separator: keyof DateOrders; readonly order: DateOrder | null } | undefined {
  const { rest } = takeWeekday(plainText(found));
  const match = NUMERIC.exec(rest);
  if (match === null || match[4]?.length !== 4) return undefined;
  const { first, second } = numbers(match[1], match[3]);
  const separator = match[2] as keyof DateOrders;
  if (first <= 12 && second <= 12) return first === second ? undefined : { separator, order: null };
  if (first > 12 && first <= 31 && second <= 12) return { separator, order: 'day' };
  return second > 12 && second <= 31 && first <= 12 ? { separator, order: 'month' } : undefined;
}

function takeApart(text: string): Parts | undefined {
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) {
    const [all, first, separator, second, year = ''] = numeric;
    const tail = text.slice(all.length);
    return { ...numbers(first, second), year, separator: separator as keyof DateOrders, tail };
  }
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) {
    const [all, year = '', , month, day] = yearFirst;
    return { ...numbers(day, month), year, separator: null, tail: text.slice(all.length) };
  }
  const dayNamed = DAY_NAMED.exec(text);
  const monthNamed = dayNamed === null ? MONTH_NAMED.exec(text) : null;
  const [all, day, name = '', year = ''] = dayNamed ?? swap(monthNamed);
  const month = monthNumber(name);
  if (all === undefined || month === undefined) return undefined;
  return { first: Number(day), second: month, year, separator: null, tail: text.slice(all.length) };
}

const swap = (match: RegExpExecArray | null): (string | undefined)[] =>
  match === null ? [] : [match[0], match[2], match[1], match[3]];

const numbers = (
  first: string | undefined,
  second: string | undefined,
): { first: number; second: number } => ({
  first: Number(first),
  second: Number(second),
});

function timeOf(tail: string): Time | undefined {
  const match = TAIL.exec(tail);
  if (match === null) return undefined;
  return tail.trim() === '' ? MIDNIGHT : parseTime(tail.slice(match[0].length).trim());
}

/** The order in which the locale writes day and month, the one that the column shows, and which of them counts. */
function usedOrder(
  separator: keyof DateOrders,
  { locale, orders }: DateReading,
): { own: DateOrder; evident: DateOrder | undefined; order: DateOrder } {
  const own = locale === 'en' && separator === '/' ? 'month' : 'day';
  const evident = orders?.[separator];
  return { own, evident, order: evident ?? own };
}

/**
 * The moment by the order that is evident in the column, else by the locale's; a weekday settles what could be read both
 * ways. `otherwise` says what the other order would give where this one gives none.
 */
function inOrder(
  { first, second, year, separator }: Parts,
  time: Time,
  weekday: number | undefined,
  reading: DateReading,
): { moment?: Moment; warning?: boolean; otherwise?: Bilingual } {
  const at = (day: number, month: number): Moment | undefined => {
    const moment = { year: Number(year), month, day, ...time };
    return isMoment({ ...moment, hour: time.hour % 24 }) ? moment : undefined;
  };
  const dayFirst = at(first, second);
  if (separator === null) return dayFirst === undefined ? {} : { moment: dayFirst };
  const monthFirst = at(second, first);
  const { own, evident, order } = usedOrder(separator, reading);
  const [moment, other] = order === 'day' ? [dayFirst, monthFirst] : [monthFirst, dayFirst];
  if (moment === undefined)
    return other === undefined ? {} : { otherwise: otherWayRound(other, order, evident !== undefined) };
  if (first === second) return { moment };
  if (other === undefined) return { moment, warning: order !== own };
  if (weekday !== undefined && weekdayOf(moment) !== weekday && weekdayOf(other) === weekday)
    return { moment: other, warning: true };
  // A date with dots has its day first everywhere; a weekday that fits says the same.
  const clear = evident === own || weekday !== undefined || (separator === '.' && order === own);
  return { moment, warning: !clear };
}

function readDigits(found: string, match: RegExpExecArray): Decoded<string> | undefined {
  const [century = '', years = '', month, day, hour = 0, minute = 0, second = 0] = match.slice(1);
  const moment: Moment = {
    year: Number(century + years),
    ...{ month: Number(month), day: Number(day) },
    ...{ hour: Number(hour), minute: Number(minute), second: Number(second), millisecond: 0 },
  };
  if (!isMoment(moment)) return undefined;
  return decoded(showMoment(moment), { code: 'date-written-oddly', found, hint: momentWords(moment) });
}

function wrongWeekday(found: string, moment: Moment): Decoded<never> {
  const { en, nl } = momentWords({ ...moment, ...MIDNIGHT });
  const day = weekdayOf(moment);
  const hint = { en: `${en} is a ${WEEKDAYS.en[day]}`, nl: `${nl} is een ${WEEKDAYS.nl[day]}` };
  return undecodable({ code: 'date-weekday', found, hint });
}
