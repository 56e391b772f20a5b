import { readFile, writeFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import exceljs from 'exceljs';
import yauzl from 'yauzl';
import { type Parts, writeZip } from './make-workbook.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Parts that no library makes, byte by byte what they are: a result must not touch them. */
const FOREIGN: Parts = {
  'xl/vbaProject.bin': Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)),
  'xl/printerSettings/printerSettings1.bin': Buffer.from('P\0R\0I\0N\0T'),
  'xl/charts/chart1.xml':
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:layout/></c:plotArea></c:chart></c:chartSpace>',
  'xl/pivotCache/pivotCacheDefinition1.xml':
    '<pivotCacheDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" refreshOnLoad="1"/>',
  'customXml/item1.xml': '<eigen xmlns="urn:eigen">é</eigen>',
  '_xmlsignatures/sig1.xml': '<Signature/>',
};

/** A workbook with what spreadsheet programs can put in one: formats, formulas, rules, notes, a picture, a table, merged cells, dates from 1904. */
export async function featureBook(file: string): Promise<string> {
  const book = new exceljs.Workbook();
  book.properties.date1904 = true;
  const other = book.addWorksheet('Overzicht');
  other.getCell('A1').value = { formula: 'SUM(Pakketten!C3:C5)', result: 60 };
  const sheet = book.addWorksheet('Pakketten', {
    views: [{ state: 'frozen', ySplit: 2 }],
    pageSetup: { printArea: 'A1:C5' },
  });
  sheet.mergeCells('A1:C1');
  sheet.getCell('A1').value = 'Voorjaar';
  sheet.getRow(2).values = ['ExternalID', 'Omschrijving', 'Prijs'];
  sheet.getRow(2).font = { bold: true };
  for (const number of [3, 4, 5]) {
    sheet.getRow(number).values = [
      number,
      `Soep ${number}`,
      { formula: `A${number}*10`, result: number * 10 },
    ];
    sheet.getCell(`C${number}`).numFmt = '€ #,##0.00';
  }
  sheet.getCell('B4').fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF00B0F0' } };
  sheet.getCell('B3').note = 'Niet vergeten';
  sheet.getCell('A5').value = new Date(Date.UTC(2027, 3, 1));
  sheet.autoFilter = 'A2:C5';
  sheet.getColumn(2).width = 31;
  sheet.getCell('C3').dataValidation = { type: 'decimal', operator: 'greaterThan', formulae: [0] };
  sheet.addConditionalFormatting({
    ref: 'C3:C5',
    rules: [
      {
        type: 'cellIs',
        operator: 'greaterThan',
        formulae: [40],
        style: { font: { bold: true } },
        priority: 1,
      },
    ],
  });
  sheet.addImage(book.addImage({ base64: PIXEL, extension: 'png' }), 'E7:F9');
  const recipes = book.addWorksheet('Recepten');
  recipes.addTable({
    ...{ name: 'Recepten', ref: 'A1', headerRow: true, totalsRow: false },
    columns: [
      { name: 'ExternalID', filterButton: true },
      { name: 'Naam', filterButton: true },
    ],
    rows: [
      [1, 'Bouillon'],
      [2, 'Saus'],
    ],
  });
  book.definedNames.add('Pakketten!$C$3:$C$5', 'Prijzen');
  await book.xlsx.writeFile(file);
  return await withParts(file, FOREIGN);
}

/** Adds parts to a workbook that nothing in it refers to but the list of its content types. */
async function withParts(file: string, added: Parts): Promise<string> {
  const parts: Parts = {};
  const zip = await yauzl.fromBufferPromise(await readFile(file), { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    parts[entry.fileName] = Buffer.concat(chunks);
  }
  const types = parts['[Content_Types].xml']?.toString() ?? '';
  parts['[Content_Types].xml'] = types.replace(
    '<Override',
    '<Default Extension="bin" ContentType="application/octet-stream"/><Override',
  );
  return await writeZip(file, { ...parts, ...added });
}

/** One file in a zip whose sizes follow its bytes, as streaming programs write it, with eight bytes for each size when `long`. */
export async function withSizesBehind(file: string, parts: Parts, long = false): Promise<string> {
  const { crc32 } = await import('node:zlib');
  const pieces: Buffer[] = [];
  const lines: Buffer[] = [];
  let at = 0;
  const push = (bytes: Buffer): void => {
    pieces.push(bytes);
    at += bytes.length;
  };
  for (const [name, content] of Object.entries(parts)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const start = at;
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 6);
    header.writeUInt16LE(8, 8);
    header.writeUInt16LE(name.length, 26);
    header.writeUInt16LE(long ? 20 : 0, 28);
    push(
      Buffer.concat([
        header,
        Buffer.from(name),
        ...(long ? [Buffer.from([1, 0, 16, 0]), Buffer.alloc(16)] : []),
      ]),
    );
    push(packed);
    const behind = Buffer.alloc(long ? 24 : 16);
    behind.writeUInt32LE(0x08074b50, 0);
    behind.writeUInt32LE(crc32(plain), 4);
    behind.writeUInt32LE(packed.length, 8);
    behind.writeUInt32LE(plain.length, long ? 16 : 12);
    push(behind);
    const line = Buffer.alloc(46);
    line.writeUInt32LE(0x02014b50, 0);
    line.writeUInt16LE(8, 8);
    line.writeUInt16LE(8, 10);
    line.writeUInt32LE(crc32(plain), 16);
    line.writeUInt32LE(packed.length, 20);
    line.writeUInt32LE(plain.length, 24);
    line.writeUInt16LE(name.length, 28);
    line.writeUInt32LE(start, 42);
    lines.push(Buffer.concat([line, Buffer.from(name)]));
  }
  const directory = Buffer.concat(lines);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(lines.length, 8);
  end.writeUInt16LE(lines.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  await writeFile(file, Buffer.concat([...pieces, directory, end]));
  return file;
}
