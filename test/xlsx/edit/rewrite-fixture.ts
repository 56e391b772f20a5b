import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import type { Row } from '../../../src/core/cell.ts';
import type {
  CellMark,
  NumberedOutcome,
  ResultSheet,
  ResultSummary,
} from '../../../src/files/result-sheet.ts';
import type { PlacedFile } from '../../../src/files/write-aside.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { writeResult } from '../../../src/workbook/write-result.ts';

export const HEADERS = ['#status', '#id', '#message', '#changes', '#at'];

/** Made-up outcomes of a row: what its added cells hold, and what is said of its own. */
export type MakeOutcome = (row: number, index: number) => Omit<NumberedOutcome, 'row'>;

export const plain: MakeOutcome = (row) => ({ cells: ['created', row, null, null, null], tone: 'good' });

/** The same with something said of the cells of these columns, in every row. */
export const marking =
  (columns: readonly number[]): MakeOutcome =>
  (row) => ({
    cells: ['invalid', null, `rij ${row}:\n<fout> & "erger"`, null, null],
    tone: 'bad',
    marks: columns.map((column): CellMark => ({ column, tone: 'bad' })),
  });

/** Sheets of a workbook as an import would hand them over: the first row with cells is the header, all others have outcomes. */
export async function madeUp(
  file: string,
  make: MakeOutcome,
  more: Partial<ResultSheet> = {},
): Promise<ResultSheet[]> {
  const sheets: ResultSheet[] = [];
  for (const { name, hidden, rows, layout } of await readWorkbook(file)) {
    const numbers: number[] = [];
    const read: Row[] = [];
    let last = 0;
    for await (const row of rows) {
      numbers.push(row.number);
      read.push(row);
      last = Math.max(last, row.cells.at(-1)?.column ?? 0);
    }
    const headerRow = more.headerRow ?? numbers[0];
    if (headerRow === undefined) continue;
    const records = numbers.filter((number) => number > headerRow);
    sheets.push({
      ...{ name, hidden, headerRow },
      added: {
        firstColumn: Math.max(last, layout?.lastTaken ?? 0) + 1,
        headers: HEADERS,
      },
      rows: each(read),
      outcomes: each(records.map((row, index) => ({ row, ...make(row, index) }))),
      ...more,
    });
  }
  return sheets;
}

/** Writes a result into a copy of a workbook: with outcomes on all sheets, or on one. */
export async function rewrite(
  file: string,
  target: string,
  make: MakeOutcome = plain,
  more: Partial<ResultSheet> = {},
  { name, ...options }: { readonly name?: string; readonly summary?: ResultSummary } = {},
): Promise<PlacedFile> {
  const sheets = await madeUp(file, make, more);
  const chosen = sheets.filter((sheet) => name === undefined || sheet.name === name);
  return await writeResult(target, chosen, { source: file, ...options });
}

/** The packed bytes of every part, as they stand in the zip, by its name and in the directory's order. */
async function packedParts(file: string): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  const zip = await yauzl.fromBufferPromise(readFileSync(file), { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    parts.set(entry.fileName, (await buffer(packed)).toString('latin1'));
  }
  return parts;
}

/** The names of parts that differ between two workbooks, those that only the second has behind a `+`. */
export async function changedParts(before: string, after: string): Promise<string[]> {
  const [old, now] = await Promise.all([packedParts(before), packedParts(after)]);
  const changed = [...old].flatMap(([name, bytes]) => (now.get(name) === bytes ? [] : [name]));
  return [...changed, ...[...now.keys()].filter((name) => !old.has(name)).map((name) => `+${name}`)].sort();
}

function each<T>(items: readonly T[]): AsyncIterable<T> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* items;
    },
  };
}
