import { BigNumber } from 'bignumber.js';
import type { Bilingual } from '../language.ts';
import type { Locale } from '../value.ts';
import { plainText } from './plain-text.ts';

/** A number read from text in one locale, and how it was written. */
interface ParsedNumber {
  readonly value: number;
  /** With a decimal mark. */
  readonly fraction: boolean;
  /** With a percent sign; `value` is the hundredth part already. */
  readonly percent: boolean;
  /** With a euro sign or its name. */
  readonly currency: boolean;
}

/** The blanks are few: a long run of them would be gone through again and again. */
const EURO = String.raw`\s{0,3}(€|euros?|eur)?\s{0,3}`;

/**
 * How numbers are written with these marks, and what may stand around the digits: a sign, the euro on either
 * side, `,-` for no cents, a percent sign. The first group never starts with a zero: `0.125` is not 125.
 */
const patternsOf = (decimal: string, group: string) => ({
  ...{ decimal, group },
  around: new RegExp(String.raw`^([+-]?)${EURO}([+-]?)\s?(\S.*?)(?:[${decimal}](?:--?|=))?${EURO}(%?)$`, 'i'),
  plain: new RegExp(String.raw`^(\d+([${decimal}]\d*)?|[${decimal}]\d+)$`),
  grouped: new RegExp(String.raw`^[1-9]\d{0,2}([${group}]\d{3})+([${decimal}]\d*)?$`),
  spaced: new RegExp(String.raw`^[1-9]\d{0,2}(?:( \d{3})+|('\d{3})+)([${decimal}]\d*)?$`),
});

const PATTERNS = { nl: patternsOf(',', '.'), en: patternsOf('.', ',') } as const;

/**
 * Reads plain text such as `1.234,50` (nl) or `1,234.50` (en), also with a euro sign or a percent sign;
 * undefined where the locale does not write numbers so.
 */
export function parseNumber(text: string, locale: Locale): ParsedNumber | undefined {
  const pattern = PATTERNS[locale];
  const [, before = '', front, after = '', digits = '', back, percent] = pattern.around.exec(text) ?? [];
  const sign = before + after;
  if (sign.length > 1 || (front !== undefined && back !== undefined)) return undefined;
  const ungrouped = pattern.grouped.test(digits)
    ? digits.replaceAll(pattern.group, '')
    : pattern.spaced.test(digits)
      ? digits.replace(/[ ']/g, '')
      : digits;
  if (!pattern.plain.test(ungrouped)) return undefined;
  const plain = ungrouped.replace(pattern.decimal, '.');
  const size = percent ? significant(Number(plain) / 100) : Number(plain);
  return {
    value: positiveZero(sign === '-' ? -size : size),
    fraction: plain.includes('.'),
    percent: percent === '%',
    currency: (front ?? back) !== undefined,
  };
}

/** The value in the other locale, where it differs from the value in this one. */
export function readElsewhere(text: string, locale: Locale): number | undefined {
  const here = parseNumber(text, locale);
  const there = parseNumber(text, locale === 'nl' ? 'en' : 'nl');
  return there !== undefined && there.value !== here?.value ? there.value : undefined;
}

/** A text that is a number in one locale, as another writes it; any other text stays as it is. */
export function asNumberOf(text: string, from: Locale, to: Locale): string {
  const plain = plainText(text);
  if (from === to || parseNumber(plain, from) === undefined) return text;
  return plain.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
}

/**
 * The only locale that reads a text as a number; null where both do, with different values; undefined where
 * it tells nothing.
 */
export function evidentLocale(text: string): Locale | null | undefined {
  const [nl, en] = [parseNumber(text, 'nl'), parseNumber(text, 'en')];
  if (nl === undefined || en === undefined) return nl === undefined ? en && 'en' : 'nl';
  return nl.value === en.value ? undefined : null;
}

/**
 * A value to the 15 significant digits that Excel shows: 17.950000000000003 becomes 17.95; whole numbers, ids
 * among them, stay as they are.
 */
export function significant(value: number): number {
  if (Number.isInteger(value)) return positiveZero(value);
  // A value of at most four decimals is exact already; this test is far quicker than writing it out.
  const rounded = Math.round(value * 10_000) / 10_000;
  return rounded === value && Math.abs(value) < 1e9 ? value : Number(value.toPrecision(15));
}

function positiveZero(value: number): number {
  return value === 0 ? 0 : value;
}

/** A value in words, with the decimal mark of the reader. */
export function numberWords(value: number): string | Bilingual {
  const text = String(value);
  return text.includes('.') ? { en: text, nl: text.replace('.', ',') } : text;
}

/** With an exponent of four digits at most: in full, more would not fit into memory. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;

/** More digits are no amount, and calculating with them takes minutes. */
const LONGEST = 400;

/**
 * A number of an answer, also as text, to calculate and compare with exactly; null for anything else. Of a
 * JSON number 15 digits count, as in spreadsheets: a service that works in floats writes 30.3 as
 * 30.299999999999997.
 */
export function decimalOf(value: unknown): BigNumber | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const text = typeof value === 'number' ? String(significant(value)) : value.trim();
  return text.length <= LONGEST && NUMBER.test(text) ? new BigNumber(text) : null;
}

/**
 * Whether two numbers are the same decimal number. Whole numbers are exact, ids among them; of fractions 15
 * digits count.
 */
export function sameNumber(one: number, other: number): boolean {
  if (one === other) return true;
  if (Number.isInteger(one) && Number.isInteger(other)) return false;
  return significant(one) === significant(other);
}

/** Zero, as the sum of nothing. */
export const ZERO = new BigNumber(0);
