import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { oneSheet, scratchFolder, writeZip } from '../../workbook/make-workbook.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DATA = '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>';
const folder = scratchFolder();

test.each([
  ['', '', [], false],
  ['<cols/>', '', [], false],
  ['<cols><col min="1" max="2" width="9"/></cols>', '', [], false],
  ['<cols><col min="2" max="3" hidden="1"/></cols>', '', [[2, 3]], false],
  [
    '<cols><col min="2" max="3" hidden="0"/><col hidden="true" min="5" max="5"></col></cols>',
    '',
    [[5, 5]],
    false,
  ],
  // Up to the last column, whatever the file says.
  ['<cols><col min="4" max="999999" hidden="1"/></cols>', '', [[4, 16_384]], false],
  [
    '<cols><col min="x" max="3" hidden="1"/><col max="3" hidden="1"/><col min="3" max="2" hidden="1"/></cols>',
    '',
    [],
    false,
  ],
  // Elsewhere it means something else.
  ['<other><cols><col min="1" max="1" hidden="1"/></cols><autoFilter/></other>', '', [], false],
  ['', '<autoFilter ref="A1:B9"/>', [], true],
  ['', '<autoFilter ref="A1:B9"><filterColumn colId="0"/></autoFilter>', [], true],
])(
  'hidden columns and filters are found in a sheet with "%s" before its rows and "%s" behind them',
  async (before, after, hiddenColumns, filtered) => {
    const sheet = `<worksheet xmlns="${MAIN}">${before}${DATA}${after}</worksheet>`;
    const file = await writeZip(join(folder, 'a.xlsx'), oneSheet('', { 'xl/worksheets/sheet1.xml': sheet }));
    const [read] = (await readWorkbook(file)).sheets;
    expect(read?.layout).toMatchObject({ hiddenColumns: [], filtered: false });
    for (let times = 0; times < 2; times++) {
      for await (const _ of read?.batches ?? []);
      expect(read?.layout).toMatchObject({ hiddenColumns, filtered });
    }
  },
);
