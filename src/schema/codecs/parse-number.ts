import type { Locale } from '../value.ts';

/** A number read from text by one locale, and whether it was written with a decimal mark. */
export interface ParsedNumber {
  readonly value: number;
  readonly fraction: boolean;
}

// A group in front never starts with a zero: `0.125` is nobody's 125.
const PATTERNS: Record<Locale, { plain: RegExp; grouped: RegExp; group: RegExp; decimal: string }> = {
  nl: {
    plain: /^[+-]?(\d+(,\d*)?|,\d+)$/,
    grouped: /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/,
    group: /\./g,
    decimal: ',',
  },
  en: {
    plain: /^[+-]?(\d+(\.\d*)?|\.\d+)$/,
    grouped: /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/,
    group: /,/g,
    decimal: '.',
  },
};

/** Reads text such as `1.234,50` (nl) or `1,234.50` (en); undefined when the locale does not write numbers so. */
export function parseNumber(text: string, locale: Locale): ParsedNumber | undefined {
  const pattern = PATTERNS[locale];
  const grouped = pattern.grouped.test(text);
  if (!grouped && !pattern.plain.test(text)) return undefined;
  const plain = (grouped ? text.replace(pattern.group, '') : text).replace(pattern.decimal, '.');
  return { value: positiveZero(Number(plain)), fraction: plain.includes('.') };
}

/** The value in the other locale, where that one would read the same text differently. */
export function readElsewhere(text: string, locale: Locale): number | undefined {
  const here = parseNumber(text, locale);
  const there = parseNumber(text, locale === 'nl' ? 'en' : 'nl');
  return there !== undefined && there.value !== here?.value ? there.value : undefined;
}

/** Text of a number cell without what surrounds it: blanks, a euro sign, and blanks between groups of thousands. */
export function bareNumber(text: string): string {
  const bare = text
    .trim()
    .replace(/^€\s*|\s*€$/g, '')
    .replace(/^([+-])\s+/, '$1');
  return /^[+-]?[1-9]\d{0,2}(\s\d{3})+([.,]\d*)?$/.test(bare) ? bare.replace(/\s/g, '') : bare;
}

/**
 * What Excel shows: 15 significant digits. Stored results such as 17.950000000000003 become 17.95; whole numbers,
 * ids among them, stay as they are.
 */
export function significant(value: number): number {
  if (Number.isInteger(value)) return positiveZero(value);
  // An amount in cents or finer is exact already, which is far quicker to see than to write out.
  const rounded = Math.round(value * 10_000) / 10_000;
  return rounded === value && Math.abs(value) < 1e9 ? value : Number(value.toPrecision(15));
}

function positiveZero(value: number): number {
  return value === 0 ? 0 : value;
}
