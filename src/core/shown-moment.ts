import { type Bilingual, type Language, t } from './language.ts';

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?$/;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * A day or a moment of the wall clock as people read it, `31-12-2027 14:30` or `31 Dec 2027 14:30`:
 * without its time at midnight, with seconds only where there are any. Other text stays as it is.
 */
export const shownMoment = (text: string): Bilingual => shown(text, '00:00');

/** `none`: the time that is left out, as it stands for a day without one. */
function shown(text: string, none: string): Bilingual {
  const [, year, month = '', day = '', time = '', seconds = ''] = SHAPE.exec(text) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (year === undefined || name === undefined) return t(text, text);
  const exact = /[1-9]/.test(seconds) ? seconds.replace(/\.0+$/, '') : '';
  const clock = time === '' || (time === none && exact === '') ? '' : ` ${time}${exact}`;
  return t(`${Number(day)} ${name} ${year}${clock}`, `${day}-${month}-${year}${clock}`);
}

/** The number format of a cell that shows a day so; its value is a day in either language. */
export const DAY_FORMAT = t('[$-409]d mmm yyyy', 'dd-mm-yyyy');
/** The same of a moment to the minute. */
export const MINUTE_FORMAT = t(`${DAY_FORMAT.en} hh:mm`, `${DAY_FORMAT.nl} hh:mm`);
/** The same of a moment to the second. */
export const MOMENT_FORMAT = t(`${MINUTE_FORMAT.en}:ss`, `${MINUTE_FORMAT.nl}:ss`);

/** The day of a moment. */
export const shownDay = (text: string): Bilingual => shown(text.slice(0, 10), '');

/** When something was done, to the minute: at midnight too, with its time. */
export const shownMinute = (text: string): Bilingual => shown(text.slice(0, 16), '');

/** The same of a moment in the time of the world, `2027-12-31 14:30:00 UTC`. */
export function shownUtc(text: string): Bilingual {
  const { en, nl } = shownMinute(text);
  return t(`${en} UTC`, `${nl} UTC`);
}

/** The days of a period: `01-02-2027 t/m 28-02-2027`. */
export function shownPeriod(from: string, to: string): Bilingual {
  const [first, last] = [shownMoment(from), shownMoment(to)];
  if (from === to) return first;
  return t(`${first.en} to ${last.en}`, `${first.nl} t/m ${last.nl}`);
}

/** Text of a value, where its shape tells that it is a moment: `2027-12-31 14:30:00`. */
const WHOLE = /(?<=^|^.* = )\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/;

/** A value's text: a moment, also behind what was typed, as `shownMoment` writes it; other text as it is. */
export const shownText = (text: string, language: Language): string =>
  text.replace(WHOLE, (moment) => shownMoment(moment)[language]);

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
