import { z } from 'zod';
import { type Codec, cellText, decoded, scalar, undecodable, unreadable } from '../codec.ts';

const WORDS: Readonly<Record<string, boolean>> = {
  ja: true,
  waar: true,
  true: true,
  yes: true,
  '1': true,
  x: true,
  nee: false,
  onwaar: false,
  false: false,
  no: false,
  '0': false,
};

/** A flag: Ja/Nee, WAAR/ONWAAR, TRUE/FALSE, 1/0 and the cook's `x`. */
export const booleanCodec: Codec<boolean> = {
  type: 'boolean',
  decode(cell) {
    if (cell.type === 'boolean') return decoded(cell.value);
    const found = cellText(cell);
    const value =
      cell.type === 'text' || cell.type === 'number' ? WORDS[found.trim().toLowerCase()] : undefined;
    return value === undefined ? undecodable({ code: 'boolean-expected', found }) : decoded(value);
  },
  encode: (value) => value,
  read(answer) {
    const value = scalar(answer);
    if (value === undefined) return unreadable(answer);
    if (value === null || typeof value === 'boolean') return value;
    return WORDS[String(value).trim().toLowerCase()] ?? value;
  },
  wire: z.boolean(),
};
