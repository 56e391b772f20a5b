import { z } from 'zod';
import { type Codec, cellText, type Decoded, decoded, scalar, undecodable, unreadable } from '../codec.ts';
import type { Locale } from '../value.ts';

/** An offset or `Z` is passed over: what counts is the clock on the wall. */
const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const LOCAL =
  /^(\d{1,2})(?:-(\d{1,2})-|\/(\d{1,2})\/|\.(\d{1,2})\.)(\d{4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const SHORT_YEAR = /^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?:[T ,].*)?$/;

interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function valid(moment: Moment): boolean {
  const { year, month, day, hour, minute, second } = moment;
  if (year < 1900 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  return hour <= 23 && minute <= 59 && second <= 59;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** `YYYY-MM-DD hh:mm:ss`, with `.SSS` only where there are milliseconds. */
function show(moment: Moment): string {
  const { year, month, day, hour, minute, second, millisecond } = moment;
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`;
  return millisecond === 0 ? date : `${date}.${pad(millisecond, 3)}`;
}

/** ISO text, as files and answers hold it, in the one shape this program compares; undefined when it is no datetime. */
export function parseIso(text: string): string | undefined {
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const moment = { year, month, day, hour, minute, second, millisecond };
  return valid(moment) ? show(moment) : undefined;
}

function parseLocal(text: string, locale: Locale): Decoded<string> | undefined {
  const match = LOCAL.exec(text);
  if (match === null) return undefined;
  const [first = 0, second = 0, year = 0, hour = 0, minute = 0, seconds = 0] = [
    match[1],
    match[2] ?? match[3] ?? match[4],
    ...match.slice(5, 9),
  ].map((part) => Number(part ?? 0));
  const monthFirst = locale === 'en' && text.includes('/');
  const at = (day: number, month: number): Moment => ({
    year,
    month,
    day,
    hour,
    minute,
    second: seconds,
    millisecond: 0,
  });
  const moment = monthFirst ? at(second, first) : at(first, second);
  if (!valid(moment)) return undecodable({ code: 'date-expected', found: text });
  const value = show(moment);
  const ambiguous = text.includes('/') && first <= 12 && second <= 12 && first !== second;
  return decoded(value, ambiguous ? { code: 'date-order', found: text, hint: value } : undefined);
}

/** A datetime on the wall clock, as text `YYYY-MM-DD hh:mm:ss[.SSS]`; no time zone moves it (design: Values). */
export const datetimeCodec: Codec<string> = {
  type: 'datetime',
  decode(cell, locale) {
    const found = cellText(cell);
    if (cell.type !== 'date' && cell.type !== 'text') return undecodable({ code: 'date-expected', found });
    const text = found.trim();
    const iso = parseIso(text);
    if (iso !== undefined) return decoded(iso);
    if (SHORT_YEAR.test(text)) return undecodable({ code: 'date-two-digit-year', found });
    return parseLocal(text, locale) ?? undecodable({ code: 'date-expected', found });
  },
  encode: (value) => value,
  read(answer) {
    const value = scalar(answer);
    if (value === undefined) return unreadable(answer);
    if (value === null) return null;
    const text = String(value);
    return text.trim() === '' ? null : (parseIso(text) ?? text);
  },
  wire: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{3})?$/, { abort: true })
    .refine((value) => parseIso(value) !== undefined, 'no day or time of the calendar'),
};
