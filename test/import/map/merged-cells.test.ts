import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { layoutOf } from './layout-of.ts';

test('cells merged over several records are named: only the first of them has the value', async () => {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Pakketten');
  sheet.addRows([['Prijslijst'], [], ['ExternalID', 'Verkoopprijs', 'Notitie'], [1, 5], [2], [3]]);
  for (const range of ['A1:A2', 'B4:B6', 'C4:C5', 'D4:E5']) sheet.mergeCells(range);
  const file = join(tempFolder(), 'week12.xlsx');
  await book.xlsx.writeFile(file);
  const { notes } = await layoutOf(await readWorkbook(file));
  expect(notes).toContain('merged cells B4:B6: only the first row of each has the value');
});
