import exceljs from 'exceljs';
import { zipParts } from '../helpers/zip-parts.ts';
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

/** A workbook with what spreadsheet programs can put in one: formats, formulas, notes, a picture, a table, merged cells, dates from 1904. */
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
  sheet.addImage(book.addImage({ base64: PIXEL, extension: 'png' }), 'E7:F9');
  const recipes = book.addWorksheet('Recepten');
  recipes.addTable({
    ...{ name: 'Recepten', ref: 'A1', headerRow: true, totalsRow: false },
    columns: ['ExternalID', 'Naam'].map((name) => ({ name, filterButton: true })),
    rows: [
      [1, 'Bouillon'],
      [2, 'Saus'],
    ],
  });
  book.definedNames.add('Pakketten!$C$3:$C$5', 'Prijzen');
  await book.xlsx.writeFile(file);
  const parts = await zipParts(file);
  const types = `${parts['[Content_Types].xml']}`.replace(
    '<Override',
    '<Default Extension="bin" ContentType="application/octet-stream"/><Override',
  );
  return await writeZip(file, { ...parts, '[Content_Types].xml': types, ...FOREIGN });
}
