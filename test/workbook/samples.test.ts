import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { cellsText } from './make-workbook.ts';

const SAMPLES = join(import.meta.dirname, '../../fixtures/samples');

/** The rows and hidden rows of every sheet. */
async function sizesOf(file: string): Promise<string> {
  const sizes: string[] = [];
  for (const sheet of await readWorkbook(file)) {
    let [rows, hidden] = [0, 0];
    for await (const row of sheet.rows) {
      rows++;
      if (row.hidden) hidden++;
    }
    sizes.push(`${sheet.name} ${rows} ${hidden}`);
  }
  return sizes.join(', ');
}

test.each([
  [
    'catalogus-voorjaar.xlsx',
    'Pakketten 151 3, Recepten 122 0, Notities 1 0',
    { Pakketten: 'A2 31002, B2 "Kerstbuffet Luxe"', Recepten: 'A1 "Receptenlijst voorjaar 2027"' },
  ],
  ['telling-koelcel.csv', 'telling-koelcel 81 0', { 'telling-koelcel': 'B2 "Tiramisù"' }],
])('%s is read as a spreadsheet program saved it', async (name, sizes, cells) => {
  const file = join(SAMPLES, name);
  expect(await sizesOf(file)).toBe(sizes);
  for (const [sheet, held] of Object.entries(cells)) expect(await cellsText(file, sheet)).toContain(held);
});
