import type { Locale } from '../value.ts';

/** A number read from text by one locale, and how: with a thousands separator or not. */
export interface ParsedNumber {
  readonly value: number;
  readonly grouped: boolean;
}

const PATTERNS: Record<Locale, { plain: RegExp; grouped: RegExp; group: RegExp; decimal: string }> = {
  nl: {
    plain: /^[+-]?(\d+(,\d*)?|,\d+)$/,
    grouped: /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/,
    group: /\./g,
    decimal: ',',
  },
  en: {
    plain: /^[+-]?(\d+(\.\d*)?|\.\d+)$/,
    grouped: /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/,
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
  return { value: Number(plain), grouped };
}

/** The value in the other locale, where that one would read the same text differently. */
export function readElsewhere(text: string, locale: Locale): number | undefined {
  const here = parseNumber(text, locale);
  const there = parseNumber(text, locale === 'nl' ? 'en' : 'nl');
  return there !== undefined && there.value !== here?.value ? there.value : undefined;
}

/** Text of a number cell without what surrounds it: spaces, NBSP, a euro sign. */
export function bareNumber(text: string): string {
  return text.replace(/[\s\u00a0\u202f]/g, '').replace(/^€|€$/g, '');
}

/** What Excel shows: 15 significant digits. Stored results such as 17.950000000000003 become 17.95. */
export function significant(value: number): number {
  return Number(value.toPrecision(15));
}
