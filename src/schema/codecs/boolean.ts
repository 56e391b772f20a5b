import { z } from 'zod';
import { type Codec, cellText, decoded, scalar, undecodable, unreadable } from '../codec.ts';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['ja', 'waar', 'true', 'yes', '1', 'x'].map((word) => [word, true] as const),
  ...['nee', 'onwaar', 'false', 'no', '0'].map((word) => [word, false] as const),
]);

/** A flag: Ja/Nee, WAAR/ONWAAR, TRUE/FALSE, 1/0 and the cook's `x`. */
export const booleanCodec: Codec<boolean> = {
  type: 'boolean',
  decode(cell) {
    if (cell.type === 'boolean') return decoded(cell.value);
    const found = cellText(cell);
    const value =
      cell.type === 'text' || cell.type === 'number' ? WORDS.get(found.trim().toLowerCase()) : undefined;
    return value === undefined ? undecodable({ code: 'boolean-expected', found }) : decoded(value);
  },
  encode: (value) => value,
  read(answer) {
    const value = scalar(answer);
    if (value === undefined) return unreadable(answer);
    if (value === null || typeof value === 'boolean') return value;
    const text = String(value).trim().toLowerCase();
    return text === '' ? null : (WORDS.get(text) ?? value);
  },
  wire: z.boolean(),
};
