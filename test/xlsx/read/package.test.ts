import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import {
  cellsText,
  oneSheet,
  type Parts,
  relationships,
  scratchFolder,
  sheetXml,
  stringsXml,
  workbookXml,
  writeZip,
} from '../../workbook/make-workbook.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const STRICT = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
const ROWS = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>5</v></c></row>';
const READ = 'A1 "Zoë", B1 5';
const USUAL = oneSheet(ROWS, { 'xl/sharedStrings.xml': stringsXml(['<t>Zoë</t>']) });

/** The usual workbook with some parts replaced, and others (mapped to '') taken away. */
const usual = (parts: Parts): Parts =>
  Object.fromEntries(Object.entries({ ...USUAL, ...parts }).filter(([, content]) => content.length > 0));

const inUtf16 = (xml: string): Buffer =>
  Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${xml}`, 'utf16le');

/** Every tag of a part with a prefix. */
const prefixed = (xml: string): string =>
  xml.replace(/<(\/?)([a-zA-Z])/g, '<$1x:$2').replace(` xmlns="${MAIN}"`, ` xmlns:x="${MAIN}"`);

const CASES: readonly (readonly [string, Parts])[] = [
  [
    'prefixed elements',
    usual(
      Object.fromEntries(
        Object.entries(USUAL)
          .filter(([name]) => /^xl\/[^_]/.test(name))
          .map(([name, xml]) => [name, prefixed(String(xml))]),
      ),
    ),
  ],
  [
    'strict OOXML',
    usual(
      Object.fromEntries(
        Object.entries(USUAL).map(([name, xml]) => [
          name,
          String(xml)
            .replaceAll(MAIN, STRICT)
            .replaceAll(
              'http://schemas.openxmlformats.org/officeDocument/2006/',
              'http://purl.oclc.org/ooxml/officeDocument/',
            ),
        ]),
      ),
    ),
  ],
  [
    'parts in other folders',
    usual({
      'xl/worksheets/sheet1.xml': '',
      'xl/_rels/workbook.xml.rels': '',
      'xl/workbook.xml': '',
      '_rels/.rels': relationships([['rId1', 'officeDocument', 'book.xml']]),
      'book.xml': String(USUAL['xl/workbook.xml']),
      '_rels/book.xml.rels': relationships([
        ['rId1', 'worksheet', 'bladen/eerste blad.xml'],
        ['rId3', 'sharedStrings', 'xl/sharedStrings.xml'],
      ]),
      'bladen/eerste blad.xml': sheetXml(ROWS),
    }),
  ],
  [
    'names in another case',
    usual({
      'xl/sharedStrings.xml': '',
      'xl/SharedStrings.xml': stringsXml(['<t>Zoë</t>']),
      'xl/worksheets/sheet1.xml': '',
      'XL/Worksheets/Sheet1.XML': sheetXml(ROWS),
    }),
  ],
  ['no relationships of the workbook', usual({ 'xl/_rels/workbook.xml.rels': '' })],
  [
    'UTF-16 parts',
    usual({
      'xl/worksheets/sheet1.xml': inUtf16(sheetXml(ROWS)),
      'xl/sharedStrings.xml': inUtf16(stringsXml(['<t>Zoë</t>'])),
      'xl/workbook.xml': inUtf16(String(USUAL['xl/workbook.xml'])),
    }),
  ],
  [
    'a byte order mark in UTF-8',
    usual({
      'xl/worksheets/sheet1.xml': `\ufeff${sheetXml(ROWS)}`,
      'xl/sharedStrings.xml': `\ufeff<?xml version="1.0"?>${stringsXml(['<t>Zoë</t>'])}`,
    }),
  ],
  [
    'ISO-8859-1 that says so',
    usual({
      'xl/sharedStrings.xml': Buffer.from(
        `<?xml version="1.0" encoding="ISO-8859-1"?>${stringsXml(['<t>Zoë</t>'])}`,
        'latin1',
      ),
    }),
  ],
];

describe('a workbook however it is packed', () => {
  const folder = scratchFolder();
  test.each(CASES)('is read with %s', async (name, parts) => {
    const file = await writeZip(join(folder, `${CASES.findIndex((one) => one[0] === name)}.xlsx`), parts);
    expect(await cellsText(file)).toBe(READ);
  });

  test('is read as XLSX under a .csv name', async () => {
    const file = await writeZip(join(folder, 'eigenlijk.csv'), USUAL);
    expect((await readWorkbook(file)).format).toBe('xlsx');
    expect(await cellsText(file)).toBe(READ);
  });

  test('has its sheets in order, hidden ones marked, without charts and dialogs', async () => {
    const sheets = [
      '<sheet name="Recepten" sheetId="4" r:id="c"/>',
      '<sheet name="Grafiek" sheetId="1" r:id="b"/>',
      '<sheet name="Oud &amp; weg" sheetId="2" state="hidden" r:id="a"/>',
      '<sheet name="Macro" sheetId="7" state="veryHidden" r:id="e"/>',
      '<sheet name="Vraag" sheetId="3" r:id="d"/>',
      '<sheet name="Leeg" sheetId="9" r:id=""/>',
    ];
    const parts = usual({
      'xl/workbook.xml': workbookXml(`<sheets>${sheets.join('')}</sheets>`),
      'xl/_rels/workbook.xml.rels': relationships([
        ['a', 'worksheet', 'worksheets/sheet1.xml'],
        ['b', 'chartsheet', 'chartsheets/sheet1.xml'],
        ['c', 'worksheet', 'worksheets/sheet2.xml'],
        ['d', 'dialogsheet', 'dialogsheets/sheet1.xml'],
        ['e', 'worksheet', 'worksheets/sheet3.xml'],
      ]),
      'xl/worksheets/sheet2.xml': sheetXml(''),
      'xl/worksheets/sheet3.xml': sheetXml(''),
    });
    const workbook = await readWorkbook(await writeZip(join(folder, 'bladen.xlsx'), parts));
    expect(workbook.sheets.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['Recepten', false],
      ['Oud & weg', true],
      ['Macro', true],
    ]);
  });

  test('is no longer read once a signal ends that, with its reason', async () => {
    const file = join(folder, 'signaal.xlsx');
    await writeZip(file, oneSheet(ROWS));
    const controller = new AbortController();
    const workbook = await readWorkbook(file, { signal: controller.signal });
    controller.abort(new Error('Ctrl-C'));
    await expect(async () => {
      for (const sheet of workbook) for await (const _ of sheet.rows);
    }).rejects.toThrow('Ctrl-C');
  });
});
