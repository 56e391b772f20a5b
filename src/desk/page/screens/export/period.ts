import { type Bilingual, t } from '../../../../core/language.ts';

/** The days of a period, `YYYY-MM-DD`; either may be missing. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A period that can be chosen at once. */
export interface QuickPeriod extends Days {
  readonly word: Bilingual;
}

/** A day, counted in UTC, where none is longer than another; days and months of other ones are understood. */
const dayOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** Periods that people ask for, around a day of this machine's clock. */
export function quickPeriods(today: Date): readonly QuickPeriod[] {
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const monday = today.getDate() - ((today.getDay() + 6) % 7);
  const days = (en: string, nl: string, first: number, length: number, from: number, to: number) => ({
    ...{ word: t(en, nl), from: dayOf(year, first, from), to: dayOf(year, first + length, to) },
  });
  return [
    days('Last week', 'Vorige week', month, 0, monday - 7, monday - 1),
    days('This week', 'Deze week', month, 0, monday, monday + 6),
    days('Next week', 'Volgende week', month, 0, monday + 7, monday + 13),
    days('Last month', 'Vorige maand', month - 1, 1, 1, 0),
    days('This month', 'Deze maand', month, 1, 1, 0),
    days('Next month', 'Volgende maand', month + 1, 1, 1, 0),
    days('Last year', 'Vorig jaar', -12, 12, 1, 0),
    days('This year', 'Dit jaar', 0, 12, 1, 0),
  ];
}
