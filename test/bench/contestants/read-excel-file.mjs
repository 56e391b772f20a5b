import readExcelFile from 'read-excel-file/node';
import { Tally } from './tally.mjs';

/** read-excel-file, which gives all sheets at once. */
export async function read(file) {
  const tally = new Tally();
  for (const { data } of await readExcelFile(file)) {
    for (const row of data) {
      tally.rows++;
      for (const value of row) tally.add(value);
    }
  }
  return tally;
}
