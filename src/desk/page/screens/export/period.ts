import { type Bilingual, t } from '../../../../core/language.ts';

/** The days of a period, `YYYY-MM-DD`; either may be missing. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A day by its number: days are counted in UTC, where none is longer than another. */
const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
const textOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** The first day of a month, counted from January of a year; months of other years are understood. */
const monthStart = (year: number, month: number): string =>
  new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);

const weekOf = (today: string, weeks: number): Days => {
  const day = dayOf(today);
  // The week begins on Monday; day 0 was a Thursday.
  const monday = day - ((day + 3) % 7) + 7 * weeks;
  return { from: textOf(monday), to: textOf(monday + 6) };
};

const monthsOf = (today: string, months: number, length = 1): Days => {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1];
  const start = length === 12 ? 0 : month;
  const from = monthStart(year, start + months);
  return { from, to: textOf(dayOf(monthStart(year, start + months + length)) - 1) };
};

/** A period that can be chosen at once. */
export interface QuickPeriod extends Days {
  readonly word: Bilingual;
}

/** Periods that people ask for, around a day. */
export const quickPeriods = (today: string): readonly QuickPeriod[] => [
  { word: t('Last week', 'Vorige week'), ...weekOf(today, -1) },
  { word: t('This week', 'Deze week'), ...weekOf(today, 0) },
  { word: t('Next week', 'Volgende week'), ...weekOf(today, 1) },
  { word: t('Last month', 'Vorige maand'), ...monthsOf(today, -1) },
  { word: t('This month', 'Deze maand'), ...monthsOf(today, 0) },
  { word: t('Next month', 'Volgende maand'), ...monthsOf(today, 1) },
  { word: t('Last year', 'Vorig jaar'), ...monthsOf(today, -12, 12) },
  { word: t('This year', 'Dit jaar'), ...monthsOf(today, 0, 12) },
];

/** The day of this machine's clock. */
export function today(): string {
  const now = new Date();
  return textOf(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
}
