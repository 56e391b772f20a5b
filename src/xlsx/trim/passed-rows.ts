import { addressColumn, columnLetters } from '../../core/cell.ts';
import type { XmlScanner } from '../xml/xml-scanner.ts';

/** Moves the scanner to the end of a row that is left out, where that can be told at once: nearly always, and far quicker than looking at its cells. */
export function passRow(scanner: XmlScanner, prefix: string): void {
  const { bytes, position, limit } = scanner;
  const closing = `</${prefix}row>`;
  const end = bytes.indexOf(closing, position, 'latin1');
  if (end < 0 || end + closing.length > limit) return;
  const row = bytes.subarray(position, end);
  // A formula that others share may stand in it.
  if (row.includes('<!', 0, 'latin1') || row.includes('shared', 0, 'latin1')) return;
  scanner.position = end;
}

/** The number that the first cell of a row gives it, 0 where it gives none. */
export function numberInside(scanner: XmlScanner): number {
  const { bytes, position, limit } = scanner;
  const begin = bytes.toString('latin1', position, Math.min(limit, position + 200));
  const address = /^\s*<(?:[\w.-]+:)?c\s(?:[^>]*\s)?r=["']([A-Z]{1,3}\d{1,7})["']/.exec(begin)?.[1] ?? '';
  return Number(address.slice(columnLetters(addressColumn(address)).length));
}
