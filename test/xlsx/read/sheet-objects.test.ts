import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newLayout } from '../../../src/files/sheet.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import {
  oneSheet,
  type Parts,
  relationships,
  scratchFolder,
  writeZip,
} from '../../workbook/make-workbook.ts';

const folder = scratchFolder();
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
let count = 0;

/** A worksheet with XML around its rows, and parts that hang on it by their kinds. */
async function layoutOf(around: readonly [string, string], hung: Readonly<Record<string, string>> = {}) {
  const kinds = Object.entries(hung);
  const parts: Parts = {
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}" xmlns:x14="x14" xmlns:xm="xm">${around[0]}<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>${around[1]}</worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relationships(
      kinds.map(([kind], at) => [`rId${at + 1}`, kind, `../hung/${kind}.xml`]),
    ),
    ...Object.fromEntries(kinds.map(([kind, content]) => [`xl/hung/${kind}.xml`, content])),
  };
  const file = await writeZip(join(folder, `${count++}.xlsx`), oneSheet('', parts));
  const [sheet] = (await readWorkbook(file)).sheets;
  for (let times = 0; times < 2; times++) for await (const _ of sheet?.batches ?? []);
  const { lastTaken, lastDrawn, filtered } = sheet?.layout ?? newLayout();
  return { lastTaken, lastDrawn, filtered };
}

const drawing = (inside: string, prefix = 'xdr'): string =>
  `<${prefix}:wsDr xmlns:${prefix}="${DRAWING}" xmlns:a="a" xmlns:mc="mc">${inside.replaceAll('xdr:', `${prefix}:`)}</${prefix}:wsDr>`;
const side = (name: string, column: number, offset: number): string =>
  `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>${offset}</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
// What is inside says columns and sizes of its own.
const SHAPE =
  '<xdr:sp><xdr:nvSpPr/><xdr:spPr><a:xfrm><a:off x="99999999" y="0"/><a:ext cx="99999999" cy="1"/></a:xfrm></xdr:spPr></xdr:sp><xdr:clientData/>';
const twoCell = (from: number, to: number, offset = 9525): string =>
  `<xdr:twoCellAnchor>${side('from', from, 0)}${side('to', to, offset)}${SHAPE}</xdr:twoCellAnchor>`;
const oneCell = (from: number, offset: number, pixels: number): string =>
  `<xdr:oneCellAnchor>${side('from', from, offset)}<xdr:ext cx="${pixels * 9525}" cy="9525"/>${SHAPE}</xdr:oneCellAnchor>`;
const absolute = (x: number, pixels: number): string =>
  `<xdr:absoluteAnchor><xdr:pos x="${x * 9525}" y="0"/><xdr:ext cx="${pixels * 9525}" cy="9525"></xdr:ext>${SHAPE}</xdr:absoluteAnchor>`;

test.each<[string, boolean]>([
  ['<autoFilter ref="A1:B9"><filterColumn colId="0"/></autoFilter>', true],
  // Elsewhere it means something else.
  ['<other><autoFilter/></other>', false],
])('a filter is found in a sheet with "%s" behind its rows: %s', async (behind, filtered) => {
  expect(await layoutOf(['', behind])).toMatchObject({ filtered });
});

describe('the columns under drawings', () => {
  test.each<[string, string, string, number]>([
    ['a chart between two cells', '', drawing(twoCell(7, 12)), 13],
    // 64 pixels a column, whatever the columns are.
    ['a picture of a size', '', drawing(oneCell(1, 0, 128)), 3],
    ['a picture a little wider', '', drawing(oneCell(1, 0, 129)), 4],
    ['over wide columns', '<cols><col min="2" max="2" width="40"/></cols>', drawing(oneCell(1, 0, 250)), 5],
    ['a place on the sheet', '', drawing(absolute(640, 64)), 11],
    ['one that can’t be read', '', `${drawing(twoCell(7, 12)).slice(0, -9)}`, 0],
  ])('are found for %s', async (_, before, part, lastDrawn) => {
    expect(await layoutOf([before, ''], { drawing: part })).toMatchObject({ lastTaken: 0, lastDrawn });
  });
});

test('tables and pivot tables take columns though nothing stands in their cells', async () => {
  const table = `<table xmlns="${MAIN}" ref="$K$1:L5"><autoFilter ref="K1:L5"/></table>`;
  const pivotTable = `<pivotTableDefinition xmlns="${MAIN}"><location ref="N3:P20" firstDataRow="1"/></pivotTableDefinition>`;
  expect(await layoutOf(['', ''], { table, pivotTable, comments: '<no xml' })).toMatchObject({
    lastTaken: 16,
    lastDrawn: 0,
  });
  expect(await layoutOf(['', ''], { table })).toMatchObject({ lastTaken: 12 });
});

test('the totals of tables and merged cells are told of a sheet', async () => {
  const rows =
    '<row r="3"><c r="A3"><v>7</v></c></row><row r="4"><c r="A4"><v>7</v></c><c r="B4"><f>SUM(B2:B3)</f><v>12</v></c></row>';
  const merges = ['A1:A2', 'B4:B6', 'C1:D1'].map((ref) => `<mergeCell ref="${ref}"/>`);
  const file = await writeZip(
    join(folder, 'totals.xlsx'),
    oneSheet('', {
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData><mergeCells>${merges.join('')}</mergeCells></worksheet>`,
      'xl/worksheets/_rels/sheet1.xml.rels': relationships([['rId1', 'table', '../tables/table1.xml']]),
      'xl/tables/table1.xml': `<table xmlns="${MAIN}" ref="A1:B4" totalsRowCount="1"/>`,
    }),
  );
  const [sheet] = (await readWorkbook(file)).sheets;
  for await (const _ of sheet?.rows ?? []);
  expect(sheet?.layout).toMatchObject({
    totals: [{ left: 1, top: 1, right: 2, bottom: 4 }],
    merges: [
      { left: 1, top: 1, right: 1, bottom: 2 },
      { left: 2, top: 4, right: 2, bottom: 6 },
      { left: 3, top: 1, right: 4, bottom: 1 },
    ],
  });
});
