import { type Bilingual, type Language, t } from '../core/language.ts';
import { monthsOf } from '../records/period-list.ts';
import type { FinanceScope } from './export-snapshot.ts';
import { MONTHS, NONE } from './finance-rows.ts';
import type { Criterion } from './formulas.ts';

/** A month or year with a row or column of its own. */
export interface Bucket {
  /** Its first month, `YYYY-MM`; null for events without a day. */
  readonly start: string | null;
  /** Its months; of a year, only those that are shown. */
  readonly months: readonly (string | null)[];
}

/** A period in months or years. */
export interface Timeline {
  readonly unit: 'month' | 'year';
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
  const undated = seen.includes(null) ? [WITHOUT_DAY] : [];
  const months: Timeline = {
    unit: 'month',
    buckets: [...sorted.map((month) => ({ start: month, months: [month] })), ...undated],
    leftOut: asked.some((month) => !known.has(month)),
  };
  if (!long) return { months, across: months };
  const years = [...new Set(sorted.map(yearOf))];
  const buckets = years.map((year) => ({
    start: `${year}-01`,
    months: sorted.filter((month) => yearOf(month) === year),
  }));
  const leftOut = asked.some((month) => !years.includes(yearOf(month)));
  return { months, across: { unit: 'year', buckets: [...buckets, ...undated], leftOut } };
}

const WITHOUT_DAY: Bucket = { start: null, months: [null] };

const yearOf = (month: string): string => month.slice(0, 4);

/** The criteria of a bucket's events, for a formula; `cell` holds the bucket's first day. */
export function within({ start }: Bucket, unit: Timeline['unit'], cell: string): Criterion[] {
  if (unit === 'month' || start === null) return [['month', cell]];
  return [
    ['month', `">="&${cell}`],
    ['month', `"<"&EDATE(${cell},12)`],
  ];
}

/** The number format of a bucket's first day. */
export const bucketFormat = (unit: Timeline['unit'], language: Language): string =>
  unit === 'month' ? MONTHS[language] : 'yyyy';

/** The range of some buckets: `May 2027 – Apr 2028`. */
export function bucketsText(buckets: readonly Bucket[], unit: Timeline['unit'], language: Language): string {
  const dated = buckets.flatMap(({ start }) =>
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
