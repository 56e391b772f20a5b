import { readFile } from 'node:fs/promises';
import { streamXlsxRows } from 'hucre/xlsx';
import { Tally } from './tally.mjs';

/** hucre, row by row. */
export async function read(file) {
  const tally = new Tally();
  for await (const { values } of streamXlsxRows(await readFile(file))) {
    tally.rows++;
    for (const value of values) tally.add(value);
  }
  return tally;
}
