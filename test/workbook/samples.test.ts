import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellAddress } from '../../src/core/cell.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';

const SAMPLES = join(import.meta.dirname, '../../fixtures/samples');

/** Rows and hidden rows of every sheet, and the cells asked for by `sheet!address`. */
async function look(
  name: string,
  addresses: readonly string[],
): Promise<{ sheets: unknown; cells: unknown }> {
  const sheets: [string, number, number][] = [];
  const cells: Record<string, unknown> = {};
  for (const sheet of await readWorkbook(join(SAMPLES, name))) {
    let hidden = 0;
    let rows = 0;
    for await (const row of sheet.rows) {
      rows++;
      if (row.hidden) hidden++;
      for (const { column, ...cell } of row.cells) {
        const address = `${sheet.name}!${cellAddress(column, row.number)}`;
        if (addresses.includes(address)) cells[address] = cell.value;
      }
    }
    sheets.push([sheet.name, rows, hidden]);
  }
  return { sheets, cells };
}

test.each([
  [
    'catalogus-voorjaar.xlsx',
    [
      ['Pakketten', 151, 3],
      ['Recepten', 122, 0],
      ['Notities', 1, 0],
    ],
    {
      'Pakketten!A2': 31_002,
      'Pakketten!B2': 'Kerstbuffet Luxe',
      'Recepten!A1': 'Receptenlijst voorjaar 2027',
      'Recepten!A3': 'ExternalID ',
    },
  ],
  [
    'telling-koelcel.csv',
    [['telling-koelcel', 81, 0]],
    { 'telling-koelcel!B2': 'Tiramisù', 'telling-koelcel!G2': 'Weektelling koelcel – Zoë' },
  ],
])('%s is read as a spreadsheet program saved it', async (name, sheets, cells) => {
  expect(await look(name, Object.keys(cells))).toEqual({ sheets, cells });
});
