import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import {
  ole,
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

async function refusalOf(file: string, options = {}): Promise<StopError> {
  try {
    for (const sheet of await readWorkbook(file, options)) for await (const _ of sheet.rows);
  } catch (error) {
    if (error instanceof StopError) return error;
    throw error;
  }
  throw new Error('It was read.');
}

const FILES: readonly (readonly [string, Buffer | string, RegExp])[] = [
  ['leeg.xlsx', '', /is empty/],
  ['wachtwoord.xlsx', ole('EncryptedPackage'), /protected by a password/],
  ['oud.xls', ole('Workbook'), /old Excel workbook \(\.xls\)/],
  ['biff.xls', Buffer.from([9, 8, 8, 0, 0, 5, 0]), /old Excel workbook/],
  ['pagina.xlsx', '\ufeff\n<!DOCTYPE html><html></html>', /web page/],
  ['pagina.csv', '<html><body>Log in</body></html>', /web page/],
  [
    'xml.xls',
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    /Excel 2003/,
  ],
  ['blad.pdf', '%PDF-1.7\n', /PDF/],
  ['foto.xlsx', Buffer.from('89504e470d0a1a0a', 'hex'), /image/],
  ['pakket.xlsx', Buffer.from('1f8b0800', 'hex'), /is an archive/],
  ['ruis.xlsx', Buffer.from([1, 2, 3, 4, 200, 0, 7]), /damaged, or something else/],
  ['beveiligd.xlsx', ole('DRMEncryptedDataSpace'), /rights management/],
  ['bericht.msg', ole('__properties_version1.0'), /another Office file/],
  ['biff8.xls', Buffer.from([9, 8, 16, 0, 0, 6, 5, 0]), /old Excel workbook/],
  ['brief.rtf', '{\\rtf1\\ansi', /RTF document/],
  ['archief.7z', Buffer.from('377abcaf271c0004', 'hex'), /is an archive/],
  ['snelkoppeling.lnk', Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), /nor text/],
  ['boek.json', '{"rows": [1, 2]}', /JSON/],
  ['tekening.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', /XML or web page/],
  ['commentaar.xls', '<!-- export --> <!----> <table><tr><td>1</td></tr></table>', /web page/],
];

