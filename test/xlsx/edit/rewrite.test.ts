import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { ResultSheet } from '../../../src/files/result-sheet.ts';
import { writeResult } from '../../../src/workbook/write-result.ts';
import { featureBook, withSizesBehind } from '../../workbook/feature-book.ts';
import {
  oneSheet,
  readAll,
  relationships,
  scratchFolder,
  sheetXml,
  workbookXml,
  writeZip,
} from '../../workbook/make-workbook.ts';
import { readPart } from '../read/read-part.ts';
import {
  changedParts,
  HEADERS,
  type MakeOutcome,
  madeUp,
  marking,
  plain,
  rewrite,
} from './rewrite-fixture.ts';

const folder = scratchFolder();
let count = 0;
const fresh = (name: string): string => join(folder, `${count++}-${name}`);
const SHEET = 'xl/worksheets/sheet1.xml';
const SUMMARY = {
  ...{ name: 'Resultaat', replaces: null, widths: [20] },
  rows: () => [
    [{ value: 'Resultaat van catersheet', look: 'title' as const }],
    [{ value: 'C3', link: { sheet: 'Pakketten', address: 'C3' } }],
  ],
};

const cellsOf = (xml: string): Map<string, string> =>
  new Map(
    [...xml.matchAll(/<c r="([A-Z]+\d+)"(?:[^>]*\/>|.*?<\/c>)/gs)].map(([cell, address = '']) => [
      address,
      cell,
    ]),
  );
const paperOf = (cell: exceljs.Cell | undefined): unknown =>
  cell?.fill?.type === 'pattern' && cell.fill.pattern === 'solid' ? cell.fill.fgColor : null;

/** The sheets of a workbook of everything, of which one gets outcomes. */
async function rewritten(
  file: string,
  make: MakeOutcome,
  name: string,
  more: Partial<ResultSheet>,
  options = {},
) {
  const target = fresh('uit.xlsx');
  const sheets = (await madeUp(file, make, more)).filter((sheet) => sheet.name === name);
  const { notes } = await writeResult(target, sheets, { source: file, ...options });
  return { target, notes };
}

