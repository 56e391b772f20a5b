import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { readWorkbook, resources } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { oneSheet, writeZip } from '../workbook/make-workbook.ts';
import { type Cell, openWorld } from './world.ts';

/** A field, what stands in a cell of it, and what the service is sent, or what the issue calls it; how it is shown. */
type Case = readonly [
  field: string,
  cell: exceljs.CellValue,
  sent: unknown,
  code?: string | null,
  shown?: string,
];

type Cells = readonly (readonly Cell[])[];

const MOST = 6_000_000;
const NONE = undefined;
const [DAY, HALF_PAST] = ['2027-03-05 00:00:00.000', '2027-03-05 12:30:00.000'];
const euro = '"€" #,##0.00';

/** Cells of a spreadsheet program. */
const CELLS: readonly Case[] = [
  ['Verkoopprijs', 12.5, 12.5],
  ['Verkoopprijs', 0.1 + 0.2, 0.3],
  ['Verkoopprijs', 12.5, 12.5, null, euro],
  ['Verkoopprijs', 12.5, NONE, 'number-expected', '[$$-409]#,##0.00'],
  ['Verkoopprijs', 0.21, 0.21, 'number-percent', '0%'],
  ['Verkoopprijs', 35.535, 35.535, 'number-scaled', '0.00'],
  ['Verkoopprijs', true, NONE, 'number-expected'],
  ['Verkoopprijs', new Date('2027-02-01'), NONE, 'number-expected'],
  ['Verkoopprijs', { error: '#N/A' }, NONE, 'error-cell'],
  ['Verkoopprijs', { formula: 'A1+1', result: 7.25 }, 7.25],
  ['Verkoopprijs', { formula: 'A1+1' }, NONE, 'formula-without-result'],
  ['Verkoopprijs', { formula: 'A1/0', result: { error: '#DIV/0!' } }, NONE, 'error-cell'],
  ['Actief', true, true],
  ['Actief', 0, false],
  ['Actief', 2, NONE, 'boolean-expected'],
  ['ProductTypeID', 1.5, NONE, 'integer-expected'],
  ['ExternalID', 123456789012345, 123456789012345, null, '0.00E+00'],
  ['ExternalID', 2 ** 60, NONE, 'integer-too-large'],
  ['InterneOpmerking', 7, '007', null, '000'],
  ['InterneOpmerking', 12.5, '€ 12,50', null, euro],
  ['InterneOpmerking', 0.21, '21%', null, '0%'],
  ['InterneOpmerking', true, 'WAAR'],
  ['InterneOpmerking', new Date('2027-02-01'), '1-feb-27', null, 'd-mmm-yy'],
  ['InterneOpmerking', { richText: [{ text: 'zon' }, { text: 'der ui' }] }, 'zonder ui'],
  ['Datum', new Date('2027-03-05'), DAY, null, 'dd-mm-yyyy'],
  ['Datum', 46451, NONE, 'date-expected'],
  ['Starttijd', new Date('2027-03-05T12:30:00Z'), HALF_PAST, null, 'dd-mm-yyyy hh:mm'],
  ['Starttijd', 0.5, '2027-03-05 12:00:00.000', null, 'hh:mm'],
];

/** Texts, in a spreadsheet and in a CSV, read as Dutch people write. */
const TEXTS: readonly Case[] = [
  ['Verkoopprijs', '12,5', 12.5],
  ['Verkoopprijs', '€ 1.234,50', 1234.5],
  ['Verkoopprijs', '1.234', 1234, 'number-grouping'],
  ['Verkoopprijs', '12.50', NONE, 'number-expected'],
  ['Verkoopprijs', '21%', 0.21, 'number-percent'],
  ['Verkoopprijs', '12 kg', NONE, 'number-expected'],
  ['Verkoopprijs', '$ 12', NONE, 'number-expected'],
  ['Verkoopprijs', 'op aanvraag', NONE, 'number-expected'],
  ['Verkoopprijs', '#N/B', NONE, 'error-cell'],
  ['Actief', 'Nee', false],
  ['Actief', 'x', true],
  ['Actief', 'misschien', NONE, 'boolean-expected'],
  ['ProductTypeID', '1,0', 1, 'integer-written-oddly'],
  ['ProductTypeID', '00001', 1, 'integer-written-oddly'],
  ['ExternalID', '1,23E+15', NONE, 'integer-too-large'],
  ['ExternalID', '9007199254740993', NONE, 'integer-too-large'],
  ['InterneOpmerking', '007', '007'],
  ['InterneOpmerking', '=1+1', '=1+1'],
  ['InterneOpmerking', '1.234', '1.234'],
  ['Datum', '5-3-2027', DAY],
  ['Datum', '5 maart 2027', DAY],
  ['Datum', '5-3-27', NONE, 'date-two-digit-year'],
  ['Datum', '31-02-2027', NONE, 'date-expected'],
  ['Datum', 'morgen', NONE, 'date-expected'],
  ['Starttijd', '12:30', HALF_PAST],
  ['Starttijd', '25:00', NONE, 'time-expected'],
];

