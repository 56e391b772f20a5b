import { DAMAGE } from './damage-words.ts';
import { DamagedPart } from './damaged-part.ts';
import { LAST_COLUMN, LAST_ROW } from './limits.ts';

/** The column of a reference such as `AB12`, 0 when the bytes are no reference. Throws DamagedPart past the last column. */
export function columnFromBytes(bytes: Buffer, from: number, to: number): number {
  let column = 0;
  let i = from;
  for (; i < to; i++) {
    // Upper case or lower.
    const letter = ((bytes[i] as number) | 32) - 96;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
    if (column > LAST_COLUMN) throw new DamagedPart(DAMAGE.columnBeyond);
  }
  return i === to || rowFromBytes(bytes, i, to) === 0 ? 0 : column;
}

/** A row number, 0 when the bytes are none. Throws DamagedPart past the last row. */
export function rowFromBytes(bytes: Buffer, from: number, to: number): number {
  let row = 0;
  for (let i = from; i < to; i++) {
    const digit = (bytes[i] as number) - 48;
    if (digit < 0 || digit > 9) return 0;
    row = row * 10 + digit;
    if (row > LAST_ROW) throw new DamagedPart(DAMAGE.rowBeyond);
  }
  return row;
}

/** The number of a column by its letters, in either case. */
export function columnFromLetters(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}
