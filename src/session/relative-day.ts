/** A day that is counted from today: `-7d`, `+30d`, `today`, `month-1m` (the first of last month). */
const RELATIVE =
  /^(?:(today|week-end|week|month-end|month|year-end|year)([+-]\d{1,4}[dwmy])?|([+-]\d{1,4}[dwmy]))$/;

/** Whether a text is a day that is counted from today. */
export const isRelativeDay = (text: string): boolean => RELATIVE.test(text.trim().toLowerCase());

/**
 * The day that a text means, `YYYY-MM-DD`: counted from `today` where it is written so, else the text as it
 * is. Of a month that is too short it is the last day.
 */
export function dayIn(text: string, today: string): string {
  const [whole, anchor = 'today', after, alone] = RELATIVE.exec(text.trim().toLowerCase()) ?? [];
  if (whole === undefined) return text;
  const [, sign = '+', count = '0', unit = 'd'] = /^([+-])(\d+)([dwmy])$/.exec(after ?? alone ?? '') ?? [];
  const number = Number(count) * (sign === '-' ? -1 : 1);
  return textOf(edge(anchor, shifted(new Date(`${today}T00:00:00Z`), number, unit)));
}

const textOf = (day: Date): string => day.toISOString().slice(0, 10);

function shifted(day: Date, number: number, unit: string): Date {
  if (unit === 'd') return plusDays(day, number);
  if (unit === 'w') return plusDays(day, number * 7);
  const months = unit === 'm' ? number : number * 12;
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + months];
  return new Date(Date.UTC(year, month, Math.min(day.getUTCDate(), lengthOf(year, month))));
}

const plusDays = (day: Date, number: number): Date => new Date(day.getTime() + number * 86_400_000);
const lengthOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

function edge(anchor: string, day: Date): Date {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  // Weeks begin on Monday.
  const monday = plusDays(day, -((day.getUTCDay() + 6) % 7));
  if (anchor === 'week') return monday;
  if (anchor === 'week-end') return plusDays(monday, 6);
  if (anchor === 'month') return new Date(Date.UTC(year, month, 1));
  if (anchor === 'month-end') return new Date(Date.UTC(year, month + 1, 0));
  if (anchor === 'year') return new Date(Date.UTC(year, 0, 1));
  if (anchor === 'year-end') return new Date(Date.UTC(year, 11, 31));
  return day;
}

/** The day that it is at a moment in a time zone, `YYYY-MM-DD`. */
export const todayIn = (zone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', {
    ...({ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  }).format(at);
