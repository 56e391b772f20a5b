import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { featureBook } from '../../workbook/feature-book.ts';
import {
  oneSheet,
  type Parts,
  readAll,
  scratchFolder,
  sheetXml,
  workbookXml,
  writeZip,
} from '../../workbook/make-workbook.ts';
import { readPart } from '../read/read-part.ts';
import { changedParts, HEADERS, marking, plain, rewrite } from './rewrite-fixture.ts';

type Book = exceljs.Workbook;

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

const paperOf = (cell: exceljs.Cell | undefined): unknown =>
  cell?.fill?.type === 'pattern' && cell.fill.pattern === 'solid' ? cell.fill.fgColor : null;

/** The result of a workbook, which its sheets, or one of them, have outcomes in. */
async function rewritten(
  file: string,
  ...how: Parameters<typeof rewrite> extends [string, string, ...infer More] ? More : never
) {
  const target = fresh('uit.xlsx');
  const { notes } = await rewrite(file, target, ...how);
  return { target, notes: notes.map(({ en }) => en), sheet: () => readPart(target, SHEET) };
}
const made = (name: string, parts: Parts): Promise<string> => writeZip(fresh(name), parts);

test('a result keeps every part that need not change, byte for byte as packed, and names sheets in their new places; and has its tints and summary taken off when it comes back', async () => {
  const file = await featureBook(fresh('alles.xlsx'));
  const more = { headerRow: 2, added: { firstColumn: 4, headers: HEADERS } };
  const how = { name: 'Pakketten', summary: SUMMARY };
  const { target, notes } = await rewritten(file, marking([2, 3]), more, how);
  expect(notes).toEqual([expect.stringContaining('signed')]);
  expect(await changedParts(file, target)).toEqual([
    '+xl/worksheets/sheet4.xml',
    '[Content_Types].xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet2.xml',
  ]);
  expect(await readPart(target, 'xl/worksheets/sheet2.xml')).toContain('<autoFilter ref="A2:H5"');
  expect(await readPart(target, 'xl/workbook.xml')).toMatch(/_xlnm.Print_Area" localSheetId="2"/);
  expect(await readPart(target, 'xl/worksheets/sheet4.xml')).toContain(`location="&apos;Pakketten&apos;!C3"`);
  const summary = { ...SUMMARY, replaces: 'Resultaat' };
  const again = await rewritten(target, plain, more, { ...how, summary });
  const books = [file, target, again.target].map(async (one) => {
    const book = new exceljs.Workbook();
    await book.xlsx.readFile(one);
    return book;
  });
  const [before, marked, after] = (await Promise.all(books)) as [Book, Book, Book];
  const cellOf = (book: Book, address: string) => book.getWorksheet('Pakketten')?.getCell(address);
  const noteOf = (book: Book) => JSON.stringify(cellOf(book, 'B3')?.note);
  for (const book of [marked, after]) {
    expect(book.worksheets.map(({ name }) => name).join()).toBe('Resultaat,Overzicht,Pakketten,Recepten');
    expect(book.definedNames.getRanges('Prijzen').ranges).toEqual(['Pakketten!$C$3:$C$5']);
    expect(cellOf(book, 'C3')).toMatchObject({ formula: 'A3*10', numFmt: '€ #,##0.00' });
    expect(noteOf(book)).toContain('Niet vergeten');
  }
  expect(paperOf(cellOf(marked, 'C3'))).not.toBeNull();
  for (const address of ['B3', 'B4', 'C3', 'C5'])
    expect(paperOf(cellOf(after, address))).toEqual(paperOf(cellOf(before, address)));
});

test('a table grows with its filter, and not twice when the result comes back', async () => {
  const more = { added: { firstColumn: 3, headers: HEADERS } };
  const how = [plain, more, { name: 'Recepten' }] as const;
  const { target } = await rewritten(await featureBook(fresh('tabel.xlsx')), ...how);
  const table = await readPart(target, 'xl/tables/table1.xml');
  for (const part of ['ref="A1:G3"', '<autoFilter ref="A1:G3"', '<tableColumns count="7"'])
    expect(table).toContain(part);
  expect([...table.matchAll(/<tableColumn id="\d+" name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    ...['ExternalID', 'Naam', ...HEADERS],
  ]);
  const again = await rewritten(target, ...how);
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

test('a workbook whose rows only their cells number is given back as a new one, and says so', async () => {
  const rows = '<row><c r="A4"><v>1</v></c><c r="B4"><v>1</v></c></row><row><c r="A7"><v>2</v></c></row>';
  const more = { added: { firstColumn: 3, headers: HEADERS } };
  const { target, notes } = await rewritten(await made('rijen.xlsx', oneSheet(rows)), plain, more);
  expect(notes).toEqual([expect.stringContaining('a new one')]);
  const { Pakketten: after } = await readAll(target);
  expect([after?.A4, after?.C4, after?.C7]).toEqual([
    ['number', 1],
    ['text', '#status'],
    ['text', 'created'],
  ]);
});

describe('rewriting rows', () => {
  test.each(ROWS)('adds cells in the right places of %s', async (_what, rows, expected) => {
    const file = await made('rijen.xlsx', oneSheet(rows));
    const more = { added: { firstColumn: 3, headers: HEADERS } };
    const { target, sheet } = await rewritten(file, plain, more);
    const [before, after] = [(await readAll(file)).Pakketten, (await readAll(target)).Pakketten];
    expect(after).toMatchObject(before ?? {});
    for (const [address, text] of Object.entries(expected)) expect(after?.[address]).toEqual(['text', text]);
    const columns = [...(await sheet()).matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
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
    const wide = sheetXml(rows).replace('<sheetData>', `${cols}<sheetData>`);
    const { sheet } = await rewritten(await made('breed.xlsx', oneSheet('', { [SHEET]: wide })));
    const xml = await sheet();
    const ranges = [...xml.matchAll(/<col min="(\d+)" max="(\d+)"/g)].map(([, min, max]) => `${min}-${max}`);
    expect(ranges.join(' ')).toBe(expected);
    expect(xml.match(/<\/col>/g)).toBeNull();
  });

  test('keeps another prefix and the widths around the added columns, and declares UTF-8', async () => {
    const prefixed = `<?xml version="1.0" encoding="UTF-16"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:cols><x:col min="1" max="16384" width="9" style="1"/></x:cols><x:sheetData><x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row><x:row r="2"><x:c r="A2" t="str"><x:v>é</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const parts = oneSheet('', { [SHEET]: Buffer.from(`\ufeff${prefixed}`, 'utf16le') });
    const { target, sheet } = await rewritten(await made('prefix.xlsx', parts), marking([1]));
    expect((await readAll(target)).Pakketten).toMatchObject({
      A2: ['text', 'é'],
      B1: ['text', '#status'],
      B2: ['text', 'invalid'],
    });
    const xml = await sheet();
    expect(xml).toContain('encoding="UTF-8"');
    expect(xml).toContain('<x:col min="1" max="1" width="9" style="1"/>');
    expect(xml).toContain('<x:col min="7" max="16384" width="9" style="1"/>');
    expect(xml.match(/<(?!\/?x:|\?)/g)).toBeNull();
  });
});

test('parts whose sizes stand behind their bytes are copied', async () => {
  const [file, zip] = [fresh('achter.xlsx'), new yazl.ZipFile()];
  const parts = oneSheet(ROWS[0]?.[1] ?? '', { 'xl/media/foto.jpg': 'x'.repeat(9999) });
  for (const [name, content] of Object.entries(parts))
    zip.addReadStream(Readable.from([Buffer.from(content)]), name, { forceZip64Format: true });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  const { target } = await rewritten(file);
  expect(await changedParts(file, target)).not.toContain('xl/media/foto.jpg');
});

test('a package that is put together in an unusual way gives a new workbook, and says so', async () => {
  const parts = oneSheet('<row r="1"><c r="A1"><v>1</v></c></row>', { '[Content_Types].xml': '' });
  const { target, notes } = await rewritten(await made('kaal.xlsx', parts));
  expect(notes[0]).toContain('new one');
  expect(await readAll(target)).toHaveProperty('Pakketten');
});

test('a workbook part that names sheets by place names them by their new place', async () => {
  const file = await made(
    'namen.xlsx',
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
  const { target } = await rewritten(file, plain, {}, { summary: { ...SUMMARY, name: 'Pakketten' } });
  const xml = await readPart(target, 'xl/workbook.xml');
  expect(xml).toContain('<workbookView firstSheet="2" activeTab="1"/>');
  expect(xml).toMatch(/<sheets><sheet [^>]*name="Pakketten \(2\)" sheetId="8" r:id="rId4"\/>/);
  expect(xml).toContain('localSheetId="1" hidden="1">Pakketten!$A$1:$F$9<');
  expect(xml).toContain('<definedName name="Overal">Pakketten!$A$1<');
});
