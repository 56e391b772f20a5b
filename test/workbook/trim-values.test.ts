import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPart } from '../xlsx/read/read-part.ts';
import { scratchFolder, sheetXml } from './make-workbook.ts';
import { problemBook } from './problem-book.ts';
import { cellIn, parts, SHEET, wanted } from './trimmed.ts';

const folder = scratchFolder();

const cell = (at: string, formula: string, value: number, more = ''): string =>
  `<c r="${at}"${more}>${formula.startsWith('<') ? formula : `<f>${formula}</f>`}<v>${value}</v></c>`;

/** A sheet that is not imported, and counts on the records in ways that their sheet's name does not show. */
const OTHER = sheetXml(
  [
    `<row r="2">${cell('A2', 'AVERAGE(INDIRECT("Pak"&amp;"ketten!C4:C9"))', 6.5)}${cell('B2', 'SUM(OFFSET(Begin,1,0,6))', 39)}</row>`,
    `<row r="3">${cell('A3', 'SUM(Zoek)', 39)}${cell('B3', 'A3*2', 78)}${cell('C3', 'Rij+1', 4)}</row>`,
    `<row r="4">${cell('A4', '<f t="array" ref="A4:A9">Prijzen*1</f>', 4, ' cm="1"')}${cell('B4', '<f t="array" ref="B4">MAX(B3*{1})</f>', 78, ' cm="1"')}<c r="C4" cm="1"/></row>`,
  ].join(''),
);

test('a formula stays only where all that it counts on stays at its value', async () => {
  const plain = await problemBook(join(folder, 'plain.xlsx'));
  const sheet = (await readPart(plain, SHEET))
    .replace('<f>F4</f><v>1</v>', '<f>C5+$C$1/10</f><v>8.9</v>')
    .replace('<f>F6</f><v>1</v>', '<f>Recepten!A2</f><v>6.5</v>')
    .replaceAll(/<c (r="G\d" s="0")>/g, '<c $1 cm="1">');
  const workbook = (await readPart(plain, 'xl/workbook.xml')).replace(
    '</definedNames>',
    '<definedName name="Begin">Pakketten!$C$3</definedName><definedName name="Zoek">INDIRECT("Pak"&amp;"ketten!C4:C9")</definedName><definedName name="Rij">ROW()</definedName></definedNames>',
  );
  const file = await problemBook(join(folder, 'in.xlsx'), {
    more: { [SHEET]: sheet, 'xl/workbook.xml': workbook, 'xl/worksheets/sheet3.xml': OTHER },
  });
  const { target } = await wanted(file, [5, 7]);
  const all = await parts(target);
  const records = all.get(SHEET) ?? '';
  expect(cellIn(records, 'C1')).toBe('<c r="C1" s="2"><v>39</v></c>');
  expect(cellIn(records, 'F4')).toContain('<f>C4+$C$1/10</f><v>8.9</v>');
  expect(cellIn(records, 'F5')).toContain('<f>Recepten!A2</f><v>6.5</v>');
  // A dynamic array goes on being one.
  expect(cellIn(records, 'G4')).toBe(
    '<c r="G4" s="0" cm="1"><f t="array" ref="G4">MAX(C4*{1})</f><v>5</v></c>',
  );
  const other = all.get('xl/worksheets/sheet3.xml') ?? '';
  expect(['A2', 'B2', 'A3', 'B3', 'C3', 'A4', 'B4', 'C4'].map((at) => cellIn(other, at))).toEqual([
    '<c r="A2"><v>6.5</v></c>',
    '<c r="B2"><v>39</v></c>',
    '<c r="A3"><v>39</v></c>',
    '<c r="B3"><f>A3*2</f><v>78</v></c>',
    '<c r="C3"><v>4</v></c>',
    '<c r="A4"><v>4</v></c>',
    '<c r="B4" cm="1"><f t="array" ref="B4">MAX(B3*{1})</f><v>78</v></c>',
    '<c r="C4"/>',
  ]);
});
