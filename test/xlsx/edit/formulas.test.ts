import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { movedFormula } from '../../../src/xlsx/edit/formulas.ts';
import { packageFaults } from '../../helpers/excel-rules.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { partsOf } from '../../template/fill-in.ts';
import { HEADER_ROW, problemBook } from '../../workbook/problem-book.ts';
import { readPart } from '../read/read-part.ts';
import { plain, rewrite } from './rewrite-fixture.ts';

test.each([
  ['B2*C2', 1, 0, 'B3*C3'],
  ['SUM($B$2:B2)+b2', 2, 1, 'SUM($B$2:C4)+C4'],
  ['IF(A2="B2","it\'s ""A1""",\'Blad A1\'!A2)', 1, 0, 'IF(A3="B2","it\'s ""A1""",\'Blad A1\'!A3)'],
  ['LOG10(A1)+Q1_totaal+Tabel1[A1]+Prijs1', 1, 1, 'LOG10(B2)+Q1_totaal+Tabel1[A1]+Prijs1'],
  ['SUM(A:A)+SUM($B:C)+SUM(1:1)+SUM($3:4)', 2, 1, 'SUM(B:B)+SUM($B:D)+SUM(3:3)+SUM($3:6)'],
  ['Blad2!A1+XFD1+A1048576', 1, 1, 'Blad2!B2+#REF!+#REF!'],
])('a formula %s that moves %i rows and %i columns becomes %s', (formula, rows, columns, expected) => {
  expect(movedFormula(formula, rows, columns)).toBe(expected);
});

test.each<[number[], (string | number)[]]>([
  [[4], [99, 'C5*2', 'C6*2', 'C7*2', 'C8*2', 'C9*2']],
  [
    [4, 5, 8],
    [99, 99, 'C6*2', 'C7*2', 99, 'C9*2'],
  ],
])(
  'a cell that held a formula and is corrected leaves those that shared it with theirs (rows %j)',
  async (rows, expected) => {
    const folder = tempFolder();
    const [file, target] = [await problemBook(join(folder, 'in.xlsx')), join(folder, 'out.xlsx')];
    const cell = { column: 4, type: 'number', value: 99 } as const;
    const corrected = new Map(rows.map((row) => [row, new Map([[4, cell]])]));
    await rewrite(file, target, plain, { headerRow: HEADER_ROW, corrected }, { name: 'Pakketten' });
    const book = new exceljs.Workbook();
    await book.xlsx.readFile(target);
    const cells = expected.map((_, at) => book.getWorksheet('Pakketten')?.getCell(`D${at + 4}`));
    expect(cells.map((one) => one?.formula ?? one?.value)).toEqual(expected);
    const faults = [file, target].map(async (one) => packageFaults(await partsOf(readFileSync(one))));
    expect(await faults[1]).toEqual(await faults[0]);
    // Which cells are calculated in which order is found anew.
    await expect(readPart(target, 'xl/calcChain.xml')).rejects.toThrow();
    for (const part of ['[Content_Types].xml', 'xl/_rels/workbook.xml.rels'])
      expect(await readPart(target, part)).not.toContain('calcChain');
    expect(await readPart(target, 'xl/workbook.xml')).toContain('fullCalcOnLoad="1"');
  },
);