const ZIPS: readonly (readonly [string, Parts, RegExp])[] = [
  ['zonder-werkmap.xlsx', oneSheet(ROWS, { 'xl/workbook.xml': '' }), /is no workbook: it holds no sheets/],
  ['andere.zip', { 'readme.md': 'x' }, /a zip archive of other files/],
  ['verpakt.zip', { 'map/boek.xlsx': 'x', 'readme.md': 'x' }, /is an archive, not a workbook/],
  ['tekening.vsdx', { 'visio/document.xml': '<x/>' }, /a zip archive of other files/],
  [
    'binair.xlsb',
    { '_rels/.rels': relationships([['1', 'officeDocument', 'xl/workbook.bin']]), 'xl/workbook.bin': 'x' },
    /binary workbook \(\.xlsb\)/,
  ],
  [
    'open.ods',
    { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' },
    /OpenDocument/,
  ],
  [
    'brief.docx',
    {
      '_rels/.rels': relationships([['1', 'officeDocument', 'word/document.xml']]),
      'word/document.xml': '<x/>',
    },
    /Word document/,
  ],
  ['zonder-blad.xlsx', oneSheet(ROWS, { 'xl/workbook.xml': workbookXml('<sheets/>') }), /holds no worksheet/],
  ['blad-weg.xlsx', oneSheet(ROWS, { 'xl/worksheets/sheet1.xml': '' }), /sheet Pakketten .* missing/],
  [
    'relatie-weg.xlsx',
    oneSheet(ROWS, { 'xl/_rels/workbook.xml.rels': relationships([['rId9', 'styles', 'styles.xml']]) }),
    /put together in a way/,
  ],
  [
    'afgekapt.xlsx',
    oneSheet(ROWS, { 'xl/worksheets/sheet1.xml': sheetXml(ROWS).slice(0, -30) }),
    /sheet Pakketten .* cut off/,
  ],
  ['kruislings.xlsx', oneSheet('<row r="1"><c r="A1"><v>5</c></v></row>'), /put together in a way/],
  ['kapotte-tag.xlsx', oneSheet('<row r=1><c r="A1"/></row>'), /put together in a way/],
  ['diep.xlsx', oneSheet(`<row>${'<a>'.repeat(300)}${'</a>'.repeat(300)}</row>`), /put together in a way/],
  ['te-laag.xlsx', oneSheet('<row r="1048577"><c><v>1</v></c></row>'), /below the last/],
  ['te-rechts.xlsx', oneSheet('<row><c r="XFE1"><v>1</v></c></row>'), /right of the last column/],
  [
    'doctype.xlsx',
    oneSheet(ROWS, { 'xl/worksheets/sheet1.xml': `<!DOCTYPE x [<!ENTITY a "b">]>${sheetXml(ROWS)}` }),
    /put together in a way/,
  ],
  ['kapotte-stijlen.xlsx', oneSheet(ROWS, { 'xl/styles.xml': '<styleSheet>' }), /cut off/],
];

describe('one sentence says why it is not read', () => {
  const folder = scratchFolder();
  const expectOneSentence = (error: StopError, pattern: RegExp): void => {
    expect(error.message).toMatch(pattern);
    expect(error.message).toMatch(/^The (file|sheet) .*[^.]\.$/);
    expect(error.exit).toBe(EXIT.file);
    expect(error.next).toMatch(/^[A-Z].*\.$/);
  };

  test.each(FILES)('for the file %s', async (name, content, pattern) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    expectOneSentence(await refusalOf(file), pattern);
  });

  test.each(ZIPS)('for the zip %s', async (name, parts, pattern) => {
    expectOneSentence(await refusalOf(await writeZip(join(folder, name), parts)), pattern);
  });

  test('for a file that is missing, and a folder', async () => {
    expectOneSentence(await refusalOf(join(folder, 'weg.xlsx')), /does not exist/);
    mkdirSync(join(folder, 'map.xlsx'));
    expectOneSentence(await refusalOf(join(folder, 'map.xlsx')), /is a folder/);
  });

  test('for a zip cut off anywhere', async () => {
    const whole = readFileSync(await writeZip(join(folder, 'heel.xlsx'), oneSheet(ROWS)));
    for (let size = 4; size < whole.length; size += 61) {
      const file = join(folder, 'afgekapte-zip.xlsx');
      writeFileSync(file, whole.subarray(0, size));
      expectOneSentence(await refusalOf(file), /cut off or damaged/);
    }
  });

  test('for a checksum that does not fit', async () => {
    const file = await writeZip(join(folder, 'som.xlsx'), oneSheet(ROWS), { compress: false });
    const bytes = readFileSync(file);
    bytes.write('<v>6</v>', bytes.indexOf('<v>5</v>'));
    writeFileSync(file, bytes);
    expectOneSentence(await refusalOf(file), /sheet Pakketten .* cut off or damaged/);
  });

  test.each<[string, string, RegExp]>([
    [
      'a row',
      '<row r="4"><c r="A4"><v>1</v></c></row><row r="4"><c r="A4"><v>1</v></c></row>',
      /holds row 4 twice/,
    ],
    ['a cell', '<row r="4"><c r="B4"><v>1</v></c><c r="B4"><v>2</v></c></row>', /holds cell B4 twice/],
  ])('for %s that is there twice', async (name, rows, says) => {
    const file = await writeZip(join(folder, `${name}.xlsx`), oneSheet(rows));
    expectOneSentence(await refusalOf(file), says);
  });

  test('for a name that occurs twice', async () => {
    const file = join(folder, 'dubbel.xlsx');
    await writeZip(file, { ...oneSheet(ROWS), 'xl/worksheets/sheet2.xml': sheetXml(ROWS) });
    const bytes = readFileSync(file, 'latin1').replaceAll(
      'xl/worksheets/sheet2.xml',
      'xl/worksheets/sheet1.xml',
    );
    writeFileSync(file, bytes, 'latin1');
    expectOneSentence(await refusalOf(file), /sheet1\.xml twice/);
  });

  test('for an encrypted entry', async () => {
    const file = await writeZip(join(folder, 'versleuteld.xlsx'), oneSheet(ROWS));
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1))
      bytes[at + 8] = 1;
    writeFileSync(file, bytes);
    expectOneSentence(await refusalOf(file), /encrypted/);
  });

  test('for what is over limits that were set', async () => {
    const file = await writeZip(
      join(folder, 'grenzen.xlsx'),
      oneSheet('<row><c><v>5</v></c></row>'.repeat(1000)),
    );
    expectOneSentence(await refusalOf(file, { limits: { partBytes: 1000 } }), /unpacks to more/);
    expectOneSentence(
      await refusalOf(file, { limits: { wholeFrom: 100, wholeRatio: 0 } }),
      /^The file .* unpacks to more/,
    );
    expectOneSentence(await refusalOf(file, { limits: { entries: 2 } }), /more than 2 files/);
    await expect(readAll(file)).resolves.toBeDefined();
  });
});
