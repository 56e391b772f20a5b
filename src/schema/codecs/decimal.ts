import { z } from 'zod';
import { type Codec, cellText, decoded, scalar, undecodable, unreadable } from '../codec.ts';
import type { Finding } from '../issue.ts';
import type { Locale } from '../value.ts';
import { bareNumber, parseNumber, readElsewhere, significant } from './parse-number.ts';

/** What most numbers look like: no locale but their own reads them in another way. */
const PLAIN: Record<Locale, RegExp> = {
  nl: /^(0|-?[1-9]\d{0,11})(,\d\d?)?$/,
  en: /^(0|-?[1-9]\d{0,11})(\.\d\d?)?$/,
};

function decodeText(text: string, locale: Locale): ReturnType<Codec<number>['decode']> {
  if (PLAIN[locale].test(text)) return decoded(Number(text.replace(',', '.')));
  const bare = bareNumber(text);
  const parsed = parseNumber(bare, locale);
  const elsewhere = readElsewhere(bare, locale);
  if (parsed === undefined) return undecodable(notANumber(text, elsewhere));
  if (!Number.isFinite(parsed.value)) return undecodable({ code: 'number-expected', found: text });
  if (elsewhere === undefined) return decoded(parsed.value);
  return decoded(parsed.value, { code: 'number-grouping', found: text, hint: String(parsed.value) });
}

function notANumber(text: string, elsewhere: number | undefined): Finding {
  if (elsewhere === undefined) return { code: 'number-expected', found: text };
  return {
    code: 'number-expected',
    found: text,
    hint: {
      en: 'it reads as a number in the other locale: correct it, or use --locale for the whole file',
      nl: 'in de andere landinstelling is het wel een getal: verbeter het, of gebruik --locale voor het hele bestand',
    },
  };
}

/** Numbers as JSON and programs write them, no hexadecimals. */
const ANSWERED = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A float of the interface: number cells, to the 15 digits that are shown, and text by the locale. */
export const decimalCodec: Codec<number> = {
  type: 'decimal',
  decode(cell, locale) {
    if (cell.type === 'number' && Number.isFinite(cell.value)) return decoded(significant(cell.value));
    if (cell.type === 'text') return decodeText(cell.value, locale);
    return undecodable({ code: 'number-expected', found: cellText(cell) });
  },
  encode: (value) => value,
  read(answer) {
    const value = scalar(answer);
    if (value === undefined) return unreadable(answer);
    if (typeof value === 'boolean') return Number(value);
    if (typeof value !== 'string') return value;
    const text = value.trim();
    if (text === '') return null;
    const number = ANSWERED.test(text) ? Number(text) : Number.NaN;
    return Number.isFinite(number) ? number : value;
  },
  wire: z.number(),
};
