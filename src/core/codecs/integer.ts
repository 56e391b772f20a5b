import { z } from 'zod';
import type { Cell } from '../cell.ts';
import { type Codec, cellText, type DecodedCell, decoded, finding, undecodable } from '../codec.ts';
import { type Bilingual, t } from '../language.ts';
import type { Locale } from '../value.ts';
import { decimalCodec, ELAPSED_TIME, elapsedText, formatMeaning, numberHint } from './decimal.ts';
import { parseNumber, significant } from './number.ts';
import { plainText } from './plain-text.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

const NO_AMOUNT: Bilingual = t(
  'it is an amount of money or a percentage',
  'het is een bedrag of een percentage',
);

function whole(value: number, found: string): DecodedCell<number> {
  if (Math.abs(value) > LARGEST) return undecodable('integer-too-large', found);
  if (!Number.isInteger(value)) return undecodable('integer-expected', found);
  return decoded(value);
}

const EXPONENT = /^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i;
/** A whole number with decimals of zeros, in either locale. */
const NO_FRACTION = /^[+-]?\d+[.,]0+$/;

/** `12345.0` and `00123` are ids that passed through another program: read, with a warning. */
function readOddly(value: number, found: string): DecodedCell<number> {
  const read = whole(value, found);
  return read.ok ? decoded(value, finding('integer-written-oddly', found, String(value))) : read;
}

/** What nearly every id looks like; the same in every locale. */
const PLAIN = /^(0|[1-9]\d{0,14})$/;

function decodeText(text: string, locale: Locale): DecodedCell<number> {
  if (PLAIN.test(text)) return decoded(Number(text));
  const plain = plainText(text);
  if (EXPONENT.test(plain)) return undecodable('integer-too-large', text);
  const parsed = parseNumber(plain, locale);
  if (parsed?.percent === true || parsed?.currency === true)
    return undecodable('integer-expected', text, NO_AMOUNT);
  const number = decimalCodec.decode({ column: 0, type: 'text', value: text }, locale);
  if (!number.ok) {
    if (NO_FRACTION.test(plain)) return readOddly(Number(plain.replace(',', '.')) + 0, text);
    return { ok: false, finding: { ...number.finding, code: 'integer-expected' } };
  }
  const odd = /^[+-]?0\d/.test(plain) || parsed?.fraction === true;
  if (odd && number.warning === undefined) return readOddly(number.value, text);
  const read = whole(number.value, text);
  return read.ok ? number : read;
}

/** Largest number of 15 digits; Excel stores further digits as zeros. */
const LARGEST_KEPT = 999_999_999_999_999;

/** A number cell's value; a format such as `00000` does not change it. */
function decodeNumber(cell: Cell, value: number, locale: Locale): DecodedCell<number> {
  if (cell.format !== undefined && formatMeaning(cell.format).kind !== 'plain')
    return decodeShown(cell, value, cell.format, locale);
  if (!Number.isSafeInteger(value)) return whole(significant(value), cellText(cell));
  const rounded = Math.abs(value) > LARGEST_KEPT && value % 10 === 0;
  return decoded(value + 0, rounded ? finding('integer-rounded', String(value)) : undefined);
}

/** A number whose format shows something else than a plain number. */
function decodeShown(cell: Cell, value: number, format: string, locale: Locale): DecodedCell<number> {
  const { kind } = formatMeaning(format);
  if (kind === 'percent' || kind === 'per-mille' || kind === 'other-money')
    return undecodable('integer-expected', cellText(cell), NO_AMOUNT);
  if (kind === 'elapsed') return undecodable('integer-expected', elapsedText(value), ELAPSED_TIME);
  const read = whole(significant(value), cellText(cell));
  return read.ok ? decimalCodec.decode(cell, locale) : read;
}

/** An int of the interface: ids, days, counts. Exact up to 2^53. */
export const integerCodec: Codec<number> = {
  type: 'integer',
  decode(cell, locale) {
    if (cell.type === 'number') return decodeNumber(cell, cell.value, locale);
    if (cell.type === 'text') return decodeText(cell.value, locale);
    return undecodable('integer-expected', cellText(cell), numberHint(cell, '', locale));
  },
  read(answer) {
    const value = decimalCodec.read(answer);
    // An id that a number cannot hold exactly stays text: rounded, it would name another record.
    const rounded = typeof answer === 'string' && typeof value === 'number' && Math.abs(value) > LARGEST;
    return rounded ? answer : value;
  },
  wire: z.int(),
};
