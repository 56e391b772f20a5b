import { columnFromBytes } from '../read/cells.ts';
import type { XmlScanner } from '../xml/xml-scanner.ts';

const CLOSING_ROW = '</row>';
const CELL = Buffer.from('<c ');
const PLACED = Buffer.from('<c r="');
const QUOTE = 0x22;

/** How far to look for the end of a row, in bytes. */
const NEAR = 1 << 16;

/** The place of the next `</row>`, -1 where there is none up to `limit`. */
function endOfRow(bytes: Buffer, from: number, limit: number): number {
  const end = bytes.subarray(from, limit).indexOf(CLOSING_ROW, 0, 'latin1');
  return end < 0 ? -1 : from + end;
}

/** Skips to the end of a row whose cells are all left of a column, if that is quickly seen. */
export function skipCells(scanner: XmlScanner, column: number): void {
  const { bytes, position, limit } = scanner;
  const end = endOfRow(bytes, position, limit);
  if (end < 0 || scanner.declares(position, end)) return;
  let last = end - CELL.length;
  while (last >= position && !beginsWith(bytes, last, CELL)) last--;
  if (last < position || !beginsWith(bytes, last, PLACED)) return;
  const start = last + PLACED.length;
  if (columnFromBytes(bytes, start, bytes.indexOf(QUOTE, start)) < column) scanner.position = end;
}

/** Skips to a cell of the row that the scanner is in. Returns false where that is not quickly found. */
export function skipToCell(scanner: XmlScanner, address: string): boolean {
  const { bytes, position, limit } = scanner;
  const end = endOfRow(bytes, position, Math.min(limit, position + NEAR));
  const row = bytes.subarray(position, end < 0 ? Math.min(limit, position + NEAR) : end);
  const at = row.indexOf(`<c r="${address}"`, 0, 'latin1');
  if (at < 0 || scanner.declares(position, position + at)) return false;
  scanner.position = position + at;
  return true;
}

function beginsWith(bytes: Buffer, at: number, mark: Buffer): boolean {
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}
