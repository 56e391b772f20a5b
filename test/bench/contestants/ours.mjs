import { readWorkbook } from '../../../dist/workbook/read-workbook.js';
import { Tally } from './tally.mjs';

/** catersheet's reader, as integrators use it: row by row. */
export async function read(file) {
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
}
