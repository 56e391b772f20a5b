import { z } from 'zod';
import type { Cell } from '../cell.ts';
import { type Codec, cellText, type Decoded, decoded, scalar, undecodable, unreadable } from '../codec.ts';
import { significant } from './parse-number.ts';

/** Outer blanks go (they are never meant), line ends become LF; all else stays as typed. */
function tidy(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.trim();
}

function decode(cell: Cell): Decoded<string> {
  if (cell.type === 'error') return undecodable({ code: 'error-cell', found: cell.value });
  if (cell.type === 'number') return decoded(String(significant(cell.value)));
  return decoded(tidy(cellText(cell)));
}

/** A string of the interface, without outer blanks. A number, date or boolean cell is read as the text it shows. */
export const textCodec: Codec<string> = {
  type: 'text',
  decode,
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
