import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { type ReadOptions, readWorkbook } from '../../src/workbook/read-workbook.ts';
import {
  cellsText,
  oneSheet,
  type Parts,
  readAll,
  relationships,
  scratchFolder,
  sheetXml,
  workbookXml,
  writeZip,
} from './make-workbook.ts';

const ROWS = '<row r="1"><c r="A1"><v>5</v></c></row>';
const SHEET = 'xl/worksheets/sheet1.xml';
const folder = scratchFolder();
const at = (name: string): string => join(folder, name);

async function readWith(file: string, options: ReadOptions = {}): Promise<number> {
  let cells = 0;
  for (const sheet of await readWorkbook(file, options))
    for await (const row of sheet.rows) cells += row.cells.length;
  return cells;
}

/** Where in a zip's directory the entry of this name begins. */
function directoryEntry(bytes: Buffer, name: string): number {
  const place = bytes.lastIndexOf(name) - 46;
  expect(bytes.readUInt32LE(place)).toBe(0x02014b50);
  return place;
}

const around = (before: string, after: string): Parts =>
  oneSheet(ROWS, {
    [SHEET]: sheetXml(ROWS)
      .replace('<sheetData>', `${before}<sheetData>`)
      .replace('</sheetData>', `</sheetData>${after}`),
  });

/** What spans the whole sheet and must not be laid out cell by cell. */
const HUGE: readonly (readonly [string, Parts])[] = [
  [
    'columns',
    around('<cols><col min="1" max="16384" width="9" hidden="0"/><col min="1" max="4294967295"/></cols>', ''),
  ],
  ['a merge', around('', '<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>')],
  [
    // Each one that is named again must cost next to nothing.
    'the same hidden columns sixteen thousand times',
    around(
      `<cols>${'<col min="1" max="16384" hidden="1"/><col min="2" max="3" hidden="1"/>'.repeat(8000)}</cols>`,
      '',
    ),
  ],
  [
    'an array formula',
    oneSheet('<row r="1"><c r="A1"><f t="array" ref="A1:XFD1048576">1</f><v>5</v></c></row>'),
  ],
];

test.each(HUGE)('what spans a whole sheet costs nothing, as in %s', async (name, parts) => {
  expect(await cellsText(await writeZip(at(`${name}.xlsx`), parts))).toBe('A1 5');
});

test('far cells come without the blanks before them', async () => {
  const rows = '<row r="3"><c r="XFD3"><v>1</v></c></row><row r="1048576"><c r="B1048576"><v>2</v></c></row>';
  const file = await writeZip(at('ver.xlsx'), oneSheet(rows));
  expect(await cellsText(file)).toBe('XFD3 1, B1048576 2');
  expect(await readWith(file)).toBe(2);
});

describe('a file made to do harm', () => {
  test('has one cell where it names a place a million times', async () => {
    const cells = `${'<c r="B1"><v>1</v></c>'.repeat(100_000)}<c r="A1"><v>2</v></c>`;
    const file = await writeZip(at('zelfde.xlsx'), oneSheet(`<row r="1">${cells}</row>`));
    expect(await cellsText(file)).toBe('A1 2, B1 1');
  });

  const PIECES = '<r><t>0123456789</t></r>'.repeat(1000);
  test.each([
    ['in a cell', oneSheet(`<row><c t="inlineStr"><is>${PIECES}</is></c></row>`)],
    ['in a value', oneSheet(`<row><c t="str"><v>${'0123456789<!-- -->'.repeat(1000)}</v></c></row>`)],
  ])('is refused for a text of endless pieces, %s', async (name, parts) => {
    const file = await writeZip(at(`${name}.xlsx`), parts);
    await expect(readWith(file, { limits: { tokenBytes: 5000 } })).rejects.toMatchObject({
      exit: EXIT.file,
      message: expect.stringContaining('longer than any cell'),
    });
    await expect(readWith(file)).resolves.toBe(1);
  });

  test('has its sheets of one name told apart', async () => {
    const parts = oneSheet('', {
      'xl/workbook.xml': workbookXml(
        ['A', 'a', '', 'A (2)', 'A']
          .map((name, index) => `<sheet name="${name}" r:id="r${index}"/>`)
          .join(''),
      ).replace(/(<sheet .*)<\/workbook>/, '<sheets>$1</sheets></workbook>'),
      'xl/_rels/workbook.xml.rels': relationships(
        [0, 1, 2, 3, 4].map((index) => [`r${index}`, 'worksheet', `worksheets/s${index}.xml`]),
      ),
      ...Object.fromEntries([0, 1, 2, 3, 4].map((index) => [`xl/worksheets/s${index}.xml`, sheetXml(ROWS)])),
    });
    const { sheets } = await readWorkbook(await writeZip(at('namen.xlsx'), parts));
    const names = sheets.map(({ name }) => name);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(5);
    expect(names.slice(0, 3)).toEqual(['A', 'a (2)', 'Sheet3']);
  });

  test('is not believed in the sizes of its directory', async () => {
    const file = await writeZip(at('leugen.xlsx'), oneSheet('<row><c><v>1</v></c></row>'.repeat(20_000)));
    const bytes = readFileSync(file);
    bytes.writeUInt32LE(10, directoryEntry(bytes, SHEET) + 24);
    writeFileSync(file, bytes);
    await expect(readWith(file, { limits: { partBytes: 100_000 } })).rejects.toMatchObject({
      message: expect.stringContaining('unpacks to more than'),
    });
    await expect(readWith(file)).resolves.toBe(20_000);
  });

  test('is refused for a ratio that no honest part has', async () => {
    const file = await writeZip(at('ratio.xlsx'), oneSheet('<row></row>'.repeat(300_000)));
    const limits = { ratioFrom: 1 << 20, ratio: 100 };
    await expect(readWith(file, { limits })).rejects.toMatchObject({
      exit: EXIT.file,
      message: expect.stringMatching(/^The sheet Pakketten of ratio\.xlsx unpacks to more than \d+ MB/),
    });
    await expect(readWith(file)).resolves.toBe(0);
  });

  test('is refused for files that overlap', async () => {
    const file = await writeZip(at('overlap.xlsx'), oneSheet(ROWS));
    const bytes = readFileSync(file);
    const other = bytes.readUInt32LE(directoryEntry(bytes, 'xl/_rels/workbook.xml.rels') + 42);
    bytes.writeUInt32LE(other, directoryEntry(bytes, SHEET) + 42);
    writeFileSync(file, bytes);
    await expect(readAll(file)).rejects.toMatchObject({
      exit: EXIT.file,
      message: 'The file overlap.xlsx is cut off or damaged.',
    });
  });
});
