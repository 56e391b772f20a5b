/** Days of a list, both included, `YYYY-MM-DD`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** So many lists a period is cut into at most, and so few months each is for. */
const MOST = 24;

/**
 * A period cut at months, so that no one list is a large one: into as many lists as it has months, and at most some twenty.
 */
export function cutAtMonths({ from, to }: Days): Days[] {
  const [first, last] = [monthNumber(from), monthNumber(to)];
  const size = Math.ceil((last - first + 1) / MOST);
  const cuts: Days[] = [];
  for (let month = first; month <= last; month += size) {
    const end = lastDay(Math.min(month + size - 1, last));
    cuts.push({ from: month === first ? from : `${monthText(month)}-01`, to: end > to ? to : end });
  }
  return cuts;
}

/** The months that the days are in, `YYYY-MM`. */
export function monthsOf({ from, to }: Days): string[] {
  const first = monthNumber(from);
  return Array.from({ length: monthNumber(to) - first + 1 }, (_, at) => monthText(first + at));
}

/** Whether a moment is on one of the days. */
export function isOnDays(moment: string | null, { from, to }: Days): boolean {
  const day = moment?.slice(0, 10) ?? '';
  return day >= from && day <= to;
}

const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

const monthText = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;

function lastDay(month: number): string {
  const day = new Date(0);
  day.setUTCFullYear(Math.floor(month / 12), (month % 12) + 1, 0);
  return `${monthText(month)}-${String(day.getUTCDate()).padStart(2, '0')}`;
}
