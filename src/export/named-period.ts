import { type StopError, usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import type { Days } from '../records/listing.ts';

/** How `--period` is written: a day, week, month, quarter or year beside today's, or by its number. */
const NAMED = /^(?:(yesterday|today|tomorrow)|(last|this|next)-(week|month|quarter|year))$/;
const NUMBERED = /^(\d{4})(?:-(?:(\d{2})(?:-(\d{2}))?|W(\d{2})|Q([1-4])))?$/i;

const WEEK = 7;
const QUARTER = 3;
const YEAR = 12;
const STEPS = { last: -1, this: 0, next: 1, yesterday: -1, today: 0, tomorrow: 1 } as const;

/**
 * The first and last day of a period by its name, counted from `today` (`YYYY-MM-DD`); null for what is none. Weeks
 * are those of ISO 8601: they begin on Monday, and week 1 has the first Thursday.
 */
export function namedPeriod(text: string, today: string): Days | null {
  const word = text.trim().toLowerCase();
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  const [isNamed, near, which, unit] = NAMED.exec(word) ?? [];
  if (isNamed !== undefined) {
    const step = STEPS[(near ?? which) as keyof typeof STEPS];
    if (near !== undefined) return daysOf(year, month, day + step, 1);
    if (unit === 'week') return daysOf(year, month, day - weekday(year, month, day) + step * WEEK, WEEK);
    if (unit === 'month') return monthsOf(year, month + step, 1);
    if (unit === 'quarter') return monthsOf(year, quarterOf(month) + step * QUARTER, QUARTER);
    return monthsOf(year + step, 1, YEAR);
  }
  const [, ofYear, ofMonth, ofDay, week, quarter] = NUMBERED.exec(word) ?? [];
  if (ofYear === undefined) return null;
  const own = Number(ofYear);
  // `Date` takes these for years of the last century.
  if (own < 100) return null;
  if (ofDay !== undefined) return only(daysOf(own, Number(ofMonth), Number(ofDay), 1), text);
  if (ofMonth !== undefined) return only(monthsOf(own, Number(ofMonth), 1), text);
  if (quarter !== undefined) return monthsOf(own, (Number(quarter) - 1) * QUARTER + 1, QUARTER);
  if (week === undefined) return monthsOf(own, 1, YEAR);
  const days = daysOf(own, 1, 4 - weekday(own, 1, 4) + (Number(week) - 1) * WEEK, WEEK);
  const thursday = plus(days.from, 3);
  // Week 53 of a year that has 52 would be one of the next.
  return Number(week) > 0 && thursday.startsWith(ofYear) ? days : null;
}

const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);
const DAY = 86_400_000;
const plus = (day: string, days: number): string => iso(Date.parse(`${day}T00:00:00Z`) + days * DAY);

/** So many days from one on, which may lie beside its month. */
function daysOf(year: number, month: number, day: number, count: number): Days {
  const from = iso(Date.UTC(year, month - 1, day));
  return { from, to: plus(from, count - 1) };
}

const monthsOf = (year: number, month: number, count: number): Days => ({
  from: iso(Date.UTC(year, month - 1, 1)),
  to: iso(Date.UTC(year, month - 1 + count, 0)),
});

const quarterOf = (month: number): number => month - ((month - 1) % QUARTER);

/** From Monday, 0. */
const weekday = (year: number, month: number, day: number): number =>
  (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % WEEK;

/** Days that a text names itself; null for the 31st of a month that has 30. */
const only = (days: Days, text: string): Days | null => (days.from.startsWith(text.trim()) ? days : null);

interface PeriodOptions {
  readonly period?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Options with the days of their `period`; `today`: `YYYY-MM-DD`. Throws StopError with EXIT.usage. */
export function withDays<O extends PeriodOptions>(
  { period, ...options }: O,
  today: string,
): Omit<O, 'period'> {
  if (period === undefined) return options;
  if (options.from !== undefined || options.to !== undefined) throw BOTH;
  const days = namedPeriod(period, today);
  if (days === null) throw noPeriod(period);
  return { ...options, ...days };
}

const BOTH: StopError = usageStop(
  withFlag(
    t('A period has a name, or two days.', 'Een periode heeft een naam, of twee dagen.'),
    '--period, or --from and --to',
  ),
  t('Leave one of them out.', 'Laat een van beide weg.'),
);

const noPeriod = (text: string): StopError =>
  usageStop(
    t(`${text} is no period.`, `${text} is geen periode.`),
    t(
      'Write yesterday, this-week, last-month, next-year, or 2026-11, 2026-W48, 2026-Q4, 2026.',
      'Schrijf yesterday, this-week, last-month, next-year, of 2026-11, 2026-W48, 2026-Q4, 2026.',
    ),
  );
