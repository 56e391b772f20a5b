import type { EventPeriod } from '../../schema/resource.ts';

/** Days of a list, both inclusive, `YYYY-MM-DD`. */
export type MonthsPeriod = Pick<EventPeriod, 'DatumVan' | 'DatumTot'>;

/** So many months are asked for at once: a quarter with its margins, and still an answer of a decent size. */
const AT_ONCE = 6;
const DAY = 86_400_000;

const utc = (day: string): number => Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
const monthOf = (moment: number): string => new Date(moment).toISOString().slice(0, 7);

/** The month after, `YYYY-MM`. */
function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return monthOf(Date.UTC(year, number, 1));
}

/** The months (`YYYY-MM`) within `margin` days of a day. */
export function monthsAround(day: string, margin: number): string[] {
  const moment = utc(day);
  // Dates at the very ends of the calendar have no days before or after them.
  if (Number.isNaN(moment)) return [];
  const last = monthOf(moment + margin * DAY);
  const months = [monthOf(moment - margin * DAY)];
  for (let month = months[0] ?? last; month < last; ) {
    month = nextMonth(month);
    months.push(month);
  }
  return months;
}

/** Months that follow one another, as the periods to ask for. */
export function runsOf(months: Iterable<string>): string[][] {
  const runs: string[][] = [];
  for (const month of [...new Set(months)].sort()) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    const follows = previous !== undefined && nextMonth(previous) === month;
    if (run !== undefined && follows && run.length < AT_ONCE) run.push(month);
    else runs.push([month]);
  }
  return runs;
}

/** From the first day of a run of months to its last. */
export function periodOf(run: readonly string[]): MonthsPeriod {
  const [first = '', last = first] = [run[0], run.at(-1)];
  const end = new Date(Date.UTC(Number(last.slice(0, 4)), Number(last.slice(5)), 0));
  return { DatumVan: `${first}-01`, DatumTot: end.toISOString().slice(0, 10) };
}
