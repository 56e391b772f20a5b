import { z } from 'zod';
import { type Codec, cellText, decoded, scalar, unreadable } from '../codec.ts';

/** Outer blanks go (they are never meant), line ends become LF; all else stays as typed. */
function tidy(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/^[\s\u00a0]+|[\s\u00a0]+$/g, '');
}

/** A string of the interface. A number, date or boolean cell is read as the text it shows. */
export const textCodec: Codec<string> = {
  type: 'text',
  decode: (cell) => decoded(tidy(cell.type === 'boolean' ? cellText(cell) : String(cell.value))),
  encode: (value) => value,
  read(answer) {
    const value = scalar(answer);
    if (value === undefined) return unreadable(answer);
    if (value === null) return null;
    const text = tidy(String(value));
    return text === '' ? null : text;
  },
  wire: z.string(),
};
