import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { formulaKind } from '../../../src/xlsx/read/formula-kind.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { layoutOf } from './layout-of.ts';

type CellValue = string | number | null | { readonly formula: string; readonly result: number | string };

const sum = (formula: string, result: number) => ({ formula, result });

/** What becomes of the rows of a count in a workbook: `7003` by its product, else why a row is none. */
async function fates(
  rows: readonly (readonly CellValue[])[],
  edit: (sheet: ExcelJS.Worksheet) => void = () => {},
  headers = ['ProductID', 'GeteldRekeneenheid'],
): Promise<Record<number, string>> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Voorraadtelling');
  sheet.addRow(headers);
  for (const row of rows) sheet.addRow([...row]);
  edit(sheet);
  const file = join(tempFolder(), 'telling.xlsx');
  await book.xlsx.writeFile(file);
  const layout = await layoutOf(await readWorkbook(file));
  return Object.fromEntries([
    ...layout.records.map(({ row, values, issues }) => [
      row,
      [values.ProductID, ...issues.map(({ code }) => code)].join(' '),
    ]),
    ...Object.entries(layout.passedOver).flatMap(([why, numbers]) => numbers.map((row) => [row, why])),
  ]);
}

const ROWS = [
  [7003, 7],
  [7007, 5],
];

describe('a row that a workbook computes from others is no record', () => {
  test('the totals row of a table is skipped, whatever stands in it, and no row below the table', async () => {
    const totals = async (last: readonly CellValue[]): Promise<unknown> =>
      await fates([], (sheet) => {
        sheet.addTable({
          ...{ name: 'Tabel1', ref: 'A1', headerRow: true, totalsRow: true },
          columns: [{ name: 'ProductID' }, { name: 'GeteldRekeneenheid' }],
          rows: ROWS,
        });
        for (const [at, value] of last.entries()) sheet.getCell(4, at + 1).value = value as ExcelJS.CellValue;
        sheet.getCell('A6').value = 7001;
        sheet.getCell('B6').value = 2;
      });
    for (const last of [
      [sum('SUBTOTAL(101,Tabel1[ProductID])', 7005), sum('SUBTOTAL(109,Tabel1[GeteldRekeneenheid])', 12)],
      [7005, 12],
      [null, 12],
    ])
      expect(await totals(last)).toEqual({ 2: '7003', 3: '7007', 4: 'totals', 6: '7001' });
  });

  test.each<[string, readonly CellValue[], string]>([
    [
      'a key that is a SUBTOTAL',
      [sum('SUBTOTAL(101,A2:A3)', 7005), sum('SUBTOTAL(109,B2:B3)', 12)],
      'aggregates',
    ],
    ['an aggregate of a table elsewhere', [null, sum('SUM(Tabel2[Aantal])', 99)], 'aggregates'],
    ['the subtotal of a group of one row', [null, sum('SUBTOTAL(9,B3:B3)', 5)], 'aggregates'],
    ['a sum along the row is an amount', [7001, sum('SUM(C4:D4)', 3)], '7001'],
    ['a key that goes on counting is a key', [sum('MAX(A$2:A3)+1', 7008), 3], '7008'],
    ['an amount that is a total stays one of its product', [7001, sum('SUM(B2:B3)', 12)], '7001'],
  ])('%s', async (_, row, fate) => {
    expect(await fates([...ROWS, row])).toEqual({ 2: '7003', 3: '7007', 4: fate });
  });

  test.each<[string, number, boolean]>([
    ['SUBTOTAL(109,B2:B9)', 10, true],
    ['AGGREGATE(9,5,B2:B9)', 10, true],
    ['SUM(Tabel1[Prijs])', 10, true],
    ['IFERROR(INT(AVERAGE(B2:B9)),"-")', 10, true],
    ["SUM('Telling'!B2:B9)", 10, true],
    ['SUBTOTAL(9,B5:B5)', 6, true],
    ['SUBTOTAL(9,B5:B5)', 5, false],
    ['SUM(Inkoop!B2:B9)', 10, false],
    ['ROUND(MAX(B2:B9)+1,0)', 10, false],
    ['SUM(B2:B9)', 5, false],
    ['SUM(Tabel1[@Prijs])', 10, false],
    ['SUM(B2:B9)/2', 10, false],
  ])('%s in row %i: %s', (formula, row, expected) => {
    expect(formulaKind(formula, 3, row, 'Telling') === 'aggregate').toBe(expected);
  });
});
