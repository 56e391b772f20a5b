import { type Bilingual, type Language, t } from '../core/language.ts';
import { monthsOf } from '../records/period-list.ts';
import type { FinanceScope } from './export-snapshot.ts';
import { NONE } from './finance-rows.ts';
import type { Criterion } from './formulas.ts';

/** A month or year with a row or column of its own. */
export interface Bucket {
  readonly unit: 'month' | 'year';
  /** Its first month, `YYYY-MM`; null for events without a day. */
  readonly start: string | null;
  /** Its months; of a year, only those that are shown. */
  readonly months: readonly (string | null)[];
}

/** A period in months or years. */
export interface Timeline extends Pick<Bucket, 'unit'> {
  /** In order; the one of events without a day is last. */
  readonly buckets: readonly Bucket[];
  /** Whether empty ones were left out. */
  readonly leftOut: boolean;
}

/** A period by month, and by the unit of columns: years where there are too many months. */
interface Timelines {
  readonly months: Timeline;
  readonly across: Timeline;
}

/** Beyond this, columns are years, and empty months are left out. */
const MONTHS_ACROSS = 36;

/** Cuts a period into buckets; `seen` are the months that have events. */
export function timelinesOf(scope: FinanceScope, seen: readonly (string | null)[]): Timelines {
  const asked = monthsOf(scope);
  const long = asked.length > MONTHS_ACROSS;
  const known = new Set(long ? [] : asked);
  for (const month of seen) if (month !== null) known.add(month);
  const sorted = [...known].sort();
  /** The buckets of a unit, by how much of `YYYY-MM` its name takes. */
  const timeline = (unit: Bucket['unit'], length: number): Timeline => {
    const names = (months: readonly string[]) => new Set(months.map((month) => month.slice(0, length)));
    const shown = names(sorted);
    const buckets = [...shown].map((name) => ({
      ...{ unit, start: `${name}-01`.slice(0, 7) },
      months: sorted.filter((month) => month.startsWith(name)),
    }));
    const undated = seen.includes(null) ? [{ unit, start: null, months: [null] }] : [];
    return {
      unit,
      buckets: [...buckets, ...undated],
      leftOut: [...names(asked)].some((name) => !shown.has(name)),
    };
  };
  const months = timeline('month', 7);
  return { months, across: long ? timeline('year', 4) : months };
}

const yearOf = (month: string): string => month.slice(0, 4);

/** The criteria of a bucket's events, for a formula; `cell` holds the bucket's first day. */
export function within({ unit, start }: Bucket, cell: string): Criterion[] {
  if (unit === 'month' || start === null) return [['month', cell]];
  return [
    ['month', `">="&${cell}`],
    ['month', `"<"&EDATE(${cell},12)`],
  ];
}

/** The range of some buckets: `May 2027 – Apr 2028`. */
export function bucketsText(buckets: readonly Bucket[], language: Language): string {
  const dated = buckets.flatMap(({ unit, start }) =>
    start === null ? [] : [unit === 'year' ? yearOf(start) : monthText(start, language)],
  );
  const ends = [...new Set([...dated.slice(0, 1), ...dated.slice(-1)])].join(' – ');
  const undated = buckets.length > dated.length ? NONE[language] : '';
  return [ends, undated].filter((text) => text !== '').join(', ');
}

const SHORT_MONTHS: Bilingual = t(
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  'jan feb mrt apr mei jun jul aug sep okt nov dec',
);

const monthText = (month: string, language: Language): string =>
  `${SHORT_MONTHS[language].split(' ')[Number(month.slice(5)) - 1]} ${yearOf(month)}`;
