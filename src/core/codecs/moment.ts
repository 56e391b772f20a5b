import { type Bilingual, t } from '../language.ts';

/** A moment in wall-clock time. */
export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** A time of day; 24:00 is the end of the day. */
export type TimeOfDay = Pick<Moment, 'hour' | 'minute' | 'second' | 'millisecond'>;

/** The start of a day. */
export const MIDNIGHT: TimeOfDay = { hour: 0, minute: 0, second: 0, millisecond: 0 };

/** A day of the calendar. */
export type Day = Pick<Moment, 'year' | 'month' | 'day'>;

const dateOf = ({ year, month, day }: Day): Date => new Date(Date.UTC(year, month - 1, day));

/** The start of the day that a date has in UTC. */
export const startOf = (date: Date): Moment => ({
  ...{ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
  ...MIDNIGHT,
});

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether the calendar and the clock have this moment; years before 1900 have none. */
export function isMoment({ year, month, day, hour, minute, second }: Moment): boolean {
  const isDay = year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return isDay && hour <= 23 && minute <= 59 && second <= 59;
}

/** The same moment, with 24:00 as 0:00 of the next day. */
export function atMidnight(moment: Moment): Moment {
  return moment.hour === 24 ? startOf(dateOf({ ...moment, day: moment.day + 1 })) : moment;
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** `hh:mm:ss` */
export function showTime({ hour, minute, second }: TimeOfDay): string {
  return `${pad(hour)}:${pad(minute)}:${pad(second)}`;
}

/** `YYYY-MM-DD hh:mm:ss`, with `.SSS` only where there are milliseconds. */
export function showMoment(moment: Moment): string {
  const { year, month, day, millisecond } = moment;
  const text = `${pad(year, 4)}-${pad(month)}-${pad(day)} ${showTime(moment)}`;
  return millisecond === 0 ? text : `${text}.${pad(millisecond, 3)}`;
}

/** The day of the week, 0 for Sunday. */
export const weekdayOf = (day: Day): number => dateOf(day).getUTCDay();

const split = (names: string): readonly string[] => names.split(' ');

/** January first. */
export const MONTHS = {
  en: split('January February March April May June July August September October November December'),
  nl: split('januari februari maart april mei juni juli augustus september oktober november december'),
} as const;

/** Sunday first. */
export const WEEKDAYS = {
  en: split('Sunday Monday Tuesday Wednesday Thursday Friday Saturday'),
  nl: split('zondag maandag dinsdag woensdag donderdag vrijdag zaterdag'),
} as const;

/** A moment in words, in which day and month can't be mixed up: `1 March 2026 14:30`. */
export function momentWords(moment: Moment): Bilingual {
  const { year, month, day, hour, minute } = moment;
  const time = hour === 0 && minute === 0 ? '' : ` ${pad(hour)}:${pad(minute)}`;
  const say = (months: readonly string[]): string => `${day} ${months[month - 1]} ${year}${time}`;
  return { en: say(MONTHS.en), nl: say(MONTHS.nl) };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An estimated duration in words, such as "about 2 minutes". @param ms milliseconds */
export function aboutText(ms: number): Bilingual {
  if (ms < 2 * SECOND) return t('a moment', 'een ogenblik');
  if (ms < 90 * SECOND) {
    // Rounded up to fives: it is an estimate.
    const seconds = ms < 10 * SECOND ? Math.round(ms / SECOND) : 5 * Math.ceil(ms / (5 * SECOND));
    return t(`about ${seconds} seconds`, `ongeveer ${seconds} seconden`);
  }
  if (ms < 90 * MINUTE) {
    const minutes = Math.round(ms / MINUTE);
    return t(`about ${minutes} minutes`, `ongeveer ${minutes} minuten`);
  }
  const hours = Math.round((2 * ms) / HOUR) / 2;
  return t(`about ${hours} hours`, `ongeveer ${String(hours).replace('.', ',')} uur`);
}
