import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { membersOf, packageFaults, WORKSHEET_ORDER } from '../helpers/excel-rules.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { zipParts } from '../helpers/zip-parts.ts';
import { writeZip } from '../workbook/make-workbook.ts';
import { openWorld } from './world.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What exceljs can't make. */
const FOREIGN = {
  'xl/vbaProject.bin': Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)),
  'xl/charts/chart1.xml': Buffer.from('<c:chartSpace xmlns:c="urn:c"><c:chart/></c:chartSpace>'),
  'xl/printerSettings/printerSettings1.bin': Buffer.from('P\0R'),
  'customXml/item1.xml': Buffer.from('<eigen>é</eigen>'),
};

/** A workbook with what its user made of it, on the sheet that is imported and beside it. */
async function ownBook(file: string): Promise<string> {
  const book = new exceljs.Workbook();
  book.addWorksheet('Overzicht').getCell('A1').value = { formula: 'SUM(Pakketten!D3:D5)', result: 40 };
  const sheet = book.addWorksheet('Pakketten', { views: [{ state: 'frozen', ySplit: 2 }] });
  sheet.mergeCells('A1:D1');
  sheet.getCell('A1').value = 'Voorjaar';
  sheet.getRow(2).values = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
  for (const [at, name] of ['Lunch', 'Brunch', 'Diner'].entries()) {
    const price = { formula: `10*${at}+10`, result: 10 * at + 10 };
    sheet.getRow(at + 3).values = [900_001 + at, name, at === 1 ? 'geen' : 1, price];
    sheet.getCell(at + 3, 4).numFmt = '"€" #,##0.00';
  }
  sheet.getRow(2).font = { bold: true };
  sheet.getCell('B4').fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF00B0F0' } };
  sheet.getCell('B3').note = 'Niet vergeten';
  sheet.autoFilter = 'A2:D5';
  sheet.getColumn(2).width = 31;
  sheet.getCell('D3').dataValidation = { type: 'decimal', operator: 'greaterThan', formulae: [0] };
  const style = { font: { italic: true } };
  sheet.addConditionalFormatting({
    ref: 'D3:D5',
    rules: [{ type: 'cellIs', operator: 'greaterThan', formulae: [40], style, priority: 1 }],
  });
  sheet.addImage(book.addImage({ base64: PIXEL, extension: 'png' }), 'A7:B9');
  await book.xlsx.writeFile(file);
  return await writeZip(file, { ...(await zipParts(file)), ...FOREIGN });
}

/** The pieces of a part's XML, each a tag with the text behind it. */
const piecesOf = (xml: unknown): string[] =>
  String(xml)
    .replace(/ spans="[^"]*"/g, '')
    .match(/<[^>]+>[^<]*/g) ?? [];

const textsOf = (parts: Record<string, Buffer>) =>
  new Map(Object.entries(parts).map(([name, bytes]) => [name, String(bytes)]));

/** A sheet as lists of what its cells show. */
async function rowsOf(file: string, sheet: string): Promise<unknown[][]> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  return (book.getWorksheet(sheet)?.getSheetValues() as unknown[][]) ?? expect.fail(`no sheet ${sheet}`);
}

