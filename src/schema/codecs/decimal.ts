import { z } from 'zod';
import type { Cell } from '../cell.ts';
import { type Codec, cellText, type Decoded, decoded, scalar, undecodable, unreadable } from '../codec.ts';
import type { Finding } from '../issue.ts';
import type { IssueCode } from '../issue-catalogue.ts';
import type { Bilingual, Locale } from '../value.ts';
import { ELAPSED_TIME, EUROS, numberHint } from './number-hints.ts';
import { elapsedText, numberSense } from './number-sense.ts';
import { numberWords, type ParsedNumber, parseNumber, readElsewhere, significant } from './parse-number.ts';
import { plainText } from './plain-text.ts';
import { shownNumber } from './shown-number.ts';

/** What most numbers look like: no locale but their own reads them in another way. */
const PLAIN: Record<Locale, RegExp> = {
  nl: /^(0|-?[1-9]\d{0,11})(,\d\d?)?$/,
  en: /^(0|-?[1-9]\d{0,11})(\.\d\d?)?$/,
};

function decodeText(cell: Cell, text: string, locale: Locale): Decoded<number> {
  if (PLAIN[locale].test(text)) return decoded(Number(text.replace(',', '.')));
  const plain = plainText(text);
  const parsed = parseNumber(plain, locale);
  if (parsed === undefined || !Number.isFinite(parsed.value)) return noNumber(cell, plain, locale);
  return decoded(parsed.value, warningOn(text, plain, parsed, locale));
}

/** What about a number's writing its reader may not expect. */
function warningOn(
  found: string,
  plain: string,
  { value, percent, odd }: ParsedNumber,
  locale: Locale,
): Finding | undefined {
  const warn = (code: IssueCode): Finding => ({ code, found, hint: numberWords(value) });
  if (readElsewhere(plain, locale) !== undefined) return warn('number-grouping');
  if (percent) return warn('number-percent');
  return odd ? warn('number-written-oddly') : undefined;
}

function noNumber(cell: Cell, plain: string, locale: Locale): Decoded<never> {
  return refused(cellText(cell), locale, numberHint(cell, plain, locale).hint);
}

/** The example in the message is written as the locale writes numbers. */
function refused(found: string, locale: Locale, hint: Bilingual | undefined): Decoded<never> {
  return undecodable({
    ...{ code: 'number-expected', found },
    ...(hint === undefined ? {} : { hint }),
    ...(locale === 'nl' ? {} : { locale }),
  });
}

/** A number cell's value; what its format shows may be something else than a number of euros, kilos or guests. */
function decodeNumber(cell: Cell, stored: number, locale: Locale): Decoded<number> {
  const value = significant(stored);
  if (cell.format === undefined) return decoded(value);
  const sense = numberSense(cell.format);
  const warn = (code: IssueCode, found: string): Decoded<number> =>
    decoded(value, { code, found, hint: numberWords(value) });
  switch (sense.kind) {
    case 'plain':
      return decoded(value);
    // `21%` is 0.21 to Excel, and to the field; where the sign is only written behind it, 21.
    case 'percent':
      return warn('number-percent', `${String(significant(value * 100))}%`);
    case 'percent-sign':
      return warn('number-percent', shownNumber(value, cell.format, locale));
    case 'scaled':
      return warn('number-scaled', String(significant(value / sense.by)));
    case 'other-money':
      return refused(shownNumber(value, cell.format, locale), locale, EUROS);
    case 'elapsed':
      return refused(elapsedText(value), locale, ELAPSED_TIME);
  }
}

/** Numbers as JSON and programs write them, no hexadecimals. */
const ANSWERED = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A float of the interface: number cells, to the 15 digits that are shown, and text by the locale. */
export const decimalCodec: Codec<number> = {
  type: 'decimal',
  decode(cell, locale) {
    if (cell.type === 'number' && Number.isFinite(cell.value)) return decodeNumber(cell, cell.value, locale);
    if (cell.type === 'text') return decodeText(cell, cell.value, locale);
    return noNumber(cell, '', locale);
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
