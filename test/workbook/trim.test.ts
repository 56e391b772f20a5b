import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shiftFormula } from '../../src/xlsx/trim/formula.ts';
import { moveFormula } from '../../src/xlsx/trim/move-formula.ts';
import { RowMap } from '../../src/xlsx/trim/row-map.ts';
import { membersOf, WORKSHEET_ORDER } from '../helpers/excel-rules.ts';
import { readPart } from '../xlsx/read/read-part.ts';
import { readAll, scratchFolder } from './make-workbook.ts';
import { problemBook, RECORDS } from './problem-book.ts';
import { cellIn, expectWhole, parts, refsIn, SHEET, wanted } from './trimmed.ts';

const folder = scratchFolder();
let count = 0;
const fresh = (name: string): string => join(folder, `${count++}-${name}`);

const rowsIn = (xml: string): Map<number, string> =>
  new Map([...xml.matchAll(/<row r="(\d+)"(.*?)<\/row>/gs)].map(([, row, text = '']) => [Number(row), text]));
describe('a workbook of the rows that need work', () => {
  test('has them as they were, and all that names cells names them where they are', async () => {
    const file = await problemBook(fresh('in.xlsx'));
    const { target, notes } = await wanted(file, [5, 7, 9]);
    const all = await parts(target);
    const [before, after] = [await readPart(file, SHEET), all.get(SHEET) ?? ''];
    for (const [at, row] of [5, 7, 9].entries()) {
      // Value, format and height; the price is tinted.
      for (const column of ['A', 'B'])
        expect(cellIn(after, `${column}${at + 4}`)).toBe(
          cellIn(before, `${column}${row}`).replace(`${column}${row}`, `${column}${at + 4}`),
        );
      expect(rowsIn(after).get(at + 4)).toMatch(new RegExp(`^ ht="2${row}" customHeight="1">`));
      // Its own formula goes on working; what counted on other rows is what it came to.
      expect(cellIn(after, `D${at + 4}`)).toContain(`<f>C${at + 4}*2</f><v>${row * 2}</v>`);
      expect(cellIn(after, `G${at + 4}`)).toContain(`<f t="array" ref="G${at + 4}">MAX(C${at + 4}*{1})</f>`);
      expect(cellIn(after, `E${at + 4}`)).toBe(`<c r="E${at + 4}" s="3"><v>0.${row}</v></c>`);
      // Without a result it is none that could be taken for one.
      expect(cellIn(after, `H${at + 4}`)).toBe(`<c r="H${at + 4}"><f>NA()</f></c>`);
    }
    expect([...rowsIn(after).keys()]).toEqual([1, 3, 4, 5, 6, 15]);
    expect(cellIn(after, 'C1')).toBe('<c r="C1" s="2"><v>39</v></c>');
    for (const text of [
      '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>',
      '<conditionalFormatting sqref="C4:C6"><cfRule type="expression" dxfId="0" priority="1"><formula>$C4&gt;AVERAGE($C$4:$C$6)</formula>',
      '<dataValidations count="2"><dataValidation type="list" sqref="B4:B495"><formula1>Keuzes!$A$1:$A$3</formula1>',
      'sqref="C4:C6"><formula1>$A4/1000000</formula1>',
      '<hyperlinks><hyperlink ref="B5" location="Pakketten!A6"/></hyperlinks>',
      '<ignoredError sqref="A4:A6"',
      'topLeftCell="A6" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="B6" sqref="B6"/>',
      '<col min="2" max="2" width="31" customWidth="1"/>',
    ])
      expect(after).toContain(text);
    for (const text of ['rowBreaks', 'A10', 'A11', 'hidden=', 'shared']) expect(after).not.toContain(text);
    const members = membersOf(after);
    expect(members).toEqual(
      [...members].sort((one, other) => WORKSHEET_ORDER.indexOf(one) - WORKSHEET_ORDER.indexOf(other)),
    );
    expect(refsIn(all.get('xl/comments1.xml') ?? '', /<comment ref="(\w+)"/g)).toEqual([
      'B5',
      'B6',
      'C4',
      'C5',
      'C6',
    ]);
    expect(refsIn(all.get('xl/drawings/vmlDrawing1.vml') ?? '', /<x:Row>(\d+)/g)).toEqual([
      '4',
      '5',
      '3',
      '4',
      '5',
    ]);
    expect(refsIn(all.get('xl/tables/table1.xml') ?? '', /ref="([A-Z\d:]+)"/g)).toEqual(['A3:M6', 'A3:M6']);
    expect(all.get('xl/tables/table1.xml')).not.toMatch(/totalsRowCount|filterColumn/);
    // Its picture went with a row, the chart shows those that are left.
    expect(refsIn(all.get('xl/drawings/drawing1.xml') ?? '', /name="(\w+ ?\d?)"/g)).toEqual([
      'Grafiek',
      'Foto 9',
    ]);
    expect(all.get('xl/charts/chart1.xml')).toContain('<c:f>Pakketten!$C$4:$C$6</c:f>');
    const workbook = all.get('xl/workbook.xml') ?? '';
    expect(refsIn(workbook, /<sheet name="(\w+)"/g)).toEqual(['Pakketten', 'Keuzes']);
    expect(refsIn(workbook, /<definedName name="(\w+\.?\w+" ?[^<]*)</g)).toEqual([
      '_xlnm.Print_Area" localSheetId="0">Pakketten!$A$1:$H$6',
      '_xlnm.Print_Titles" localSheetId="0">Pakketten!$3:$3',
      'Prijzen">Pakketten!$C$4:$C$6',
    ]);
    // Another sheet's formula for a row that is gone is what it came to: its list stays whole.
    expect(cellIn(all.get('xl/worksheets/sheet4.xml') ?? '', 'B1')).toContain('<v>4</v>');
    expect(cellIn(all.get('xl/worksheets/sheet4.xml') ?? '', 'B2')).toContain('<f>Pakketten!C4</f>');
    expect(notes).toEqual([
      expect.stringContaining('formulas'),
      expect.stringContaining('lists to choose from'),
    ]);
    await expectWhole(target);
  });

  test('has the sheets that others count on, hidden where their own rows need no work', async () => {
    const list =
      '<dataValidation type="list" sqref="B4:B9"><formula1>Recepten!$A$2:$A$2</formula1></dataValidation>';
    const plain = await problemBook(fresh('in.xlsx'));
    const sheet = (await readPart(plain, SHEET)).replace(
      /<dataValidation type="list" sqref="F4.*?<\/dataValidation>/,
      list,
    );
    const file = await problemBook(fresh('in.xlsx'), { more: { [SHEET]: sheet } });
    const { target } = await wanted(file, [4], ['Pakketten', 'Recepten']);
    const workbook = await readPart(target, 'xl/workbook.xml');
    const listed = refsIn(workbook, /<sheet ([^>]*)\/>/g).map(
      (sheet) => `${/name="(\w+)"/.exec(sheet)?.[1]}${sheet.includes('state="hidden"') ? ' hidden' : ''}`,
    );
    expect(listed).toEqual(['Pakketten', 'Recepten hidden', 'Keuzes hidden']);
    expect((await readAll(target)).Recepten).toMatchObject({ A2: ['number', 1] });
    // Where no row needs work, the sheets that were imported are there with their headers alone.
    const none = await wanted(file, [], ['Pakketten', 'Recepten']);
    const { Pakketten = {}, Recepten } = await readAll(none.target);
    expect([Pakketten.A3, Pakketten.A4, Recepten?.A2]).toEqual([
      ['text', 'ExternalID'],
      undefined,
      undefined,
    ]);
    expect(await readPart(none.target, 'xl/tables/table1.xml')).toContain('ref="A3:M4"');
    await expectWhole(none.target);
  });

  test('agrees with where its rows are, whichever they are', { timeout: 60_000 }, async () => {
    const file = await problemBook(fresh('in.xlsx'));
    await fc.assert(
      fc.asyncProperty(fc.subarray([...RECORDS], { minLength: 1 }), async (kept) => {
        const { target } = await wanted(file, kept);
        const all = await parts(target);
        const sheet = all.get(SHEET) ?? '';
        const rows = new Map(kept.map((row, at) => [row, at + 4]));
        const last = 3 + kept.length;
        for (const [row, number] of rows) {
          expect(cellIn(sheet, `A${number}`)).toContain(`<v>${600_000 + row}</v>`);
          expect(cellIn(sheet, `D${number}`)).toContain(`<f>C${number}*2</f>`);
          expect(cellIn(sheet, `J${number}`)).toContain(`<v>${row}</v>`);
          expect(sheet).toContain(
            `<xm:f>Pakketten!C${number}:D${number}</xm:f><xm:sqref>I${number}</xm:sqref>`,
          );
        }
        // Every formula of a record names cells of its own row, of one that stayed, or of all when all did.
        for (const [, row, formula] of sheet.matchAll(/<c r="[D-H](\d+)"[^>]*><f[^>]*>([^<]+)/g))
          for (const [, named] of formula?.matchAll(/[A-Z]\$?(\d+)/g) ?? [])
            expect(Number(row) <= last && Number(named) <= last).toBe(true);
        const noted = RECORDS.filter((row) => row !== 5 && row !== 6 && row !== 8).flatMap(
          (row) => rows.get(row) ?? [],
        );
        const comments = refsIn(all.get('xl/comments1.xml') ?? '', /<comment ref="B(\d+)"/g).map(Number);
        expect(comments).toEqual(noted);
        const shapes = refsIn(
          all.get('xl/drawings/vmlDrawing1.vml') ?? '',
          /<x:Row>(\d+)<\/x:Row><x:Column>1</g,
        );
        expect(shapes.map((row) => Number(row) + 1)).toEqual(noted);
        expect(all.get('xl/tables/table1.xml')).toContain(`ref="A3:M${last}"`);
        expect(all.get('xl/charts/chart1.xml')).toContain(`$C$4:$C$${last}<`);
        expect(sheet.includes('<mergeCell ref="A')).toBe(true);
        expect(sheet.includes(':A5"/>') || sheet.includes(':A6"/>')).toBe(
          kept.includes(5) && kept.includes(6),
        );
        expect(
          refsIn(sheet, /<(?:row|c) r="[A-Z]*(\d+)"/g).every(
            (row) => Number(row) <= last || row === String(last + 9),
          ),
        ).toBe(true);
      }),
      { numRuns: 6 },
    );
  });

  const office = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(existsSync);
  test.skipIf(office === undefined)('opens in LibreOffice', { timeout: 90_000 }, async () => {
    const { target } = await wanted(await problemBook(fresh('in.xlsx')), [5, 7, 9]);
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,1';
    execFileSync(office ?? '', [profile, '--headless', '--convert-to', filter, '--outdir', folder, target], {
      timeout: 60_000,
      stdio: 'ignore',
    });
    const text = readFileSync(target.replace(/\.xlsx$/, '-Pakketten.csv'), 'utf8');
    expect(text).toContain('600007,Soep 7,7,14,70%,1,7');
  });
});

