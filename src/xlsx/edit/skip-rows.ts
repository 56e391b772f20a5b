import { columnFromBytes } from '../read/cells.ts';
import type { XmlScanner } from '../xml/xml-scanner.ts';

const CLOSING_ROW = '</row>';
const CELL = Buffer.from('<c ');
const PLACED = Buffer.from('<c r="');
const QUOTE = 0x22;

/** How far to look for the end of a row, in bytes. */
const NEAR = 1 << 16;

/** Skips to the end of a row that is of no interest, if that is near. */
export function skipRow(scanner: XmlScanner): void {
  const { bytes, position, limit } = scanner;
  const near = bytes.subarray(position, Math.min(limit, position + NEAR));
  const end = near.indexOf(CLOSING_ROW, 0, 'latin1');
  if (end >= 0 && !scanner.declares(position, position + end)) scanner.position = position + end;
}

/** Skips to the end of a row whose cells are all left of a column, if that is quickly seen. */
export function skipCells(scanner: XmlScanner, column: number): void {
  const { bytes, position, limit } = scanner;
  const end = bytes.indexOf(CLOSING_ROW, position, 'latin1');
  if (end < 0 || end + CLOSING_ROW.length > limit) return;
  if (scanner.declares(position, end)) return;
  let last = end - CELL.length;
  while (last >= position && !beginsWith(bytes, last, CELL)) last--;
  if (last < position || !beginsWith(bytes, last, PLACED)) return;
  const start = last + PLACED.length;
  if (columnFromBytes(bytes, start, bytes.indexOf(QUOTE, start)) < column) scanner.position = end;
}

/** Skips to a cell of the row that the scanner is in. Returns false where that is not quickly found. */
export function skipToCell(scanner: XmlScanner, address: string): boolean {
  const { bytes, position, limit } = scanner;
  const near = bytes.subarray(position, Math.min(limit, position + NEAR));
  const end = near.indexOf(CLOSING_ROW, 0, 'latin1');
  const row = end < 0 ? near : near.subarray(0, end);
  const at = row.indexOf(`<c r="${address}"`, 0, 'latin1');
  if (at < 0 || scanner.declares(position, position + at)) return false;
  scanner.position = position + at;
  return true;
}

function beginsWith(bytes: Buffer, at: number, mark: Buffer): boolean {
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}
