import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '../../../src/files/limits.ts';
import { resources } from '../../../src/resources/registry.ts';
import { inflatePart, readZipDirectory } from '../../../src/xlsx/zip/read-zip.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { featureBook } from '../../workbook/feature-book.ts';
import {
  oneSheet,
  sheetXml,
  stringsXml,
  stylesXml,
  workbookXml,
  writeZip,
} from '../../workbook/make-workbook.ts';
import type { PartBytes } from './mutate-parts.ts';

const SAMPLES = join(import.meta.dirname, '../../../fixtures/samples');

/** A file to begin from; a workbook also as its parts. */
export interface Seed {
  readonly bytes: Buffer;
  readonly parts: PartBytes | undefined;
}

const CELLS = [
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c></row>',
  '<row r="2" hidden="1"><c r="A2"><v>612001</v></c><c r="B2" t="inlineStr"><is><r><t>Kaas</t></r><r><t xml:space="preserve"> é&amp;n</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c><c r="C2"><f>1+1</f><v>2</v></c><c r="D2" s="1"><v>46505.5</v></c></row>',
  '<row><c><v>612002</v></c><c t="str"><f>B2</f><v>a_x0009_b<![CDATA[ <c> ]]></v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2027-04-28T11:30:00</v></c><c><f>1</f></c></row>',
].join('');

/** Rows out of order, cells and hidden columns that stand there twice, and dates with a zone. */
const TWICE = [
  '<cols><col min="2" max="4" hidden="1"/><col min="3" max="3" hidden="1"/><col min="3" max="9" hidden="true"/></cols><sheetData>',
  '<row r="1"><c r="A1" t="inlineStr"><is><t>PartijID</t></is></c><c r="B1" t="str"><v>Datum</v></c><c r="C1" t="str"><v>Starttijd</v></c><c r="D1" t="str"><v>Datum</v></c></row>',
  '<row r="5"><c r="A5"><v>9001</v></c><c r="B5" t="d"><v>2027-04-28T11:30:00Z</v></c><c r="A5"><v>9001</v></c></row>',
  '<row r="3"><c r="C3" t="d"><v>14:30:00+02:00</v></c><c r="A3"><v>9002</v></c><c r="C3"/></row><row r="5"/>',
  '</sheetData><autoFilter ref="A1:D5"/><mergeCells count="2"><mergeCell ref="B3:B5"/><mergeCell ref="B3:C4"/></mergeCells>',
].join('');

/** The project's own workbooks and CSVs, one of every kind of sheet, one with every kind of cell, and odd ones. */
export async function ownSeeds(): Promise<Seed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-seeds-'));
  try {
    await writeZip(
      join(folder, 'cellen.xlsx'),
      oneSheet(CELLS, {
        'xl/sharedStrings.xml': stringsXml(
          ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'].map(
            (name) => `<t>${name}</t>`,
          ),
        ),
        'xl/styles.xml': stylesXml([0, 'yyyy-mm-dd hh:mm', 14]),
      }),
    );
    const twice = {
      'xl/worksheets/sheet1.xml': sheetXml('').replace('<sheetData></sheetData>', TWICE),
      'xl/workbook.xml': workbookXml('<sheets><sheet name="Evenementen" sheetId="1" r:id="rId1"/></sheets>'),
    };
    await writeZip(join(folder, 'dubbel.xlsx'), oneSheet('', twice));
    // Notes, merged cells, a table, a filter, a picture and macros.
    await featureBook(join(folder, 'alles.xlsx'));
    for (const { name, sheet, fields } of resources) {
      const headers = Object.keys(fields);
      const rows = [1, 2, 3].map((row) =>
        headers.map((_, at) => ((row + at) % 3 === 0 ? `tekst ${at}` : row * at)),
      );
      await makeWorkbook(join(folder, `${name}.xlsx`), { [sheet]: [headers, ...rows] });
    }
    return [
      ...(await seedsIn(SAMPLES)),
      ...(await seedsIn(folder)),
      ...CSV.map((text) => ({ bytes: Buffer.from(text), parts: undefined })),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CSV: readonly string[] = [
  'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Actief\r\n612001;"Soep; ""warm""";1;1,50;Ja\r\n612002;Crème brûlée;2;€ 3,75;Nee\r\n',
  'sep=,\nExternalID,OmschrijvingIntern,ProductTypeID\n612001,"twee\nregels",1\n612002,="00123",2\n',
  'Telling week 12\n\nProductID\tGeteldRekeneenheid\tOpmerking\n1\t2,5\tZoë\n2\t\t12" pan\n',
];

/** The workbooks and CSVs of a folder and those below it, those that are not too big to be changed many times. */
export async function seedsIn(folder: string): Promise<Seed[]> {
  const seeds: Seed[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(folder, name);
    if (!/\.(xlsx|xlsm|csv)$/i.test(name)) continue;
    const bytes = readFileSync(file);
    if (bytes.length > 0 && bytes.length < 300_000)
      seeds.push({ bytes, parts: await partsOf(file).catch(() => undefined) });
  }
  return seeds;
}

async function partsOf(file: string): Promise<PartBytes> {
  const directory = await readZipDirectory(file, DEFAULT_LIMITS);
  const parts = new Map<string, Buffer>();
  for (const name of directory.names) {
    const entry = directory.find(name);
    const chunks: Buffer[] = [];
    if (entry !== undefined)
      for await (const chunk of inflatePart(file, entry, DEFAULT_LIMITS)) chunks.push(chunk);
    parts.set(name, Buffer.concat(chunks));
  }
  return parts;
}