// Rows 5, 7 and 9 of those below row 3 stay; row 11 is the last.
const ROWS = new RowMap(3, [5, 7, 9], 11);
const MOVES = {
  rows: new Map([
    ['pakketten', ROWS],
    ["kok's blad", ROWS],
  ]),
  lost: new Set(['lijst']),
  names: new Map([['begin', { touched: true, placed: false }]]),
};

describe('a formula', () => {
  test.each([
    ['C5*2+$D$7', 'C4*2+$D$5', ''],
    ['C$3&C12', 'C$3&C7', ''],
    ['SUM(C4:C9)', 'SUM(C4:C6)', 'lost'],
    ['C6', '#REF!', 'lost broken'],
    ['SUM(C:C)+SUM($3:$3)', 'SUM(C:C)+SUM($3:$3)', 'lost'],
    ['Pakketten!C9+Anders!C6', 'Pakketten!C6+Anders!C6', ''],
    ["'Kok''s blad'!$C$9", "'Kok''s blad'!$C$6", ''],
    ['"C6 ""C6"""&LOG10(C5)&ABC12_x', '"C6 ""C6"""&LOG10(C4)&ABC12_x', ''],
    ['[1]Pakketten!C6', '[1]Pakketten!C6', ''],
    ['Jan:Dec!C6', 'Jan:Dec!C6', 'lost'],
    ['Lijst[[#This Row],[Prijs]]+Lijst[Prijs C6]', 'Lijst[[#This Row],[Prijs]]+Lijst[Prijs C6]', 'lost'],
    ['Lijst[[#This Row],[Prijs]]', 'Lijst[[#This Row],[Prijs]]', ''],
    ['ROW()+INDIRECT("A"&C5)', 'ROW()+INDIRECT("A"&C4)', 'placed'],
    ['SUBTOTAL(9,C5)+lijst(C5)', 'SUBTOTAL(9,C4)+lijst(C4)', 'lost placed'],
    ['C5:INDEX(C:C,9)', 'C4:INDEX(C:C,9)', 'lost placed'],
    ['#REF!+1E5+R5', '#REF!+1E5+R4', ''],
  ])('%s becomes %s', (formula, text, said) => {
    const moved = moveFormula(formula, { sheet: 'Pakketten', relative: 'cell' }, MOVES);
    const found = (['lost', 'broken', 'placed'] as const).filter((one) => moved[one]).join(' ');
    expect([moved.text, found]).toEqual([text, said]);
  });

  test.each([
    ['A1+$B$2+C$3+$D4', 2, 1, 'B3+$B$2+D$3+$D6'],
    ['SUM(A:A,1:1,Anders!A1:B2)', 1, 1, 'SUM(B:B,2:2,Anders!B2:C3)'],
    ['A2', -2, 0, 'A1048576'],
  ])('%s, %i down and %i to the right, is %s', (formula, rows, columns, expected) => {
    expect(shiftFormula(formula, rows, columns)).toBe(expected);
  });

  test('of a rule keeps its distance to the row it is for', () => {
    const seen = (formula: string) =>
      moveFormula(formula, { sheet: 'Pakketten', relative: [4, 5] }, MOVES).text;
    expect(['$C4>1', 'C4<>C5', 'SUM($C$4:$C4)', 'Anders!A4'].map(seen)).toEqual([
      ...['$C4>1', 'C4<>C5', 'SUM($C$4:$C4)', '#REF!'],
    ]);
  });
});
