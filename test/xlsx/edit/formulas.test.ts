import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { CorrectedCells } from '../../../src/files/result-sheet.ts';
import { writeResult } from '../../../src/workbook/write-result.ts';
import { movedFormula } from '../../../src/xlsx/edit/formulas.ts';
import { packageFaults } from '../../helpers/excel-rules.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { partsOf } from '../../template/fill-in.ts';
import { writeZip } from '../../workbook/make-workbook.ts';
import { readPart } from '../read/read-part.ts';
import { madeUp, plain } from './rewrite-fixture.ts';

describe('a formula that moves', () => {
  it.each([
    ['B2*C2', 1, 0, 'B3*C3'],
    ['SUM($B$2:B2)+b2', 2, 1, 'SUM($B$2:C4)+C4'],
    ['IF(A2="B2","it\'s ""A1""",\'Blad A1\'!A2)', 1, 0, 'IF(A3="B2","it\'s ""A1""",\'Blad A1\'!A3)'],
    ['LOG10(A1)+Q1_totaal+Tabel1[A1]+Prijs1', 1, 1, 'LOG10(B2)+Q1_totaal+Tabel1[A1]+Prijs1'],
    ['SUM(A:A)+SUM($B:C)+SUM(1:1)+SUM($3:4)', 2, 1, 'SUM(B:B)+SUM($B:D)+SUM(3:3)+SUM($3:6)'],
    ['Blad2!A1+XFD1+A1048576', 1, 1, 'Blad2!B2+#REF!+#REF!'],
  ])('%s moves %i rows and %i columns to %s', (formula, rows, columns, expected) => {
    expect(movedFormula(formula, rows, columns)).toBe(expected);
  });
});

/** A workbook with formulas that are filled down, and the part that lists them in their order. */
async function filledDown(file: string): Promise<string> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Blad');
  sheet.addRow(['Naam', 'Prijs', 'Aantal', 'Totaal', 'Half']);
  for (let row = 2; row <= 5; row++) sheet.addRow([`Rij ${row}`, row, 2]);
  sheet.fillFormula('D2:E5', '$B2*C2', (row: number) => row * 2);
  await book.xlsx.writeFile(file);
  const parts = new Map<string, string | Buffer>(await partsOf(readFileSync(file)));
  const add = (part: string, before: string, xml: string): void => {
    const text = String(parts.get(part));
    expect(text).toContain(before);
    parts.set(part, text.replace(before, `${xml}${before}`));
  };
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const list = '<c r="D2" i="1"/><c r="D3"/>';
  parts.set('xl/calcChain.xml', `<calcChain xmlns="${main}">${list}</calcChain>`);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml';
  const override = `<Override PartName="/xl/calcChain.xml" ContentType="${type}"/>`;
  add('[Content_Types].xml', '</Types>', override);
  const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain';
  const relationship = `<Relationship Id="rId99" Type="${related}" Target="calcChain.xml"/>`;
  add('xl/_rels/workbook.xml.rels', '</Relationships>', relationship);
  const files = [...parts].filter(([name]) => !name.endsWith('/'));
  await writeZip(file, Object.fromEntries(files));
  return file;
}

/** Its result, with numbers in place of cells. */
async function corrected(cells: readonly (readonly [row: number, column: number])[]) {
  const folder = tempFolder();
  const file = await filledDown(join(folder, 'in.xlsx'));
  const rows = new Map<number, Map<number, { column: number; type: 'number'; value: number }>>();
  for (const [row, column] of cells)
    rows.set(row, (rows.get(row) ?? new Map()).set(column, { column, type: 'number', value: 99 }));
  const target = join(folder, 'out.xlsx');
  const sheets = await madeUp(file, plain, { corrected: rows as ReadonlyMap<number, CorrectedCells> });
  await writeResult(target, sheets, { source: file });
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(target);
  const sheet = book.getWorksheet('Blad');
  const formulas = ['D', 'E'].map((letters) =>
    [2, 3, 4, 5].map((row) => {
      const cell = sheet?.getCell(`${letters}${row}`);
      return cell?.formula ?? cell?.value;
    }),
  );
  return { target, formulas };
}

describe('a cell that held a formula', () => {
  it.each([
    [
      [[2, 4]],
      [
        [99, '$B3*C3', '$B4*C4', '$B5*C5'],
        ['$B2*D2', '$B3*D3', '$B4*D4', '$B5*D5'],
      ],
    ],
    [
      [
        [2, 4],
        [2, 5],
        [3, 4],
      ],
      [
        [99, 99, '$B4*C4', '$B5*C5'],
        [99, '$B3*D3', '$B4*D4', '$B5*D5'],
      ],
    ],
  ] as [[number, number][], (string | number)[][]][])(
    'and is corrected (%j) leaves those that shared it with theirs',
    async (cells, expected) => {
      const { target, formulas } = await corrected(cells);
      expect(formulas).toEqual(expected);
      expect(packageFaults(await partsOf(readFileSync(target)))).toEqual([]);
      await expect(readPart(target, 'xl/calcChain.xml')).rejects.toThrow();
      for (const part of ['[Content_Types].xml', 'xl/_rels/workbook.xml.rels'])
        expect(await readPart(target, part)).not.toContain('calcChain');
      expect(await readPart(target, 'xl/workbook.xml')).toContain('fullCalcOnLoad="1"');
    },
  );
});
