import { z } from 'zod';
import { type Codec, cellText, type Decoded, decoded, undecodable } from '../codec.ts';
import type { Locale } from '../value.ts';
import { decimalCodec } from './decimal.ts';
import { bareNumber, parseNumber, significant } from './parse-number.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

function whole(value: number, found: string): Decoded<number> {
  if (Math.abs(value) > LARGEST) return undecodable({ code: 'integer-too-large', found });
  if (!Number.isInteger(value)) return undecodable({ code: 'integer-expected', found });
  return decoded(value);
}

const EXPONENT = /^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i;
/** A whole number with a decimal mark, be it of another locale. */
const NO_FRACTION = /^[+-]?\d+[.,]0+$/;

/** `12345.0` and `00123` are ids that passed through another program: clear enough to read, odd enough to say. */
function readOddly(value: number, found: string): Decoded<number> {
  const read = whole(value, found);
  return read.ok ? decoded(value, { code: 'integer-written-oddly', found, hint: String(value) }) : read;
}

/** What nearly every id looks like: read the same in every locale. */
const PLAIN = /^(0|[1-9]\d{0,14})$/;

function decodeText(text: string, locale: Locale): Decoded<number> {
  if (PLAIN.test(text)) return decoded(Number(text));
  const bare = bareNumber(text);
  if (EXPONENT.test(bare)) return undecodable({ code: 'integer-too-large', found: text });
  const number = decimalCodec.decode({ column: 0, type: 'text', value: text }, locale);
  if (!number.ok) {
    if (NO_FRACTION.test(bare)) return readOddly(Number(bare.replace(',', '.')), text);
    return undecodable({ ...number.finding, code: 'integer-expected' });
  }
  const odd = /^[+-]?0\d/.test(bare) || parseNumber(bare, locale)?.fraction === true;
  if (odd && number.warning === undefined) return readOddly(number.value, text);
  const read = whole(number.value, text);
  return read.ok ? number : read;
}

/** An int of the interface: ids, days, counts. Exact up to 2^53. */
export const integerCodec: Codec<number> = {
  type: 'integer',
  decode(cell, locale) {
    const found = cellText(cell);
    if (cell.type === 'number') return whole(significant(cell.value), found);
    if (cell.type === 'text') return decodeText(cell.value, locale);
    return undecodable({ code: 'integer-expected', found });
  },
  encode: (value) => value,
  read(answer) {
    const value = decimalCodec.read(answer);
    // An id that a number cannot hold exactly stays text: rounded, it would be another record's.
    const rounded = typeof answer === 'string' && typeof value === 'number' && Math.abs(value) > LARGEST;
    return rounded ? answer : value;
  },
  wire: z.int(),
};
