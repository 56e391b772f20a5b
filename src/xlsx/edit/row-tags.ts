import type { NumberedOutcome } from '../../files/result-sheet.ts';
import { columnFromBytes, numberFromBytes, rowFromBytes } from '../read/cells.ts';
import type { XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeValue } from '../xml/xml-text.ts';
import { outcomeHeight } from './own-cells.ts';
import { ATTRIBUTE } from './sheet-codes.ts';
import type { TagChanges } from './xml-copy.ts';

const CLOSING_ROW = '</row>';

/** The number in a `<row>` that has just been opened, 0 when it has none. */
export function rowNumber(scanner: XmlScanner): number {
  return fromPlace(scanner, (bytes, start, end) => rowFromBytes(bytes, start, end));
}

/** The column in a `<c>` that has just been opened, 0 when it has none. */
export function cellColumn(scanner: XmlScanner): number {
  return fromPlace(scanner, (bytes, start, end) => columnFromBytes(bytes, start, end));
}

/** The row in a `<c>`, likewise. */
export function cellRow(scanner: XmlScanner): number {
  return fromPlace(scanner, (bytes, start, end) => {
    let digits = start;
    while (digits < end && (bytes[digits] as number) > 57) digits++;
    return rowFromBytes(bytes, digits, end);
  });
}

function fromPlace(scanner: XmlScanner, read: (bytes: Buffer, start: number, end: number) => number): number {
  const index = scanner.attribute(ATTRIBUTE.place);
  if (index < 0) return 0;
  return read(scanner.bytes, scanner.attributeStart[index] as number, scanner.attributeEnd[index] as number);
}

/** The format that a row or cell names, 0 when it names none. */
export function formatOf(scanner: XmlScanner): number {
  const index = scanner.attribute(ATTRIBUTE.format);
  if (index < 0) return 0;
  const start = scanner.attributeStart[index] as number;
  return numberFromBytes(scanner.bytes, start, scanner.attributeEnd[index] as number) || 0;
}

/** What changes in the tag of a row that gets cells: its height where they need more, and the columns that it claims to hold. */
export function rowChanges(scanner: XmlScanner, outcome: NumberedOutcome | undefined): TagChanges {
  const height = outcome === undefined ? undefined : outcomeHeight(outcome);
  if (height === undefined || attributeIsTrue(scanner, ATTRIBUTE.customHeight)) return { spans: null };
  const before = Number(attributeValue(scanner, ATTRIBUTE.height) ?? 0);
  return before >= height ? { spans: null } : { spans: null, ht: String(height) };
}

/** Moves the scanner to the end of a row whose cells all stand left of a column, where that can be told at once. */
export function passCells(scanner: XmlScanner, column: number): void {
  const { bytes, position, limit } = scanner;
  const end = bytes.indexOf(CLOSING_ROW, position, 'latin1');
  if (end < 0 || end + CLOSING_ROW.length > limit) return;
  const row = bytes.subarray(position, end);
  const last = row.lastIndexOf('<c r="', undefined, 'latin1');
  if (last < 0 || row.includes('<!', 0, 'latin1') || row.indexOf('<c ', last + 1, 'latin1') >= 0) return;
  const stop = row.indexOf('"', last + 6, 'latin1');
  if (columnFromBytes(row, last + 6, stop) < column) scanner.position = end;
}
