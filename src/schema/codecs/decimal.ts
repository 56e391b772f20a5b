import { z } from 'zod';
import { type Codec, cellText, decoded, scalar, undecodable, unreadable } from '../codec.ts';
import type { Finding } from '../issue.ts';
import type { Locale } from '../value.ts';
import { bareNumber, parseNumber, readElsewhere, significant } from './parse-number.ts';

function decodeText(text: string, locale: Locale): ReturnType<Codec<number>['decode']> {
  const bare = bareNumber(text);
  const parsed = parseNumber(bare, locale);
  const elsewhere = readElsewhere(bare, locale);
  if (parsed === undefined) return undecodable(notANumber(text, elsewhere));
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

/** A float of the interface: number cells, and text by the locale. */
export const decimalCodec: Codec<number> = {
  type: 'decimal',
  decode(cell, locale) {
    if (cell.type === 'number') return decoded(significant(cell.value));
    if (cell.type === 'text') return decodeText(cell.value, locale);
    return undecodable({ code: 'number-expected', found: cellText(cell) });
  },
  encode: (value) => value,
  read(answer) {
    const value = scalar(answer);
    if (value === undefined) return unreadable(answer);
    if (typeof value === 'boolean') return Number(value);
    if (typeof value !== 'string') return value;
    const number = Number(value.trim());
    return value.trim() === '' ? null : Number.isFinite(number) ? number : value;
  },
  wire: z.number(),
};
