import { readFile } from 'node:fs/promises';
import { readXlsx } from 'hucre/xlsx';
import { Tally } from './tally.mjs';

/** hucre, which gives all sheets at once. */
export async function read(file) {
  const tally = new Tally();
  const { sheets } = await readXlsx(await readFile(file));
  for (const { rows } of sheets) {
    for (const row of rows) {
      tally.rows++;
      for (const value of row) tally.add(value);
    }
  }
  return tally;
}