/** The same where the file is said to be English. */
const ENGLISH: readonly Case[] = [
  ['Verkoopprijs', '12.50', 12.5],
  ['Verkoopprijs', '1,234.50', 1234.5],
  ['Verkoopprijs', '12,50', NONE, 'number-expected'],
  ['Verkoopprijs', '1.234', 1.234, 'number-grouping'],
];

const PACKAGES = [
  'ExternalID',
  'OmschrijvingIntern',
  'ProductTypeID',
  'Verkoopprijs',
  'Actief',
  'InterneOpmerking',
];
const EVENTS = [
  'ExternalID',
  'PartijOmschrijving',
  'RelatieID',
  'ContactpersoonID',
  'Datum',
  'Starttijd',
  'Eindtijd',
];
const PLAIN = {
  packages: [PACKAGES, 1, 10],
  events: [EVENTS, 4001, 6001, '2027-03-05', '2027-03-05 12:00', '2027-03-05 15:00'],
} as const;

describe('a cell is read as the value that the user sees and means, or is an issue that names the cell (1)', () => {
  test.each([
    ['of XLSX', 'packages', 'xlsx', 'nl', [...CELLS, ...TEXTS]],
    ['of XLSX', 'events', 'xlsx', 'nl', [...CELLS, ...TEXTS]],
    ['of XLSX with days from 1904 on', 'events', '1904.xlsx', 'nl', CELLS],
    ['of CSV', 'packages', 'csv', 'nl', TEXTS],
    ['of CSV', 'events', 'csv', 'nl', TEXTS],
    ['of English XLSX', 'packages', 'xlsx', 'en', ENGLISH],
    ['of English CSV', 'packages', 'csv', 'en', ENGLISH],
  ] as const)('%s: %s', async (_, as, format, locale, all) => {
    const { service, folder, machine, importWorkbook } = openWorld({ values: { externalId: 'kept' } });
    const [header, ...values] = PLAIN[as];
    const cases = all.filter(([field]) => header.includes(field));
    const book = new exceljs.Workbook();
    book.properties.date1904 = format === '1904.xlsx';
    const sheet = book.addWorksheet('Week 9');
    sheet.addRow(header);
    for (const [at, [field, cell, , , shown]] of cases.entries()) {
      const placed = sheet
        .addRow([900_001 + at, `Gerecht ${at}`, ...values])
        .getCell(header.indexOf(field) + 1);
      placed.value = cell;
      if (shown !== undefined) placed.numFmt = shown;
    }
    const file = join(folder, `week.${format}`);
    if (format === 'csv') await book.csv.writeFile(file, { formatterOptions: { delimiter: ';' } });
    else await book.xlsx.writeFile(file);
    const { rows } = await importWorkbook(file, { ...machine(), as, locale });
    const records = as === 'packages' ? service.packages : service.events;
    const read = cases.map(([field, cell, , , shown], at) => {
      const { issues = [] } = rows[at] ?? {};
      const address = `${'ABCDEFG'[header.indexOf(field)]}${at + 2}`;
      for (const one of issues)
        expect(one.message).toMatch(
          new RegExp(`^${address} ${field}: .*(?:“.+”|The cell holds a formula).*\\. .+\\.$`),
        );
      const [record] = records.where({ [header[1] ?? '']: `Gerecht ${at}` });
      return [field, cell, record?.[field], issues[0]?.code ?? null, shown];
    });
    expect(read).toEqual(
      cases.map(([field, cell, sent, code = null, shown]) => [field, cell, sent, code, shown]),
    );
  });
});

