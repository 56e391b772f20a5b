import ExcelJS from 'exceljs';
import { Tally } from './tally.mjs';

/** exceljs, streaming. */
export async function read(file) {
  const tally = new Tally();
  const reader = new ExcelJS.stream.xlsx.WorkbookReader(file, {
    sharedStrings: 'cache',
    styles: 'cache',
    worksheets: 'emit',
  });
  for await (const sheet of reader) {
    for await (const row of sheet) {
      tally.rows++;
      row.eachCell((cell) => tally.add(cell.value));
    }
  }
  return tally;
}
