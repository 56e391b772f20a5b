// Ways of writing the same rows to a new workbook, and of giving one back. Each loads what it needs, and gives what is timed.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeAtomically } from '../../../dist/files/write-aside.js';
import { readWorkbook } from '../../../dist/workbook/read-workbook.js';
import { writeResult } from '../../../dist/workbook/write-result.js';
import { writeBook } from '../../../dist/xlsx/write/write-book.js';
import { values } from '../make-workbooks.mjs';

const NAME = 'Blad1';
const BATCH = 1000;
const OUTCOMES = ['#status', '#id', '#message', '#changes', '#at'];

const headersOf = (columns) => Array.from({ length: columns }, (_, column) => `Kolom ${column + 1}`);

/** catersheet's writer of new workbooks: as a table with a filter, on disk whole or not at all. */
export async function ours({ folder, numbers: [rows, columns] }) {
  const target = join(folder, 'ours.xlsx');
  const column = { role: 'optional', format: 'General', width: 10, note: [] };
  const table = {
    name: NAME,
    table: 'Tabel',
    columns: headersOf(columns).map((header) => ({ ...column, header })),
  };
  return async () => {
    await writeAtomically(target, async (stream) => {
      await writeBook(stream, target, { made: new Date() }, async (book) => {
        const sheet = book.sheet(table);
        let batch = [];
        for (const row of values(rows, columns)) {
          batch.push(row.map(ourValue));
          if (batch.length < BATCH) continue;
          await sheet.add(batch);
          batch = [];
        }
        await sheet.add(batch);
      });
    });
    return { rows };
  };
}

const ourValue = (value) =>
  value instanceof Date ? { date: value.toISOString().slice(0, 19).replace('T', ' ') } : value;

/** hucre, from a stream of rows. */
export async function hucreStream({ folder, numbers: [rows, columns] }) {
  const { writeXlsxStream } = await import('hucre/xlsx');
  return async () => {
    const options = { name: NAME, columns: headersOf(columns).map((header) => ({ header })) };
    const stream = writeXlsxStream(values(rows, columns), options);
    await pipeline(Readable.fromWeb(stream), createWriteStream(join(folder, 'hucre.xlsx')));
    return { rows };
  };
}

/** exceljs, row by row. */
export async function exceljsStream({ folder, numbers: [rows, columns] }) {
  const { default: ExcelJS } = await import('exceljs');
  return async () => {
    const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: join(folder, 'exceljs.xlsx') });
    const sheet = book.addWorksheet(NAME);
    sheet.addRow(headersOf(columns)).commit();
    for (const row of values(rows, columns)) sheet.addRow(row).commit();
    await book.commit();
    return { rows };
  };
}

/** Reading it and no more. */
export async function readingBack({ file }) {
  return async () => {
    let rows = -1;
    for (const { batches } of await readWorkbook(file))
      for await (const batch of batches) rows += batch.length;
    return { rows };
  };
}

/** Every row back with a status, an id and a time, one of ten with a message; the rows are known, as an import has read them. */
export async function givingBack({ file, folder, numbers: [rows, columns] }) {
  async function* outcomes() {
    for (let row = 2; row <= rows; row++) {
      const message = row % 10 === 0 ? 'D2 Verkoopprijs: gevonden "1.234", gelezen als 1234' : null;
      const cells = ['updated', row, message, 'Verkoopprijs: 34,50 → 36', '2027-03-31 07:45:12'];
      yield { row, cells, tone: message === null ? 'good' : 'warn' };
    }
  }
  return async () => {
    const [sheet] = (await readWorkbook(file)).sheets;
    const added = { firstColumn: columns + 1, headers: OUTCOMES };
    const imported = { name: sheet.name, hidden: false, headerRow: 1, added, outcomes: outcomes(), rows: [] };
    await writeResult(join(folder, 'result.xlsx'), [imported], { source: file });
    return { rows: rows - 1 };
  };
}

/** The same file loaded and saved by exceljs, with nothing added. */
export async function exceljsBack({ file, folder, numbers: [rows] }) {
  const { default: ExcelJS } = await import('exceljs');
  return async () => {
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(file);
    await book.xlsx.writeFile(join(folder, 'result.xlsx'));
    return { rows: rows - 1 };
  };
}
