import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { openKitchen } from '../../helpers/kitchen.ts';
import { readBack } from '../../helpers/make-workbook.ts';
import { problemBook } from '../../workbook/problem-book.ts';
import { readPart } from '../../xlsx/read/read-part.ts';

test('the rows that need work come in the user’s own workbook, to be corrected in it and imported again', async () => {
  const kitchen = await openKitchen();
  const file = await problemBook(join(kitchen.folder, 'boek.xlsx'), { bad: [6, 8] });
  const out = join(kitchen.folder, 'fout.xlsx');
  const options = {
    ...{ baseUrl: kitchen.url, token: kitchen.token, lang: 'nl' as const },
    ...{ sheets: ['Pakketten'] },
    ...{ ledger: join(kitchen.folder, 'ledger.db'), log: join(kitchen.folder, 'run.log') },
  };
  const first = await importWorkbook(file, { ...options, out, onlyProblems: true });
  expect(first.counts).toMatchObject({ created: 4, invalid: 2, skipped: 2 });
  expect(first.notes?.join()).toContain('weggelaten rijen');
  const xml = await readPart(out, 'xl/worksheets/sheet2.xml');
  for (const text of ['sqref="B4:B494"', 'Keuzes!$A$1:$A$3', '<f>C4*2</f>', 'width="31"', 'duur'])
    expect(xml).toContain(text);
  // Corrected as a spreadsheet program would: the notes and colours are still in it.
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(out);
  const sheet = book.getWorksheet('Pakketten');
  expect(JSON.stringify(sheet?.getCell('C4').note)).toContain('duur');
  for (const row of [4, 5]) if (sheet !== undefined) sheet.getCell(`C${row}`).value = 12.5;
  const corrected = join(kitchen.folder, 'goed.xlsx');
  await book.xlsx.writeFile(corrected);
  const second = await importWorkbook(corrected, options);
  expect(second.counts).toMatchObject({ read: 2, created: 2 });
  const rows = (await readBack(second.result ?? '')).get('Pakketten');
  expect([4, 5].map((row) => rows?.get(row)?.get(1))).toEqual([600_006, 600_008]);
});