test('a result keeps every part that need not change, byte for byte as packed, and every cell, format, formula, note and name', async () => {
  const file = await featureBook(fresh('alles.xlsx'));
  const options = { summary: SUMMARY };
  const { target, notes } = await rewritten(file, marking([2, 3]), 'Pakketten', { headerRow: 2 }, options);
  expect(notes.map(({ en }) => en)).toEqual([expect.stringContaining('signed')]);
  expect(await changedParts(file, target)).toEqual([
    '+xl/worksheets/sheet4.xml',
    '[Content_Types].xml',
    'xl/_rels/workbook.xml.rels',
    'xl/comments2.xml',
    'xl/drawings/vmlDrawing2.vml',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet2.xml',
  ]);
  const part = 'xl/worksheets/sheet2.xml';
  const [before, after] = [await readPart(file, part), await readPart(target, part)];
  const [old, now] = [cellsOf(before), cellsOf(after)];
  const unformatted = (address: string, cell?: string) =>
    /^[BC][345]$/.test(address) ? cell?.replace(/ s="\d+"/, '') : cell;
  for (const [address, cell] of old)
    expect(unformatted(address, now.get(address))).toBe(unformatted(address, cell));
  const added = [...now.keys()].filter((address) => !old.has(address));
  expect(added.join(' ')).toBe('D2 E2 F2 G2 H2 D3 F3 D4 F4 D5 F5');
  // What stands around the rows is as it was, but for the filter.
  const around = (xml: string): string => xml.replace(/<sheetData>.*<\/sheetData>/s, '');
  const asBefore = around(after).replace(/<col min="4".*?(?=<\/cols>)/, '');
  expect(asBefore.replace('A2:H5', 'A2:C5').replace('A1:H5', 'A1:C5')).toBe(around(before));
  expect(around(after)).toContain('<autoFilter ref="A2:H5"');
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(target);
  expect(book.worksheets.map(({ name }) => name)).toEqual([
    'Resultaat',
    'Overzicht',
    'Pakketten',
    'Recepten',
  ]);
  const sheet = book.getWorksheet('Pakketten');
  expect(sheet?.getCell('C3')).toMatchObject({ formula: 'A3*10', numFmt: '€ #,##0.00' });
  expect(sheet?.getCell('C3').fill).toMatchObject({ pattern: 'solid' });
  const note = JSON.stringify(sheet?.getCell('B3').note);
  for (const said of ['Niet vergeten', 'fout <3>']) expect(note).toContain(said);
  expect(book.definedNames.getRanges('Prijzen').ranges).toEqual(['Pakketten!$C$3:$C$5']);
  expect(await readPart(target, 'xl/workbook.xml')).toMatch(/_xlnm.Print_Area" localSheetId="2"/);
  expect(await readPart(target, 'xl/worksheets/sheet4.xml')).toContain(`location="&apos;Pakketten&apos;!C3"`);
});

test('a table grows with its filter, and not twice when the result comes back', async () => {
  const more = { added: { firstColumn: 3, headers: HEADERS } };
  const { target } = await rewritten(await featureBook(fresh('tabel.xlsx')), plain, 'Recepten', more);
  const table = await readPart(target, 'xl/tables/table1.xml');
  for (const part of ['ref="A1:G3"', '<autoFilter ref="A1:G3"', '<tableColumns count="7"'])
    expect(table).toContain(part);
  expect([...table.matchAll(/<tableColumn id="\d+" name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    ...['ExternalID', 'Naam', ...HEADERS],
  ]);
  const again = await rewritten(target, plain, 'Recepten', more);
  expect(await readPart(again.target, 'xl/tables/table1.xml')).toBe(table);
});

/** Rows as programs write them, odd ones too: [what, the rows, the added cells by row]. Column C is where ours begin. */
const ROWS: readonly (readonly [what: string, rows: string, expected: Record<string, string>])[] = [
  [
    'rows and cells without a number',
    '<row><c><v>1</v></c><c><v>5</v></c></row><row><c><v>2</v></c></row>',
    { C1: '#status', C2: 'created' },
  ],
  [
    'a row that only its cells number',
    '<row><c r="A4"><v>1</v></c><c r="B4"><v>1</v></c></row><row><c r="A7"><v>2</v></c></row>',
    { C4: '#status', C7: 'created' },
  ],
  [
    'rows with formatted blank cells behind',
    '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>1</v></c><c r="C1" s="1"/><c r="H1" s="1"/><c r="I1" s="1"/></row><row r="2" spans="1:9"><c r="A2"><v>2</v></c><c r="D2" s="1"/><c r="I2" s="1"></c></row>',
    { C1: '#status', C2: 'created' },
  ],
  [
    'rows with comments and line ends',
    '\n<!-- <row r="9"> -->\n<row r="1">\n<c r="A1"><v>1</v></c><!-- </row> --><c r="B1"><v>1</v></c>\n</row>\n<row r="2"><c r="A2" t="str"><v><![CDATA[</row><c r="Z2">]]></v></c></row>',
    { C1: '#status', C2: 'created' },
  ],
];

describe('rewriting rows', () => {
  test.each(ROWS)('adds cells in the right places of %s', async (_what, rows, expected) => {
    const file = await writeZip(fresh('rijen.xlsx'), oneSheet(rows));
    const target = fresh('uit.xlsx');
    await rewrite(file, target, plain, { added: { firstColumn: 3, headers: HEADERS } });
    const [before, after] = [(await readAll(file)).Pakketten, (await readAll(target)).Pakketten];
    expect(after).toMatchObject(before ?? {});
    for (const [address, text] of Object.entries(expected)) expect(after?.[address]).toEqual(['text', text]);
    const columns = [...(await readPart(target, SHEET)).matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(
      ([, row = '']) =>
        [...row.replace(/<!\[CDATA.*?\]\]>/gs, '').matchAll(/<c r="([A-Z])/g)].map(([, letter]) => letter),
    );
    for (const letters of columns) expect(letters).toEqual([...new Set(letters)].sort());
  });

  test.each([
    ['', '3-3 4-4 5-5 6-6 7-7'],
    [
      '<cols><col min="1" max="4" width="9"></col><col min="5" max="99" width="9"/></cols>',
      '1-2 3-3 4-4 5-5 6-6 7-7 8-99',
    ],
    ['<cols><col min="4" max="5" hidden="1"/></cols>', '3-3 4-4 5-5 6-6 7-7'],
    ['<cols><col min="9" max="16384" width="9"/></cols>', '3-3 4-4 5-5 6-6 7-7 9-16384'],
  ])('gives the added columns their widths beside "%s"', async (cols, expected) => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>1</v></c></row>';
    const sheet = sheetXml(rows).replace('<sheetData>', `${cols}<sheetData>`);
    const file = await writeZip(fresh('breed.xlsx'), oneSheet('', { [SHEET]: sheet }));
    const target = fresh('uit.xlsx');
    await rewrite(file, target);
    const xml = await readPart(target, SHEET);
    const ranges = [...xml.matchAll(/<col min="(\d+)" max="(\d+)"/g)].map(([, min, max]) => `${min}-${max}`);
    expect(ranges.join(' ')).toBe(expected);
    expect(xml.match(/<\/col>/g)).toBeNull();
  });

  test('keeps another prefix and the widths around the added columns, and declares UTF-8', async () => {
    const prefixed = `<?xml version="1.0" encoding="UTF-16"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:cols><x:col min="1" max="16384" width="9" style="1"/></x:cols><x:sheetData><x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row><x:row r="2"><x:c r="A2" t="str"><x:v>é</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const file = await writeZip(
      fresh('prefix.xlsx'),
      oneSheet('', { [SHEET]: Buffer.from(`\ufeff${prefixed}`, 'utf16le') }),
    );
    const target = fresh('uit.xlsx');
    await rewrite(file, target, marking([1]));
    expect((await readAll(target)).Pakketten).toMatchObject({
      A2: ['text', 'é'],
      B1: ['text', '#status'],
      B2: ['text', 'invalid'],
    });
    const xml = await readPart(target, SHEET);
    expect(xml).toContain('encoding="UTF-8"');
    expect(xml).toContain('<x:col min="1" max="1" width="9" style="1"/>');
    expect(xml).toContain('<x:col min="7" max="16384" width="9" style="1"/>');
    expect(xml.match(/<(?!\/?x:|\?)/g)).toBeNull();
  });
});

test('parts whose sizes stand behind their bytes are copied', async () => {
  const parts = oneSheet(ROWS[0]?.[1] ?? '', { 'xl/media/foto.jpg': 'x'.repeat(9999) });
  const file = await withSizesBehind(fresh('achter.xlsx'), parts, true);
  const target = fresh('uit.xlsx');
  await rewrite(file, target);
  expect(await changedParts(file, target)).not.toContain('xl/media/foto.jpg');
});

test('a package that is put together in an unusual way gives a new workbook, and says so', async () => {
  const file = await writeZip(
    fresh('kaal.xlsx'),
    oneSheet('<row r="1"><c r="A1"><v>1</v></c></row>', { '[Content_Types].xml': '' }),
  );
  const target = fresh('uit.xlsx');
  const { notes } = await rewrite(file, target);
  expect(notes[0]?.en).toContain('new one');
  expect(await readAll(target)).toHaveProperty('Pakketten');
});

test('a result that comes back has the old tints and notes taken off, and the summary in its place', async () => {
  const file = await featureBook(fresh('heen.xlsx'));
  const more = { headerRow: 2, added: { firstColumn: 4, headers: HEADERS } };
  const { target: first } = await rewritten(file, marking([2, 3]), 'Pakketten', more, { summary: SUMMARY });
  const summary = { ...SUMMARY, replaces: 'Resultaat' };
  const { target: second } = await rewritten(first, plain, 'Pakketten', more, { summary });
  const [origin, back] = [new exceljs.Workbook(), new exceljs.Workbook()];
  await origin.xlsx.readFile(file);
  await back.xlsx.readFile(second);
  expect(back.worksheets.map(({ name }) => name)).toEqual([
    'Resultaat',
    'Overzicht',
    'Pakketten',
    'Recepten',
  ]);
  for (const address of ['B3', 'B4', 'C3', 'C5']) {
    const [old, now] = [origin, back].map((book) => book.getWorksheet('Pakketten')?.getCell(address));
    expect(paperOf(now)).toEqual(paperOf(old));
    expect(now?.numFmt).toBe(old?.numFmt);
    expect(JSON.stringify(now?.note ?? null).includes('fout')).toBe(false);
  }
  expect(JSON.stringify(back.getWorksheet('Pakketten')?.getCell('B3').note)).toContain('Niet vergeten');
  expect((await readPart(second, 'xl/comments2.xml')).match(/<comment /g)).toHaveLength(1);
});

test('a conversation on a cell stays as it is', async () => {
  const comments =
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>tc={1}</author></authors><commentList><comment ref="A2" authorId="0"><text><t>gesprek</t></text></comment></commentList></comments>';
  const file = await writeZip(
    fresh('gesprek.xlsx'),
    oneSheet(
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row><row r="3"><c r="A3"><v>2</v></c></row>',
      {
        'xl/comments1.xml': comments,
        'xl/worksheets/_rels/sheet1.xml.rels': relationships([['rId1', 'comments', '../comments1.xml']]),
      },
    ),
  );
  const target = fresh('uit.xlsx');
  await rewrite(file, target, marking([1]));
  const part = await readPart(target, 'xl/comments1.xml');
  expect(part).toContain('<comment ref="A2" authorId="0"><text><t>gesprek</t></text></comment>');
  expect(part).toContain('<comment ref="A3" authorId="1">');
  expect(part).not.toContain('fout &lt;2&gt;');
});

test('a workbook part that names sheets by place names them by their new place', async () => {
  const file = await writeZip(
    fresh('namen.xlsx'),
    oneSheet('<row r="1"><c r="A1"><v>1</v></c></row>', {
      'xl/workbook.xml': workbookXml(
        '<bookViews><workbookView firstSheet="1" activeTab="0"/></bookViews><sheets><sheet name="Pakketten" sheetId="7" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">Pakketten!$A$1:$A$9</definedName><definedName name="Overal">Pakketten!$A$1</definedName></definedNames>',
      ),
      [SHEET]: sheetXml('<row r="1"><c r="A1"><v>1</v></c></row>').replace(
        '</worksheet>',
        '<autoFilter ref="A1:A9"/></worksheet>',
      ),
    }),
  );
  const target = fresh('uit.xlsx');
  await writeResult(target, await madeUp(file, plain), {
    source: file,
    summary: { ...SUMMARY, name: 'Pakketten' },
  });
  const xml = await readPart(target, 'xl/workbook.xml');
  expect(xml).toContain('<workbookView firstSheet="2" activeTab="1"/>');
  expect(xml).toMatch(/<sheets><sheet [^>]*name="Pakketten \(2\)" sheetId="8" r:id="rId4"\/>/);
  expect(xml).toContain('localSheetId="1" hidden="1">Pakketten!$A$1:$F$9<');
  expect(xml).toContain('<definedName name="Overal">Pakketten!$A$1<');
});
