// Ways of reading a workbook. Each loads what it needs, and gives what is timed.
import { readFile } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import yauzl from 'yauzl';
import { readWorkbook } from '../../../dist/workbook/read-workbook.js';
import { Tally } from './tally.mjs';

/** Inflating every part and looking at nothing: what any reader has to do at least. */
export async function inflating({ file }) {
  return async () => {
    const zip = await yauzl.openPromise(file, { autoClose: false });
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
      const parts = packed.pipe(createInflateRaw({ chunkSize: 1 << 17 }));
      for await (const chunk of parts) bytes += chunk.length;
    }
    zip.close();
    return { bytes };
  };
}

/** catersheet's reader, as integrators use it: row by row, of a workbook or a CSV. */
export async function ours({ file }) {
  return async () => {
    const tally = new Tally();
    for (const sheet of await readWorkbook(file)) {
      for await (const { cells } of sheet.rows) {
        tally.rows++;
        for (let i = 0; i < cells.length; i++) {
          const { type, value } = cells[i];
          if (type === 'date') tally.cells++;
          else tally.add(value);
        }
      }
    }
    return tally;
  };
}

/** hucre, row by row. */
export async function hucreStream({ file }) {
  const { streamXlsxRows } = await import('hucre/xlsx');
  return async () => {
    const tally = new Tally();
    for await (const { values } of streamXlsxRows(await readFile(file))) tally.addRow(values);
    return tally;
  };
}

/** hucre, which gives all sheets at once. */
export async function hucre({ file }) {
  const { readXlsx } = await import('hucre/xlsx');
  return async () => {
    const tally = new Tally();
    const { sheets } = await readXlsx(await readFile(file));
    for (const { rows } of sheets) for (const row of rows) tally.addRow(row);
    return tally;
  };
}

/** read-excel-file, which gives all sheets at once. */
export async function readExcelFile({ file }) {
  const { default: read } = await import('read-excel-file/node');
  return async () => {
    const tally = new Tally();
    for (const { data } of await read(file)) for (const row of data) tally.addRow(row);
    return tally;
  };
}

/** exceljs, streaming. */
export async function exceljsStream({ file }) {
  const { default: ExcelJS } = await import('exceljs');
  const options = { sharedStrings: 'cache', styles: 'cache', worksheets: 'emit' };
  return async () => {
    const tally = new Tally();
    for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, options)) {
      for await (const row of sheet) {
        tally.rows++;
        row.eachCell((cell) => tally.add(cell.value));
      }
    }
    return tally;
  };
}

/** exceljs, loading the whole workbook. */
export async function exceljs({ file }) {
  const { default: ExcelJS } = await import('exceljs');
  return async () => {
    const tally = new Tally();
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(file);
    for (const sheet of book.worksheets) {
      sheet.eachRow((row) => {
        tally.rows++;
        row.eachCell((cell) => tally.add(cell.value));
      });
    }
    return tally;
  };
}

/** SheetJS as the registry has it, in its form of arrays, which is its fastest. */
export async function sheetjs({ file }) {
  const { default: XLSX } = await import('xlsx');
  return async () => {
    const tally = new Tally();
    const { Sheets } = XLSX.read(await readFile(file), { dense: true, cellHTML: false, cellText: false });
    for (const sheet of Object.values(Sheets)) {
      for (const row of sheet) tally.addRow(row.map((cell) => cell?.v));
    }
    return tally;
  };
}

/** papaparse on a stream, in chunks, which is its fastest; it finds the separator. */
export async function papaparse({ file }) {
  const { default: Papa } = await import('papaparse');
  const { createReadStream } = await import('node:fs');
  return () =>
    new Promise((complete, error) => {
      const tally = new Tally();
      const chunk = ({ data }) => {
        for (const row of data) tally.addRow(row);
      };
      const options = { skipEmptyLines: true, chunk, error, complete: () => complete(tally) };
      Papa.parse(createReadStream(file), options);
    });
}

/** csv-parse on a stream, with the separator told. */
export async function csvParse({ file }) {
  const { parse } = await import('csv-parse');
  const { createReadStream } = await import('node:fs');
  return async () => {
    const tally = new Tally();
    for await (const row of createReadStream(file).pipe(parse({ delimiter: ';' }))) tally.addRow(row);
    return tally;
  };
}
