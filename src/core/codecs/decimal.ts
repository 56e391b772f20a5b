import { z } from 'zod';
import type { Cell } from '../cell.ts';
import { type Codec, cellText, type DecodedCell, decoded, finding, perFormat, readScalar } from '../codec.ts';
import type { Finding } from '../issue.ts';
import type { IssueCode } from '../issue-catalogue.ts';
import { type Bilingual, t, withFlag } from '../language.ts';
import type { Locale } from '../value.ts';
import { numberWords, parseNumber, readElsewhere, significant } from './number.ts';
import { isNullWord, LEAVE_EMPTY, plainText } from './plain-text.ts';
import { hidesDecimals, literalText, shownNumber } from './shown-cell.ts';

/**
 * What a number format tells the reader: a plain number, a percentage, a percent sign that is only text, a sign
 * that no number has here, another currency, an elapsed time (`[h]:mm`), or that thousands are left out.
 */
type FormatMeaning =
  | { readonly kind: 'plain' | 'percent' | 'percent-sign' | 'per-mille' | 'other-money' | 'elapsed' }
  | { readonly kind: 'scaled'; readonly by: number };

const ELAPSED = /\[(?:h+|m+|s+)\]/i;
/**
 * A currency as Excel writes it, `[$€-413]` or `[$EUR]`: without a sign it is only a language, and with neither
 * language nor code only text, such as `[$kg]`.
 */
const CURRENCY = /\[\$(?:([^\-\]]+)-[^\]]*|\s*([A-Z]{3})\s*)\]/g;
const EURO_SIGN = /^\s*(?:€|eur|euros?)\s*$/i;
/** Another currency than the euro, by its sign, its code or what people write for it. */
const OTHER_MONEY =
  /[^\P{Sc}€]|ƒ|(?<!\p{L})(?:usd|gbp|chf|sek|nok|dkk|isk|pln|czk|huf|ron|bgn|jpy|cny|cad|aud|nzd|hkd|sgd|zar|inr|brl|mxn|ils|aed|rub|uah|nlg|hfl|dollars?|kr|s?fr|zł|kč|lei|rs)(?!\p{L})/iu;
