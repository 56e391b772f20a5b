import { type Bilingual, type Language, t } from '../core/language.ts';
import { monthsOf } from '../records/listing.ts';
import type { FinanceScope } from './export-snapshot.ts';
import { NONE } from './finance-rows.ts';

/** A month as `YYYY-MM`; null for events without a day. */
export type Month = string | null;

/** The months of a period and those that have events (`seen`), in order; that of events without a day last. */
export function monthsShown(scope: FinanceScope, seen: readonly Month[]): readonly Month[] {
  const dated = seen.filter((month) => month !== null);
  const known = [...new Set([...monthsOf(scope), ...dated])].sort();
  return dated.length === seen.length ? known : [...known, null];
}

const SHORT: Bilingual = t(
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  'jan feb mrt apr mei jun jul aug sep okt nov dec',
);

/** A month by its name: `May 2027`. */
export const monthName = (month: Month, language: Language): string =>
  month === null
    ? NONE[language]
    : `${SHORT[language].split(' ')[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
