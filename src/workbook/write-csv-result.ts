import { once } from 'node:events';
import type { Writable } from 'node:stream';
import Papa from 'papaparse';
import { type Cell, UNCACHED } from '../schema/cell.ts';
import { guarded } from './formula-guard.ts';
import { addedCells, ownCells, resultBatches, withHeaderRow } from './result-layout.ts';
import type { ResultRow, ResultSheet } from './result-sheet.ts';

const BATCH = 1000;
/** So that Excel takes the file for UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** Writes one sheet as CSV in UTF-8: the user's cells as they are, texts of the program's own columns guarded against running as formulas. */
export async function writeCsvResult(stream: Writable, sheet: ResultSheet, delimiter: string): Promise<void> {
  stream.write(BYTE_ORDER_MARK);
  let last = 0;
  for await (const batch of resultBatches(withHeaderRow(sheet), BATCH)) {
    const records: string[][] = [];
    for (const result of batch) {
      while (++last < result.row.number) records.push([]);
      last = result.row.number;
      records.push(toRecord(result, sheet));
    }
    const text = `${Papa.unparse(records, { delimiter, newline: '\r\n' })}\r\n`;
    if (!stream.write(text)) await once(stream, 'drain');
  }
}

function toRecord(result: ResultRow, sheet: ResultSheet): string[] {
  const record: string[] = [];
  for (const cell of ownCells(result, sheet)) record[cell.column - 1] = csvText(cell);
  const first = sheet.added?.firstColumn ?? 1;
  for (const [index, value] of addedCells(result, sheet).entries()) {
    record[first - 1 + index] = typeof value === 'string' ? guarded(value) : String(value ?? '');
  }
  return Array.from(record, (value) => value ?? '');
}

function csvText({ type, value }: Cell): string {
  if (type === 'boolean') return value ? 'TRUE' : 'FALSE';
  // CSV has no formulas: one without a result is an error there.
  return type === 'error' && value === UNCACHED ? '#N/A' : String(value);
}
