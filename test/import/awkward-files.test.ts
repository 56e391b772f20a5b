import { copyFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { openTestService, optionsFor, startTestSandbox } from '../helpers/test-service.ts';

type Settings = Partial<Parameters<typeof importWorkbook>[1]>;

/** A service that is only read. */
const sandbox = startTestSandbox();
afterAll(async () => (await sandbox).close());
const dry = async (file: string, more: Settings = {}) =>
  importWorkbook(
    `fixtures/awkward/${file}`,
    optionsFor({ ...(await sandbox), folder: tempFolder() }, { ...more, dryRun: true }),
  );

/** What a count needs, and its file lacks. */
const COUNT: Settings = {
  set: {
    WerknemerID: '12',
    DatumTijd: '2026-11-20 06:00',
    MutatieReden: 'telling',
    MutatieCategorieID: '4901',
  },
};

/** A file, what is promised of it, what becomes of each row, and the flags of its import. */
const FILES: readonly (readonly [file: string, promise: string, rows: readonly string[], more?: Settings])[] =
  [
    [
      '02-event-without-day.xlsx',
      'an event that its ExternalID alone names is found the first time',
      ['2 create ExternalID=79001 Datum=2027-03-03 00:00:00 AantalGasten=40', '3 update AantalGasten=110'],
    ],
    [
      '03-only-read.xlsx',
      'a filled cell that can’t be sent is said',
      ['2 unchanged C2 cell-not-sent D2 cell-not-sent', '2 unchanged B2 cell-not-sent C2 cell-not-sent'],
    ],
    [
      '03-only-read.xlsx',
      'a filled cell that can’t be sent stops its row where --strict says so',
      ['2 invalid C2 cell-not-sent D2 cell-not-sent', '2 invalid B2 cell-not-sent C2 cell-not-sent'],
      { strict: true },
    ],
    [
      '04-article-numbers.csv',
      'an article number is no key unless its column is named, also where the amount’s is',
      ['2 invalid null key-missing', '3 invalid null key-missing'],
      { ...COUNT, as: 'stock-count', map: 'Geteld=GeteldRekeneenheid' },
    ],
    [
      '05-two-places.xlsx',
      'one product counted at two places is one count',
      ['2 create GeteldRekeneenheid=12', '3 create GeteldRekeneenheid=3', '2 skipped'],
      { ...COUNT, as: 'stock-count' },
    ],
    [
      '06-ends-before-it-begins.xlsx',
      'an event that ends before it begins is invalid',
      ['2 invalid F2 end-before-begin'],
    ],
    [
      '07-names-that-look-alike.csv',
      'names that look alike are the same name',
      [3, 3, 3, 3, 1].map(
        (type, at) =>
          `${at + 2} create ProductTypeID=${type} OmschrijvingIntern=${'abcde'[at]} Verkoopprijs=1.5 ExternalID=9900${at + 1}`,
      ),
    ],
    [
      '08-prices.xlsx',
      'other money, hidden decimals and unlikely prices are said',
      [
        '2 invalid D2 number-expected',
        '3 invalid D3 number-expected',
        '4 create Verkoopprijs=12.004999 D4 number-scaled',
        '5 create Verkoopprijs=35.535 D5 number-scaled',
        '6 invalid D6 price-below-zero',
        '7 create Verkoopprijs=0 D7 price-unlikely',
        '8 create Verkoopprijs=1000000000000 D8 price-unlikely',
      ],
    ],
    [
      '09-tab-text-named.xls',
      'text under the name of a workbook is read as what it is',
      ['2 create ProductTypeID=1 OmschrijvingIntern=Uit het kassasysteem Verkoopprijs=12.5 ExternalID=99201'],
    ],
    [
      '10-pipes.txt',
      'a | separates, and a line of --- is no record',
      [
        '4 create ProductTypeID=1 OmschrijvingIntern=Uit het boekhoudpakket Verkoopprijs=12.5 ExternalID=99301',
      ],
    ],
    [
      '11-value-without-header.xlsx',
      'a value under no header is an issue on its row',
      ['2 invalid C2 cell-beyond-header', '3 invalid C3 cell-beyond-header'],
      COUNT,
    ],
    [
      '12-merged-header.xlsx',
      'a header over two columns names both',
      ['2 invalid C2 header-twice', '3 invalid C3 header-twice'],
      COUNT,
    ],
    [
      '12-merged-header.xlsx',
      'of a header over two columns one can be chosen',
      ['2 unchanged', '3 create GeteldRekeneenheid=9'],
      { ...COUNT, map: 'GeteldRekeneenheid (C)=GeteldRekeneenheid' },
    ],
    [
      '13-two-header-rows.xlsx',
      'two rows of headers tell two columns apart, and neither is taken',
      ['3 invalid E3 header-twice'],
    ],
    [
      '13-two-header-rows.xlsx',
      'of two columns that the lower row of headers tells apart one can be chosen',
      ['3 update Verkoopprijs=38.7'],
      { map: 'Verkoopprijs incl. btw=Verkoopprijs' },
    ],
    [
      '14-totals-row-of-a-table.xlsx',
      'the totals row of a table is skipped',
      ['2 create GeteldRekeneenheid=7', '3 create GeteldRekeneenheid=5', '4 skipped'],
      COUNT,
    ],
    ['15-null-words.csv', 'a word for nothing overwrites no text', ['2 invalid B2 null-word C2 null-word']],
    [
      '16-twenty-four.csv',
      '24:00 is no time on a day',
      [
        '2 invalid D2 date-expected',
        '3 invalid D3 date-expected',
        '4 create Datum=2027-03-03 00:00:00 Eindtijd=2027-03-03 23:00:00',
        '5 create Datum=2027-03-03 23:59:00 Eindtijd=2027-03-03 23:00:00 D5 date-with-time',
      ],
    ],
    [
      '17-twenty-four-in-the-template.xlsx',
      '24:00 as an end is the next midnight, however it is written',
      [
        '2 create Datum=2027-03-03 00:00:00 Eindtijd=2027-03-04 00:00:00 E2 next-day',
        '3 create Datum=2027-03-03 00:00:00 Eindtijd=2027-03-04 00:00:00 E3 next-day',
        '4 create Datum=2027-03-03 00:00:00 Eindtijd=2027-03-04 01:30:00 E4 next-day',
        '5 create Datum=2027-03-03 00:00:00 Eindtijd=2027-03-03 23:59:00',
      ],
    ],
    [
      '18-units-by-format.xlsx',
      'several units in one column are an issue, beside units that no list names',
      [
        '2 invalid E2 units-differ D2 lookup-unreadable',
        '3 invalid E3 units-differ D3 lookup-unreadable',
        '4 invalid E4 units-differ D4 lookup-unreadable',
      ],
    ],
    [
      '19-filled-down-checkboxes.xlsx',
      'rows that hold only what was filled down are blank',
      ['2 update Verkoopprijs=35.5 Actief=false'],
    ],
    [
      '20-lines-quoted-whole.csv',
      'lines that are quoted as a whole are read',
      ['2 update Verkoopprijs=35.5', '3 update Verkoopprijs=33'],
    ],
  ];

test.each(FILES.map(([file, promise, rows, more]) => ({ file, promise, rows, more })))(
  '$file: $promise',
  async ({ file, rows, more }) => {
    const found = await dry(file, more);
    const fields = new Set(rows.flatMap((row) => [...row.matchAll(/(\w+)=/g)].map(([, field]) => field)));
    const shown = found.rows.map(({ row, status, changes = [], issues = [] }) =>
      [
        `${row} ${status}`,
        ...changes.flatMap(({ field, to }) => (fields.has(field) ? `${field}=${to}` : [])),
        ...issues.map(({ cell, code }) => `${cell} ${code}`),
      ].join(' '),
    );
    expect(shown).toEqual(rows);
  },
);

test('01-keyless.xlsx: its result creates nothing on a machine with another ledger', async () => {
  const service = await openTestService();
  const done = await importWorkbook('fixtures/awkward/01-keyless.xlsx', optionsFor(service));
  expect(done.counts).toMatchObject({ read: 6, created: 6 });
  const { length } = await service.records('package');
  const file = `${tempFolder()}/from-another.xlsx`;
  copyFileSync(String(done.result), file);
  const there = await importWorkbook(file, optionsFor({ ...service, folder: tempFolder() }));
  expect(there.counts).toMatchObject({ read: 6, created: 0, updated: 0, unchanged: 6 });
  expect(there.rows.map(({ id }) => id)).toEqual(done.rows.map(({ id }) => id));
  expect(await service.records('package')).toHaveLength(length);
});

test('04-article-numbers.csv: its article number is proposed for that of a product, and names none that is near', async () => {
  const said = dry('04-article-numbers.csv', {
    ...COUNT,
    as: 'stock-count',
    map: 'Geteld=GeteldRekeneenheid',
  });
  const { map } = await said;
  expect(map).toBe('Artikelnummer=Product.Artikelnummer');
  const { rows } = await dry('04-article-numbers.csv', {
    ...{ ...COUNT, as: 'stock-count', map: `Geteld=GeteldRekeneenheid;${map}` },
  });
  expect(rows.map(({ issues }) => issues?.map(({ code, cell }) => `${cell} ${code}`))).toEqual([
    ['A2 record-missing'],
    ['A3 record-missing'],
  ]);
});
