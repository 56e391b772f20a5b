import { z } from 'zod';
import { type Codec, cellText, type Decoded, decoded, undecodable } from '../codec.ts';
import { decimalCodec } from './decimal.ts';
import { bareNumber, significant } from './parse-number.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

function whole(value: number, found: string): Decoded<number> {
  if (Math.abs(value) > LARGEST) return undecodable({ code: 'integer-too-large', found });
  if (!Number.isInteger(value)) return undecodable({ code: 'integer-expected', found });
  return decoded(value);
}

/** `12345.0` and `00123` are ids that passed through another program: clear enough to read, odd enough to say. */
function writtenOddly(text: string): boolean {
  return /^[+-]?\d+[.,]0+$/.test(text) || /^[+-]?0\d+$/.test(text);
}

/** An int of the interface: ids, days, counts. Exact up to 2^53. */
export const integerCodec: Codec<number> = {
  type: 'integer',
  decode(cell, locale) {
    const found = cellText(cell);
    if (cell.type === 'number') return whole(significant(cell.value), found);
    if (cell.type !== 'text') return undecodable({ code: 'integer-expected', found });
    const bare = bareNumber(cell.value);
    if (/^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(bare)) return undecodable({ code: 'integer-too-large', found });
    if (writtenOddly(bare)) {
      const value = Number(bare.replace(/[.,]0+$/, ''));
      const read = whole(value, found);
      return read.ok ? decoded(value, { code: 'integer-written-oddly', found, hint: String(value) }) : read;
    }
    const number = decimalCodec.decode(cell, locale);
    if (!number.ok) return undecodable({ ...number.finding, code: 'integer-expected' });
    const read = whole(number.value, found);
    return read.ok ? number : read;
  },
  encode: (value) => value,
  read: (answer) => decimalCodec.read(answer),
  wire: z.int(),
};