describe('the result is the user’s own workbook, with the outcome of each row beside it (23)', () => {
  test('XLSX: formulas, charts, macros, formats, notes, rules and other sheets stay', async () => {
    const { service, folder, machine, importWorkbook } = openWorld();
    const file = await ownBook(join(folder, 'week.xlsx'));
    const out = join(folder, 'week.result.xlsx');
    await importWorkbook(file, { ...machine(), out });
    const [before, after] = [await zipParts(file), await zipParts(out)];
    const changed = Object.keys(before).filter(
      (name) => after[name]?.equals(before[name] as Buffer) !== true,
    );
    const sheet = 'xl/worksheets/sheet2.xml';
    const listing = ['[Content_Types].xml', 'xl/_rels/workbook.xml.rels', 'xl/workbook.xml', 'xl/styles.xml'];
    expect(changed.toSorted()).toEqual([...listing, sheet].toSorted());
    const lost = [...listing, sheet].flatMap((name) => {
      const now = new Set(piecesOf(after[name]));
      return piecesOf(before[name]).filter((piece) => !now.has(piece));
    });
    expect(lost).toEqual([
      // There are more styles.
      ...['fonts count="2" x14ac:knownFonts="1"', 'fills count="3"', 'cellXfs count="4"'].map(
        (one) => `<${one}>`,
      ),
      // The sheet and its filter have grown, the wrong cell is marked, and its row is as high as its message.
      '<dimension ref="A1:D5"/>',
      '<row r="4" x14ac:dyDescent="0.25">',
      '<c r="C4" t="s">',
      '<autoFilter ref="A2:D5"/>',
    ]);
    const faults = packageFaults(textsOf(before));
    expect(packageFaults(textsOf(after))).toEqual(faults);
    const members = membersOf(String(after[sheet]));
    expect(members.toSorted((a, b) => WORKSHEET_ORDER.indexOf(a) - WORKSHEET_ORDER.indexOf(b))).toEqual(
      members,
    );
    const rows = await rowsOf(out, 'Pakketten');
    const [lunch, diner] = ['Lunch', 'Diner'].map(
      (name) => service.packages.where({ OmschrijvingIntern: name })[0]?.ProductID,
    );
    expect(rows.slice(2).map((row) => row.slice(5, 8))).toEqual([
      ['#status', '#id', '#message'],
      ['created', lunch, undefined],
      ['invalid', undefined, expect.stringContaining('C4 ProductTypeID: The service knows no “geen”')],
      ['created', diner, undefined],
    ]);
  });

  test('CSV: its own lines, separator and encoding stay', async () => {
    const { folder, machine, importWorkbook } = openWorld();
    const lines = [
      'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Eigen',
      '900001;"Crème; brûlée";1;12,50;ja',
      '900002;Diner;geen;30;',
    ];
    const [file, out] = ['week.csv', 'week.result.csv'].map((name) => join(folder, name)) as [string, string];
    writeFileSync(file, lines.join('\r\n'), 'latin1');
    await importWorkbook(file, { ...machine(), as: 'packages', out });
    const result = readFileSync(out, 'latin1').split('\r\n');
    const outcomes = lines.map((line, at) =>
      result[at]?.startsWith(`${line};`) ? result[at].slice(line.length + 1) : result[at],
    );
    expect(outcomes).toEqual([
      expect.stringMatching(/^#status;#id/),
      expect.stringMatching(/^created;\d+;/),
      expect.stringMatching(/^invalid;;"?C3/),
    ]);
  });
});

/** January and February of the small caterer, with trips that cost and bring something and an event without revenue. */
async function january(open: ReturnType<typeof openWorld>) {
  const { service, folder, machine, exportFinance } = open;
  const id = service.add.event({ PartijOmschrijving: 'Proeverij', Datum: '2027-01-20', GeenOmzet: true });
  service.add.link(id, 1001, { Aantal: 10, Datum: '2027-01-20' });
  service.add.trip({ PartijID: 5001, Datum: '2027-01-08', Verkoopprijs: 85.1, Kostprijs: 40 });
  const options = { ...serviceOnly(machine()), from: '2027-01-01', to: '2027-02-28', all: true };
  const out = join(folder, 'omzet.xlsx');
  return { out, exported: (more = {}) => exportFinance({ ...options, out, ...more }) };
}

const REVENUE = 40 * 18.75 + 25 * 24.5 + 85.1;

describe('a finance workbook adds up to its records, by live formulas, and says what changed since the last one of that period (29)', () => {
  test('its amounts are formulas over the sheets of its records', async () => {
    const world = openWorld();
    const { out, exported } = await january(world);
    const { sums } = await exported();
    expect(Number(sums.revenue)).toBe(REVENUE);
    const rows = await rowsOf(out, 'Overview');
    const end = rows.findIndex((row) => row?.includes('How it was counted'));
    const amounts = rows.slice(0, end).flatMap((row) => row?.slice(3) ?? []);
    expect(amounts.filter((cell) => typeof cell === 'number')).toEqual([]);
    const total = rows.find((row) => row?.[2] === 'Revenue of the events');
    expect(total?.[4]).toMatchObject({ formula: expect.any(String), result: REVENUE });
  });

  test('what changed is said, record by record', async () => {
    const world = openWorld();
    const { out, exported } = await january(world);
    expect((await exported()).changes).toBeNull();
    expect((await exported({ overwrite: true })).changes?.records).toEqual([]);
    world.service.other.change('link', 701, { Aantal: 41 });
    const { changes } = await exported({ overwrite: true });
    const line = { sheet: 'lines', key: '5001/1001', what: 'changed', was: '750', now: '768.75' };
    expect(changes?.records).toMatchObject([{ sheet: 'events', key: '5001', what: 'changed' }, line]);
    const told = (await rowsOf(out, 'Manifest')).map((row) => row?.join('|'));
    expect(told).toContainEqual(
      expect.stringMatching(/Borrel luxe \(5001\/1001\) · changed\|750\|768.75\|.*Quantity: 40 → 41/),
    );
  });
});

const office = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(existsSync);

test.skipIf(office === undefined)(
  'results open in LibreOffice without a repair, and it calculates the same (23, 29)',
  async () => {
    const world = openWorld();
    const { folder, machine, importWorkbook } = world;
    const file = await ownBook(join(folder, 'week.xlsx'));
    const result = join(folder, 'week.result.xlsx');
    await importWorkbook(file, { ...machine(), out: result });
    const { out, exported } = await january(world);
    await exported();
    const parts = await zipParts(out);
    const bare = Object.entries(parts).map(([name, bytes]) => [
      name,
      Buffer.from(String(bytes).replace(/(<\/f>)<v>[^<]*<\/v>/g, '$1')),
    ]);
    await writeZip(out, Object.fromEntries(bare));
    const saved = join(folder, 'saved');
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
    execFileSync(
      office ?? '',
      [profile, '--headless', '--convert-to', 'xlsx', '--outdir', saved, result, out],
      { stdio: 'ignore' },
    );
    const rows = await rowsOf(join(saved, 'week.result.xlsx'), 'Pakketten');
    expect(rows.slice(3).map((row) => row[5])).toEqual(['created', 'invalid', 'created']);
    const total = (await rowsOf(join(saved, 'omzet.xlsx'), 'Overview')).find(
      (row) => row?.[2] === 'Revenue of the events',
    );
    expect(total?.[4]).toMatchObject({ result: REVENUE });
  },
);
