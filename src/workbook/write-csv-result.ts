import { once } from 'node:events';
import type { Writable } from 'node:stream';
import Papa from 'papaparse';
import { type Cell, UNCACHED } from '../schema/cell.ts';
import { type CsvEncoder, csvEncoder } from './csv-encoder.ts';
import { type CsvStyle, isQuoted } from './csv-style.ts';
import { guarded } from './formula-guard.ts';
import { addedCells, ownCells, resultBatches, withHeaderRow } from './result-layout.ts';
import type { ResultRow, ResultSheet } from './result-sheet.ts';

const BATCH = 1000;

/**
 * Writes one sheet as CSV: the user's cells as they are, texts of the program's own columns guarded against running as formulas.
 * Throws NotInEncoding.
 */
export async function writeCsvResult(stream: Writable, sheet: ResultSheet, style: CsvStyle): Promise<void> {
  const { delimiter, encoding, quoting, named } = style;
  const encoder = csvEncoder(encoding);
  stream.write(encoder.mark);
  if (named) stream.write(encoder.encode(`sep=${delimiter}\r\n`));
  const format = { delimiter, newline: '\r\n', quotes: (field: string) => isQuoted(field, quoting) };
  let last = 0;
  for await (const batch of resultBatches(withHeaderRow(sheet), BATCH)) {
    const records: string[][] = [];
    for (const result of batch) {
      while (++last < result.row.number) records.push([]);
      last = result.row.number;
      records.push(toRecord(result, sheet, encoder));
    }
    const text = `${Papa.unparse(records, format)}\r\n`;
    if (!stream.write(encoder.encode(text))) await once(stream, 'drain');
  }
}

function toRecord(result: ResultRow, sheet: ResultSheet, { simplified }: CsvEncoder): string[] {
  const record: string[] = [];
  for (const cell of ownCells(result, sheet)) record[cell.column - 1] = csvText(cell);
  const first = sheet.added?.firstColumn ?? 1;
  for (const [index, value] of addedCells(result, sheet).entries()) {
    record[first - 1 + index] = typeof value === 'string' ? guarded(simplified(value)) : String(value ?? '');
  }
  return Array.from(record, (value) => value ?? '');
}

function csvText({ type, value }: Cell): string {
  if (type === 'boolean') return value ? 'TRUE' : 'FALSE';
  // CSV has no formulas: one without a result is an error there.
  return type === 'error' && value === UNCACHED ? '#N/A' : String(value);
}