const PER_MILLE = /[‰‱]/;
/** Commas behind the last digit, or before the decimal mark, each divide the number by a thousand. */
const SCALE = /[#0?](,+)(?=\.|[^#0?,.]*$)/;

/** What a number format means. */
export const formatMeaning = perFormat((format): FormatMeaning => {
  const bare = format.replace(/"[^"]*"?|[\\_*]./g, '');
  if (ELAPSED.test(bare)) return { kind: 'elapsed' };
  const words = literalText(format);
  if (isOtherMoney(format, words)) return { kind: 'other-money' };
  if (bare.includes('%')) return { kind: 'percent' };
  if (words.includes('%')) return { kind: 'percent-sign' };
  if (PER_MILLE.test(words)) return { kind: 'per-mille' };
  const commas = SCALE.exec(bare.split(';')[0] ?? '')?.[1]?.length ?? 0;
  return commas === 0 ? { kind: 'plain' } : { kind: 'scaled', by: 1000 ** commas };
});

function isOtherMoney(format: string, words: string): boolean {
  const signs = [...format.matchAll(CURRENCY)].map(([, sign = '', code = sign]) => code);
  return signs.some((sign) => !EURO_SIGN.test(sign)) || OTHER_MONEY.test(words);
}

/** Days as an elapsed time in hours: 1.875 is `45:00`. */
export function elapsedText(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const two = (part: number): string => String(part).padStart(2, '0');
  const rest = seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`;
  return `${days < 0 ? '-' : ''}${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}${rest}`;
}

const OTHER_LOCALE: Bilingual = withFlag(
  t(
    'it reads as a number in the other locale: correct it, or choose that locale for the file',
    'in de andere landinstelling is het wel een getal: verbeter het, of kies die voor het bestand',
  ),
  '--locale',
);
/** Advice on an amount in another currency. */
const IN_EUROS: Bilingual = t('amounts are in euros', 'bedragen zijn in euro’s');
/** Advice on an elapsed time, which Excel counts in days. */
export const ELAPSED_TIME: Bilingual = t(
  'it is an elapsed time, which the cell holds in days; enter a number',
  'het is een tijdsduur, die de cel in dagen bevat; vul een getal in',
);
const DATE: Bilingual = t(
  'the cell holds a date or time: give it a number format and enter the number again',
  'de cel bevat een datum of tijd: geef haar een getalnotatie en vul het getal opnieuw in',
);

/** What people type where there is no value. */
const NOTHING =
  /^([-–—]+|\?+|\.+|x+|n\.?v\.?t\.?|n\/a|nb|geen|none|onbekend|unknown|leeg|empty|niet geteld|not counted)$/i;
const WITH_UNIT = /^[+-]?[\d.,' ]*\d\s*([a-z°²³/‰‱][^\d]*)$/i;

/** Advice on a cell that holds no number; undefined where there is none. */
export function numberHint({ type }: Cell, plain: string, locale: Locale): Bilingual | undefined {
  if (type === 'date') return DATE;
  if (type !== 'text') return undefined;
  if (readElsewhere(plain, locale) !== undefined) return OTHER_LOCALE;
  if (NOTHING.test(plain) || isNullWord(plain)) return LEAVE_EMPTY;
  if (OTHER_MONEY.test(plain)) return IN_EUROS;
  const unit = WITH_UNIT.exec(plain)?.[1]?.trim();
  if (unit === undefined || /^e[+-]?$/i.test(unit)) return undefined;
  return withoutSign(unit);
}

function withoutSign(unit: string): Bilingual {
  return t(`enter the number without "${unit}"`, `vul het getal in zonder "${unit}"`);
}

/** What most numbers look like: a locale's own writing, which the other reads the same or not at all. */
const PLAIN_DECIMAL: Record<Locale, RegExp> = {
  nl: /^(0|-?[1-9]\d{0,11})(,\d\d?)?$/,
  en: /^(0|-?[1-9]\d{0,11})(\.\d\d?)?$/,
};

function decodeText(cell: Cell, text: string, locale: Locale): DecodedCell<number> {
  if (PLAIN_DECIMAL[locale].test(text)) return decoded(Number(text.replace(',', '.')));
  const plain = plainText(text);
  const parsed = parseNumber(plain, locale);
  if (parsed === undefined || !Number.isFinite(parsed.value)) return noNumber(cell, plain, locale);
  return decoded(parsed.value, warningOn(text, plain, parsed, locale));
}

/** How the number is written in a way its reader may not expect. */
function warningOn(
  found: string,
  plain: string,
  { value, percent }: NonNullable<ReturnType<typeof parseNumber>>,
  locale: Locale,
): Finding | undefined {
  const warn = (code: IssueCode): Finding => finding(code, found, numberWords(value));
  if (readElsewhere(plain, locale) !== undefined) return warn('number-grouping');
  return percent ? warn('number-percent') : undefined;
}

function noNumber(cell: Cell, plain: string, locale: Locale): DecodedCell<never> {
  return refused(cellText(cell), locale, numberHint(cell, plain, locale));
}

/** The message gives an example in the file's locale. */
function refused(found: string, locale: Locale, hint: Bilingual | undefined): DecodedCell<never> {
  const about = finding('number-expected', found, hint);
  return { ok: false, finding: locale === 'nl' ? about : { ...about, locale } };
}

/** A number cell's value, unless its format shows something else than a plain number. */
function decodeNumber(cell: Cell, stored: number, locale: Locale): DecodedCell<number> {
  const value = significant(stored);
  if (cell.format === undefined) return decoded(value);
  const meaning = formatMeaning(cell.format);
  const warn = (code: IssueCode, found: string): DecodedCell<number> =>
    decoded(value, finding(code, found, numberWords(value)));
  switch (meaning.kind) {
    case 'plain':
      // What is held is sent, as an export holds it: rounding it would change records that nobody touched.
      return hidesDecimals(value, cell.format)
        ? warn('number-scaled', shownNumber(value, cell.format, locale))
        : decoded(value);
    // `21%` is 0.21 in Excel, and in the field; with a sign that is only text it is 21.
    case 'percent':
      return warn('number-percent', `${String(significant(value * 100))}%`);
    case 'percent-sign':
      return warn('number-percent', shownNumber(value, cell.format, locale));
    case 'scaled':
      return warn('number-scaled', String(significant(value / meaning.by)));
    case 'per-mille':
      return refused(shownNumber(value, cell.format, locale), locale, withoutSign('‰'));
    case 'other-money':
      return refused(shownNumber(value, cell.format, locale), locale, IN_EUROS);
    case 'elapsed':
      return refused(elapsedText(value), locale, ELAPSED_TIME);
  }
}

/** Numbers as JSON and programs write them; no hexadecimals. */
const ANSWERED = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A float of the interface: number cells to the 15 digits that are shown, texts by the locale. */
export const decimalCodec: Codec<number> = {
  type: 'decimal',
  decode(cell, locale) {
    if (cell.type === 'number' && Number.isFinite(cell.value)) return decodeNumber(cell, cell.value, locale);
    if (cell.type === 'text') return decodeText(cell, cell.value, locale);
    return noNumber(cell, '', locale);
  },
  read: readScalar((value) => {
    if (typeof value === 'boolean') return Number(value);
    if (typeof value !== 'string') return value;
    const text = value.trim();
    if (text === '') return null;
    const number = ANSWERED.test(text) ? Number(text) : Number.NaN;
    return Number.isFinite(number) ? number : value;
  }),
  wire: z.number(),
};
