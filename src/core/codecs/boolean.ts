import { z } from 'zod';
import { type Codec, cellText, type DecodedCell, decoded, readScalar, undecodable } from '../codec.ts';
import { plainText } from './plain-text.ts';

const YES = ['ja', 'waar', 'true', 'yes', '1', 'j', 'y', 'x', 'aan', 'on', '✓', '✔', '☑', '✅'];
/** A ballot or a box with a cross in it is left out: to some it means yes, to others no. */
const NO = ['nee', 'onwaar', 'false', 'no', '0', 'n', 'uit', 'off', '☐'];

/** A word in lower case, in capitals and capitalised. */
const typed = (word: string): string[] => [
  word,
  word.toUpperCase(),
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
];

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...YES.flatMap(typed).map((word) => [word, true] as const),
  ...NO.flatMap(typed).map((word) => [word, false] as const),
]);

/** The variation selector behind a mark that is shown as an emoji. */
const EMOJI_FORM = /\ufe0f$/;

/** Shared by all cells with that value: there are millions. */
const [IS_YES, IS_NO] = [decoded(true), decoded(false)];
const flag = (value: boolean): DecodedCell<boolean> => (value ? IS_YES : IS_NO);

function decodeWord(found: string): DecodedCell<boolean> {
  const value = WORDS.get(found) ?? WORDS.get(plainText(found).replace(EMOJI_FORM, '').toLowerCase());
  return value === undefined ? undecodable('boolean-expected', found) : flag(value);
}

/** A flag: Ja/Nee, WAAR/ONWAAR, TRUE/FALSE, aan/uit, 1/0, a tick and the cook's `x`. */
export const booleanCodec: Codec<boolean> = {
  type: 'boolean',
  decode(cell) {
    if (cell.type === 'boolean') return flag(cell.value);
    if (cell.type === 'text') return decodeWord(cell.value);
    if (cell.type === 'number' && (cell.value === 1 || cell.value === 0)) return flag(cell.value === 1);
    return undecodable('boolean-expected', cellText(cell));
  },
  read: readScalar((value) => {
    if (typeof value === 'boolean') return value;
    const text = String(value).trim().toLowerCase();
    return text === '' ? null : (WORDS.get(text) ?? value);
  }),
  wire: z.boolean(),
};
