import type { Locale } from '../value.ts';
import { MONTHS, WEEKDAYS, weekdayOf } from './moment.ts';

/** Formats that stand for the short date of whoever opens the file. */
const SHORT_DATES: Readonly<Record<string, Record<Locale, string>>> = {
  'mm-dd-yy': { nl: 'dd-mm-yyyy', en: 'm/d/yyyy' },
  'm/d/yy h:mm': { nl: 'dd-mm-yyyy hh:mm', en: 'm/d/yyyy h:mm' },
};
const TOKENS = /"([^"]*)"?|\\(.)|_.|\*.|\[[^\]]*\]|am\/pm|a\/p|y+|m+|d+|h+|s+|\.0+|[^"\\_*[]/gi;
const VALUE = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(?:^| )(\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?)?$/;

/** A date cell's wall-clock text as the sheet shows it by its format: `31-12-2026`, `1 mrt 2026`, `14:30`. */
export function shownDate(value: string, format: string | undefined, locale: Locale): string {
  const match = VALUE.exec(value);
  if (format === undefined || match === null) return value;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const code = (SHORT_DATES[format]?.[locale] ?? format).replace(/;.*$/s, '');
  const twelve = /am\/pm|a\/p/i.test(code);
  let shown = '';
  for (const { 0: token, 1: quoted, 2: escaped, index } of code.matchAll(TOKENS)) {
    const letter = token.charAt(0).toLowerCase();
    const size = token.length;
    const pad = (part: number): string => (size > 1 ? String(part).padStart(2, '0') : String(part));
    if (quoted !== undefined || escaped !== undefined) shown += quoted ?? escaped;
    else if (/^a/i.test(token) && size > 1) shown += hour < 12 ? 'AM' : 'PM';
    else if (/^[ymd]/.test(letter) && !isMinutes(code, token, index)) {
      // A time that has no day shows none.
      if (match[1] === undefined) return value;
      shown += datePart(letter, size, { year, month, day }, locale);
    } else if (letter === 'm') shown += pad(minute);
    else if (letter === 'h') shown += pad(twelve ? hour % 12 || 12 : hour);
    else if (letter === 's') shown += pad(second);
    else if (letter === '.' && size > 1) shown += `.${(match[7] ?? '000').slice(0, size - 1)}`;
    else if (!/^[_*[]/.test(token)) shown += token;
  }
  return shown.trim();
}

const withoutLiterals = (code: string): string => code.replace(/"[^"]*"?|\\./g, '');

/** An m beside an h or an s is minutes, else months. */
function isMinutes(code: string, token: string, index: number): boolean {
  if (!/^mm?$/i.test(token)) return false;
  const [before = '', after = ''] = [code.slice(0, index), code.slice(index + token.length)].map(
    withoutLiterals,
  );
  return /h[^a-z]*$/i.test(before) || /^[^a-z]*s/i.test(after);
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function datePart(letter: string, size: number, date: Day, locale: Locale): string {
  const { year, month, day } = date;
  if (letter === 'y') return size > 2 ? String(year) : String(year).slice(-2);
  const [number, name] =
    letter === 'm'
      ? [month, MONTHS[locale][month - 1] ?? '']
      : [day, WEEKDAYS[locale][weekdayOf({ ...date, hour: 0, minute: 0, second: 0, millisecond: 0 })] ?? ''];
  if (size > 3) return name;
  if (size < 3) return String(number).padStart(size, '0');
  return locale === 'nl' && letter === 'd' ? name.slice(0, 2) : shortMonth(name);
}

const shortMonth = (name: string): string => (name === 'maart' ? 'mrt' : name.slice(0, 3));
