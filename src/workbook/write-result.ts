import { extname } from 'node:path';
import type { ResultSheet } from './result-sheet.ts';
import { writeAside } from './write-aside.ts';
import { writeCsvResult } from './write-csv-result.ts';
import { writeXlsxResult } from './write-xlsx-result.ts';

export type { CellMark, ResultRow, ResultSheet, Tone } from './result-sheet.ts';

/**
 * Writes the sheets of an import with every row's outcome beside it, as XLSX, or as CSV (the first sheet) when the target's name ends so.
 * The target is whole or not there: it is written under another name in the same folder, put on disk, and renamed. Memory holds a batch
 * of rows. Throws StopError when the place can't be written to.
 */
export async function writeResult(
  target: string,
  sheets: readonly ResultSheet[],
  options: { readonly delimiter?: string } = {},
): Promise<void> {
  await writeAside(target, async (stream) => {
    if (extname(target).toLowerCase() !== '.csv') await writeXlsxResult(stream, sheets);
    else if (sheets[0] !== undefined) await writeCsvResult(stream, sheets[0], options.delimiter ?? ';');
  });
}