describe('nothing in a file is dropped in silence: it is used, or named as not used with the reason (2)', () => {
  const HEADER = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
  const ROW = [900_001, 'Lunch', 1, 15];
  const OTHER = [900_002, 'Brunch', 1, 20];

  test.each<[string, string, Cells]>([
    [
      'rows above the headers',
      'the headers are in row 3',
      [['Voorjaarskaart'], ['geldig tot juni'], HEADER, ROW],
    ],
    [
      'columns of the user’s own',
      'Kleur, Foto',
      [
        [...HEADER, 'Kleur', 'Foto'],
        [...ROW, 'rood', 'ja'],
      ],
    ],
    ['a value under no header', 'F2: “Joost”', [HEADER, [...ROW, null, 'Joost']]],
    [
      'a header twice',
      'E2 Verkoopprijs: Columns D, E are for the same field but say different things: “15 / 13”',
      [
        [...HEADER, 'Verkoopprijs'],
        [...ROW, 13],
      ],
    ],
    [
      'a row of explanations',
      'A2 ExternalID: “nummer” is not a whole number.',
      [HEADER, ['nummer', 'naam', 'soort', 'bedrag'], ROW],
    ],
    [
      'a remark',
      'A3 ExternalID: “Onder voorbehoud” is not a whole number.',
      [HEADER, ROW, ['Onder voorbehoud'], OTHER],
    ],
    ['a total', 'looks like a total. Put skip', [HEADER, ROW, OTHER, ['Totaal', null, null, 35]]],
    [
      'another table below',
      'A4 ExternalID: “Leverancier”',
      [HEADER, ROW, [], ['Leverancier', 'Tel'], ['Bakker', '070']],
    ],
    [
      'another table beside',
      'Leverancier, Tel',
      [
        [...HEADER, null, 'Leverancier', 'Tel'],
        [...ROW, null, 'Bakker', '070'],
      ],
    ],
  ])('%s', async (_, named, cells) => {
    const { sheet, folder, machine, tellImport } = openWorld();
    const book = await makeWorkbook(join(folder, 'week.xlsx'), { Pakketten: cells });
    for (const file of [book, sheet(cells)]) {
      const { told, document } = await tellImport(file, { ...machine(), as: 'packages', dryRun: true });
      expect(told).toContain(named);
      expect(JSON.stringify(document).replaceAll('\\"', '"')).toContain(named);
    }
  });

  test('sheets, and what is hidden', async () => {
    const { folder, machine, tellImport } = openWorld();
    const book = new exceljs.Workbook();
    const sheet = book.addWorksheet('Pakketten');
    sheet.addRows([HEADER, ROW, OTHER]);
    sheet.getRow(3).hidden = true;
    book.addWorksheet('Oud', { state: 'hidden' }).addRows([HEADER, ROW]);
    book.addWorksheet('Telefoonlijst').addRows([
      ['Naam', 'Tel'],
      ['Bakker', '070'],
    ]);
    book.addWorksheet('Leeg');
    book.addWorksheet('Recepten').addRows([['Gerecht'], ['Soep']]);
    const file = join(folder, 'week.xlsx');
    await book.xlsx.writeFile(file);
    const { told, document } = await tellImport(file, { ...machine(), dryRun: true });
    expect(document.counts).toMatchObject({ read: 2, created: 2 });
    for (const named of [
      '1 hidden row',
      'Oud (hidden)',
      'Telefoonlijst (no sheet to',
      'Leeg (empty)',
      'Recepten',
    ]) {
      expect(told).toContain(named);
      expect(document.notes?.join() + (document.sheets[0]?.notes?.join() ?? '')).toContain(named);
    }
  });
});

describe('a value for a field that can’t be sent is said on its row (3)', () => {
  const OTHERWISE: Record<string, readonly string[]> = {
    boolean: ['Ja', 'Nee'],
    datetime: ['1-1-2031'],
    text: ['Iets anders'],
    integer: ['999'],
    decimal: ['99,5'],
  };
  test.each([
    ['packages', { ProductID: 1001 }],
    ['recipes', { ProductID: 1004 }],
    ['events', { PartijID: 5001 }],
    ['arrangements', { PartijID: 5001, ArrangementID: 1001 }],
    ['trips', { RitID: 301 }],
  ])('%s: each field that is only read, or only sent by a create', async (as, key) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const { fields = {} } = resources.find(({ name }) => name === as) ?? {};
    const unsent = Object.entries(fields).filter(
      ([name, { update, refers }]) =>
        ['none', 'unsent'].includes(update) && !(name in key) && refers === undefined,
    );
    const names = unsent.map(([name]) => name);
    const said = new Set<string | null>();
    for (const at of [0, 1]) {
      const others = unsent.map(([, { codec }]) => OTHERWISE[codec.type]?.[at] ?? null);
      const { rows } = await importWorkbook(
        sheet([
          [...Object.keys(key), ...names],
          [...Object.values(key), ...others],
        ]),
        { ...machine(), as },
      );
      for (const { field } of rows[0]?.issues ?? []) said.add(field);
    }
    expect([...said].toSorted()).toEqual(names.toSorted());
    expect(service.journal.writes).toEqual([]);
  });
});

describe('a file of any size is read in constant memory, no further than its rows are taken (5)', () => {
  const ROWS = 12_000;
  const row = Array.from({ length: 20 }, (_, at) => `${at}.2500000001`);
  test.each([
    ['XLSX', (file: string) => writeZip(file, oneSheet(xmlOf(row).repeat(ROWS)), { compress: false })],
    ['CSV', async (file: string) => writeFileSync(file, `${row.join(';')}\n`.repeat(ROWS))],
  ])('%s', async (_, write) => {
    const file = join(tempFolder(), 'week');
    await write(file);
    const before = await held();
    const [sheet] = await readWorkbook(file);
    let [read, most] = [0, 0];
    for await (const { cells } of sheet?.rows ?? []) {
      read += cells.length;
      if (read % (7 * ROWS) !== 0) continue;
      most = Math.max(most, (await held()) - before);
    }
    expect(read).toBe(20 * ROWS);
    expect(most).toBeLessThan(MOST);
  });
});

const xmlOf = (cells: readonly string[]): string =>
  `<row>${cells.map((cell) => `<c><v>${cell}</v></c>`).join('')}</row>`;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The bytes in use once all that was begun has gone as far as it goes, garbage apart. */
async function held(): Promise<number> {
  for (let turns = 0; turns < 50; turns++) await turn();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
