import { BigNumber } from 'bignumber.js';
import type { Cell } from '../cell.ts';
import { perFormat } from '../codec.ts';
import type { Finding } from '../issue.ts';
import type { Locale } from '../value.ts';
import { MONTHS, WEEKDAYS, weekdayOf } from './datetime.ts';
import { significant } from './number.ts';

/** A placeholder for a digit, or literal text. */
type Piece = { readonly digit: string } | { readonly literal: string };

/** One section of a number format, of the kinds used for codes, amounts and percentages. */
interface NumberFormat {
  readonly before: readonly Piece[];
  readonly least: number;
  readonly most: number;
  readonly after: string;
  readonly grouped: boolean;
  readonly percent: boolean;
}

const NUMBER_TOKENS = /"([^"]*)"?|\\(.)|_.|\*.|\[\$([^\-\]]*)[^\]]*\]|\[[^\]]*\]|[#0?.,%]|[^"\\_*[#0?.,%]/gi;

/**
 * A number as the sheet shows it: `00123` by `00000`, `1.250,00` by `#,##0.00` (nl). General and formats of
 * other kinds (fractions, exponents, conditions) give the plain number with the locale's decimal mark.
 */
export function shownNumber(stored: number, format: string | undefined, locale: Locale): string {
  const value = significant(stored);
  if (format === undefined || !Number.isFinite(value)) return plainNumber(value, locale);
  const sections = sectionsOf(format);
  const own = value < 0 ? sections[1] : value === 0 ? sections[2] : undefined;
  const layout = layoutOf(own ?? sections[0] ?? '');
  if (layout === null || Math.abs(value) >= 1e15) return plainNumber(value, locale);
  const shown = fill(layout, Math.abs(value), locale);
  return value < 0 && own === undefined ? `-${shown}` : shown;
}

/** Further apart than calculating in floats brings two numbers. */
const NOISE = 1e-9;

/** How many decimals a format shows at most, of numbers from zero on and below it; Infinity where unknown. */
const decimalsOf = perFormat((format) => {
  const [first = '', second = first] = sectionsOf(format);
  return [first, second].map((section) => layoutOf(section)?.most ?? Number.POSITIVE_INFINITY);
});

/** Whether a number has decimals that its format does not show; false for formats of other kinds. */
export function hidesDecimals(value: number, format: string): boolean {
  if (Number.isInteger(value)) return false;
  const most = decimalsOf(format)[value < 0 ? 1 : 0] as number;
  if (most === Number.POSITIVE_INFINITY) return false;
  const scale = 10 ** most;
  return Math.abs(Math.round(value * scale) / scale - value) > NOISE * Math.max(1, Math.abs(value));
}

/** The text that a format writes around the digits, with blanks in their place. */
export function literalText(format: string): string {
  let text = '';
  for (const [token, quoted, escaped, currency] of format.matchAll(NUMBER_TOKENS))
    text += quoted ?? escaped ?? currency ?? (/^[#0?.,_*[]/.test(token) ? ' ' : token);
  return text;
}

function plainNumber(value: number, locale: Locale): string {
  const text = String(value);
  const digits = { useGrouping: false, maximumSignificantDigits: 15 } as const;
  const whole = text.includes('e') ? value.toLocaleString('en', digits) : text;
  return locale === 'nl' ? whole.replace('.', ',') : whole;
}

/** The sections for positive, negative and zero; a semicolon in quotes separates nothing. */
function sectionsOf(format: string): string[] {
  return format.match(/(?:"[^"]*"?|\\.|[^;"\\])+/g) ?? [];
}

/** A colour, such as `[Red]` or `[Color 10]`, changes no digit. */
const COLOURS = /\[(?:black|blue|cyan|green|magenta|red|white|yellow|colou?r ?\d+)\]/gi;
const OTHER_KINDS = /[e/@?]|general|\[[<>=]|,(?=[^#0]*$)|,\./i;

const layoutOf = perFormat((section): NumberFormat | null => {
  const bare = section
    .replace(/"[^"]*"?|\\./g, '')
    .replace(/\[\$[^\]]*\]/g, '')
    .replace(COLOURS, '');
  if (OTHER_KINDS.test(bare) || !/[#0]/.test(bare)) return null;
  const before: Piece[] = [];
  let [least, most, point, grouped, percent] = [0, 0, false, false, false];
  let after = '';
  for (const [token, quoted, escaped, currency] of section.matchAll(NUMBER_TOKENS)) {
    if (token === '.') point = true;
    else if (token === ',') grouped = true;
    else if (token === '#' || token === '0') {
      if (!point) before.push({ digit: token });
      else if (after !== '') return null;
      else {
        most++;
        if (token === '0') least = most;
      }
    } else {
      if (token === '%') percent = true;
      const literal = quoted ?? escaped ?? currency ?? (/^[_*[]/.test(token) ? '' : token);
      if (point) after += literal;
      else before.push({ literal });
    }
  }
  return { before, least, most, after, grouped, percent };
});

/** A number with so many decimals, halves rounded away from zero as spreadsheets do: 35.535 is 35.54. */
function rounded(value: number, decimals: number): string {
  if (Number.isInteger(value)) return value.toFixed(decimals);
  return new BigNumber(significant(value)).toFixed(decimals, BigNumber.ROUND_HALF_UP);
}

/** Puts the digits on their places from the right; digits left over go before the first place. */
function fill(
  { before, least, most, after, grouped, percent }: NumberFormat,
  size: number,
  locale: Locale,
): string {
  const [mark, group] = locale === 'nl' ? [',', '.'] : ['.', ','];
  const [whole = '', decimals = ''] = rounded(percent ? size * 100 : size, most).split('.');
  let kept = decimals;
  while (kept.length > least && kept.endsWith('0')) kept = kept.slice(0, -1);
  let rest = whole === '0' ? '' : whole;
  let places = before.filter((piece) => 'digit' in piece).length;
  let shown = '';
  let count = 0;
  const put = (digit: string): void => {
    shown = `${digit}${grouped && count > 0 && count % 3 === 0 ? group : ''}${shown}`;
    count++;
  };
  for (const piece of [...before].reverse()) {
    if ('literal' in piece) {
      shown = piece.literal + shown;
      continue;
    }
    places--;
    if (rest !== '') put(rest.slice(-1));
    else if (piece.digit === '0') put('0');
    rest = rest.slice(0, -1);
    while (places === 0 && rest !== '') {
      put(rest.slice(-1));
      rest = rest.slice(0, -1);
    }
  }
  return `${shown}${most > 0 && kept !== '' ? `${mark}${kept}` : ''}${after}`.trim();
}

/** Formats that each program shows as its own short date. */
const SHORT_DATES: Readonly<Record<string, Record<Locale, string>>> = {
  'mm-dd-yy': { nl: 'dd-mm-yyyy', en: 'm/d/yyyy' },
  'm/d/yy h:mm': { nl: 'dd-mm-yyyy hh:mm', en: 'm/d/yyyy h:mm' },
};
const DATE_TOKENS = /"([^"]*)"?|\\(.)|_.|\*.|\[[^\]]*\]|am\/pm|a\/p|y+|m+|d+|h+|s+|\.0+|[^"\\_*[]/gi;
const VALUE = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(?:^| )(\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?)?$/;

/** A date cell's text as its format shows it: `31-12-2026`, `1 mrt 2026`, `14:30`. */
export function shownDate(value: string, format: string | undefined, locale: Locale): string {
  const match = VALUE.exec(value);
  if (format === undefined || match === null) return value;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const code = (SHORT_DATES[format]?.[locale] ?? format).replace(/;.*$/s, '');
  const twelve = /am\/pm|a\/p/i.test(code);
  let shown = '';
  for (const { 0: token, 1: quoted, 2: escaped, index } of code.matchAll(DATE_TOKENS)) {
    const letter = token.charAt(0).toLowerCase();
    const size = token.length;
    const pad = (part: number): string => (size > 1 ? String(part).padStart(2, '0') : String(part));
    if (quoted !== undefined || escaped !== undefined) shown += quoted ?? escaped;
    else if (/^a/i.test(token) && size > 1) shown += hour < 12 ? 'AM' : 'PM';
    else if (/^[ymd]/.test(letter) && !isMinutes(code, token, index)) {
      // A time without a day shows none.
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

/** An m beside an h or an s means minutes, else months. */
function isMinutes(code: string, token: string, index: number): boolean {
  if (!/^mm?$/i.test(token)) return false;
  const [before = '', after = ''] = [code.slice(0, index), code.slice(index + token.length)].map(
    withoutLiterals,
  );
  return /h[^a-z]*$/i.test(before) || /^[^a-z]*s/i.test(after);
}

function datePart(
  letter: string,
  size: number,
  date: Parameters<typeof weekdayOf>[0],
  locale: Locale,
): string {
  const { year, month, day } = date;
  if (letter === 'y') return size > 2 ? String(year) : String(year).slice(-2);
  const isMonth = letter === 'm';
  const number = isMonth ? month : day;
  const name = (isMonth ? MONTHS[locale][month - 1] : WEEKDAYS[locale][weekdayOf(date)]) ?? '';
  if (size > 3) return name;
  if (size < 3) return String(number).padStart(size, '0');
  return locale === 'nl' && letter === 'd' ? name.slice(0, 2) : shortMonth(name);
}

const shortMonth = (name: string): string => (name === 'maart' ? 'mrt' : name.slice(0, 3));

/** A unit that number formats show: as they write it, and all that stands for the same one. */
interface Unit {
  readonly unit: string;
  /** The first spelling of it in the table. */
  readonly name: string;
  /** Where the table has what it measures. */
  readonly quantity: number;
}

/** What each line measures: its units, each in all its spellings. */
const QUANTITIES: readonly string[] = [
  'kg,kgs,kilo,kilos,kilogram,kilograms|g,gr,gram,grams,grammen|mg,milligram,milligrams|ton,tons,tonnen|pond|ons|lb,lbs,pound,pounds|oz,ounce,ounces',
  'l,lt,ltr,liter,liters,litre,litres|dl,deciliter,deciliters|cl,centiliter,centiliters|ml,milliliter,milliliters',
  'm,meter,meters,metre,metres|km,kilometer,kilometers|cm,centimeter,centimeters|mm,millimeter,millimeters',
  'u,h,hr,hrs,uur,uren,hour,hours|min,minuut,minuten,minute,minutes|dag,dagen,day,days',
];

const UNITS: ReadonlyMap<string, Omit<Unit, 'unit'>> = new Map(
  QUANTITIES.flatMap((units, quantity) =>
    units.split('|').flatMap((spellings) => {
      const all = spellings.split(',');
      return all.map((spelling) => [spelling, { name: all[0] as string, quantity }] as const);
    }),
  ),
);

/** `kg`; of `m2` no part is a unit of the table. */
const WORD = /\p{L}[\p{L}\p{N}]*/gu;
/** A format of numbers: in one of dates `m` is a month. */
const OF_NUMBERS = /[#0?]|general/i;

/** The unit that a word is. */
const unitOf = (word: string): Unit | undefined => {
  const unit = UNITS.get(word.toLowerCase());
  return unit && { ...unit, unit: word };
};

/** The units that a number format shows, in front of the digits or behind them, in whichever section. */
export const unitsIn = perFormat((format): readonly Unit[] => {
  if (!OF_NUMBERS.test(format.replace(/"[^"]*"?|\\./g, ''))) return [];
  const words = literalText(format.replace(/general/gi, '0')).match(WORD) ?? [];
  const found = words.flatMap((word) => unitOf(word) ?? []);
  return found.filter(({ name }, at) => found.findIndex((one) => one.name === name) === at);
});

/** The units of which others measure the same: nobody can tell in which one a number is meant. */
export function differingUnits<U extends Unit>(units: readonly U[]): U[] {
  return units.filter(({ name, quantity }) =>
    units.some((other) => other.quantity === quantity && other.name !== name),
  );
}

/** The finding on a number in a column with these differing units, unless it shows what measures something else. */
export function unitFinding(
  cell: Cell,
  locale: Locale,
  differing: readonly Unit[] = [],
): Finding | undefined {
  if (cell.type !== 'number' || differing.length === 0) return undefined;
  const own = cell.format === undefined ? [] : unitsIn(cell.format);
  const isOther = own.every((unit) => differing.every(({ quantity }) => quantity !== unit.quantity));
  if (own.length > 0 && isOther) return undefined;
  const hint = differing
    .slice(0, MOST_UNITS)
    .map(({ unit }) => unit)
    .join(', ');
  return { code: 'units-differ', found: shownNumber(cell.value, cell.format, locale), hint };
}

/** Units of a column that are named. */
const MOST_UNITS = 4;
