import { type Bilingual, type Language, t } from '../core/language.ts';
import { monthsOf } from '../records/period-list.ts';
import { MONTHS, NONE } from './finance-rows.ts';
import type { Criterion } from './formulas.ts';
import type { FinanceScope } from './remembered-export.ts';

/** A stretch of time that has a row or a column of its own; its first month tells which it is. */
export interface Stretch {
  /** `YYYY-MM`; null for what has no day. */
  readonly begin: string | null;
  /** The months of it in which there may be something. */
  readonly months: readonly (string | null)[];
}

/** A period, cut into months or years. */
export interface Timeline {
  readonly unit: 'month' | 'year';
  /** Null last. */
  readonly stretches: readonly Stretch[];
  /** Whether some in which there was nothing are not among them. */
  readonly leftOut: boolean;
}

/** A period by month, and by what its columns are: years where months are too many. */
export interface Timelines {
  readonly months: Timeline;
  readonly across: Timeline;
}

/** Above so many months people read years, and only months in which there was something are shown. */
const MONTHS_ACROSS = 36;

/** How a period is cut, when there was something in the months that are `seen`. */
export function timelinesOf(kind: FinanceScope, seen: readonly (string | null)[]): Timelines {
  const asked = monthsOf(kind);
  const long = asked.length > MONTHS_ACROSS;
  const known = new Set(long ? [] : asked);
  for (const month of seen) if (month !== null) known.add(month);
  const sorted = [...known].sort();
  const undated = seen.includes(null) ? [WITHOUT_DAY] : [];
  const months: Timeline = {
    unit: 'month',
    stretches: [...sorted.map((month) => ({ begin: month, months: [month] })), ...undated],
    leftOut: asked.some((month) => !known.has(month)),
  };
  if (!long) return { months, across: months };
  const years = [...new Set(sorted.map(yearOf))];
  const stretches = years.map((year) => ({
    begin: `${year}-01`,
    months: sorted.filter((month) => yearOf(month) === year),
  }));
  const leftOut = asked.some((month) => !years.includes(yearOf(month)));
  return { months, across: { unit: 'year', stretches: [...stretches, ...undated], leftOut } };
}

const WITHOUT_DAY: Stretch = { begin: null, months: [null] };

const yearOf = (month: string): string => month.slice(0, 4);

/** By what a formula adds up the events of a stretch whose first day is in a cell. */
export function within({ begin }: Stretch, unit: Timeline['unit'], cell: string): Criterion[] {
  if (unit === 'month' || begin === null) return [['month', cell]];
  return [
    ['month', `">="&${cell}`],
    ['month', `"<"&EDATE(${cell},12)`],
  ];
}

/** How the first day of a stretch is shown. */
export const stretchFormat = (unit: Timeline['unit'], language: Language): string =>
  unit === 'month' ? MONTHS[language] : 'yyyy';

/** From when to when some stretches are: `May 2027 – Apr 2028`. */
export function stretchesText(
  stretches: readonly Stretch[],
  unit: Timeline['unit'],
  language: Language,
): string {
  const named = ({ begin }: Stretch): string =>
    begin === null ? NONE[language] : unit === 'year' ? yearOf(begin) : monthText(begin, language);
  const dated = stretches.filter(({ begin }) => begin !== null);
  const [first, last] = [dated[0], dated.at(-1)];
  const undated = stretches.filter(({ begin }) => begin === null);
  const ends = [
    ...(first === undefined ? [] : [first]),
    ...(last === undefined || last === first ? [] : [last]),
  ];
  return [...(ends.length === 0 ? [] : [ends.map(named).join(' – ')]), ...undated.map(named)].join(', ');
}

const SHORT_MONTHS: Bilingual = t(
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  'jan feb mrt apr mei jun jul aug sep okt nov dec',
);

const monthText = (month: string, language: Language): string =>
  `${SHORT_MONTHS[language].split(' ')[Number(month.slice(5)) - 1]} ${yearOf(month)}`;
