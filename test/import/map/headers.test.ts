import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeaderName } from '../../../src/import/map/header-names.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { resources } from '../../../src/resources/registry.ts';
import type { Sheet, Workbook } from '../../../src/workbook/read-workbook.ts';
import { bookOf, type Grid, layoutOf } from './layout-of.ts';
import type { CellInput } from './sheet-of.ts';

const HEADER = ['ExternalID', 'OmschrijvingIntern', 'Verkoopprijs', 'Actief'];
const SOUP = [600001, 'Tomatensoep', 4.5, 'Ja'];
const ABCD = { A: 'ExternalID', B: 'OmschrijvingIntern', C: 'Verkoopprijs', D: 'Actief' };
const READ = { ExternalID: 600001, OmschrijvingIntern: 'Tomatensoep', Verkoopprijs: 4.5, Actief: true };
const title = (text: string): CellInput[] => [text];
const blank = (count: number): null[] => new Array<null>(count).fill(null);

interface Found {
  readonly header: string;
  readonly columns?: Readonly<Record<string, string>>;
  readonly said?: string;
}

describe('the headers of a sheet are found', () => {
  test.each<[string, Grid, Found]>([
    ['in the first row', [HEADER, SOUP], { header: '1' }],
    ['in the first row that holds anything', [null, null, HEADER, SOUP], { header: '3' }],
    [
      'below a title',
      [title('Prijslijst voorjaar'), HEADER, SOUP],
      { header: '2', said: 'the headers are in row 2' },
    ],
    [
      'below a title, an address and blank rows',
      [title('Keuken'), ['Kade 1', null, 'Delft'], ...blank(6), HEADER, null, SOUP],
      { header: '9', said: 'the headers are in row 9' },
    ],
    [
      'as far down as row 60',
      [title('Titel'), ...blank(58), HEADER, SOUP],
      { header: '60', said: 'the headers are in row 60' },
    ],
    [
      'below a legend that names a column or two',
      [['Verkoopprijs', 'excl. btw'], ['Actief', 'Ja/Nee'], null, HEADER, SOUP],
      { header: '4', said: 'the headers are in row 4' },
    ],
    [
      'in another column',
      [
        [null, null, ...HEADER],
        [null, null, ...SOUP],
      ],
      { header: '1', columns: { C: 'ExternalID', D: 'OmschrijvingIntern', E: 'Verkoopprijs', F: 'Actief' } },
    ],
    [
      'in two rows, as merged cells leave their text in the upper one',
      [
        ['ExternalID', 'OmschrijvingIntern', 'Prijs en status', null],
        [null, null, 'Verkoopprijs', 'Actief'],
        SOUP,
      ],
      { header: '1-2', said: 'the headers are in rows 1 and 2' },
    ],
    [
      'in two rows, most of them in the lower one',
      [['ExternalID', 'Overig'], [null, 'OmschrijvingIntern', 'Verkoopprijs', 'Actief'], SOUP],
      { header: '1-2', said: 'the headers are in rows 1 and 2' },
    ],
    [
      'in two rows below a title',
      [
        title('Lijst'),
        null,
        ['ExternalID', 'OmschrijvingIntern', 'Geld'],
        [null, null, 'Verkoopprijs', 'Actief'],
        SOUP,
      ],
      { header: '3-4', said: 'the headers are in rows 3 and 4' },
    ],
    [
      'below a row of groups',
      [['Sleutel', 'Naam', 'Prijs en status', null], HEADER, SOUP],
      { header: '2', said: 'the headers are in row 2' },
    ],
    [
      'in one row, though the first record is called as a column is',
      [
        [...HEADER, 'Status'],
        [...SOUP, 'Kostprijs'],
      ],
      { header: '1' },
    ],
  ])('%s', async (_, grid, { header, columns = ABCD, said }) => {
    const layout = await layoutOf(bookOf(grid));
    expect(layout).toMatchObject({ header, columns, notes: said === undefined ? [] : [said] });
    expect(layout.records.map(({ values }) => values)).toEqual([READ]);
    expect(layout.records[0]?.issues).toEqual([]);
  });

  test('in one row, though a cell of the record names a column that has none', async () => {
    const layout = await layoutOf(bookOf([HEADER, [...SOUP, 'OmschrijvingExtern']]));
    expect(layout.header).toBe('1');
    expect(layout.records[0]?.issues).toMatchObject([{ code: 'cell-beyond-header', address: 'E2' }]);
  });

  test('never below row 60', async () => {
    await expect(layoutOf(bookOf([...blank(60), HEADER, SOUP]))).rejects.toThrow('problem');
  });
});

describe('--header-row', () => {
  const grid = [
    HEADER,
    SOUP,
    ['Sleutel', 'OmschrijvingIntern', 'Verkoopprijs'],
    [600001, 'Erwtensoep', 5],
    ...blank(90),
    ['Prijs', 'Actief', 'ExternalID'],
  ];
  test.each([
    [1, '1', 2],
    [3, '3', 1],
    [95, '95', 0],
  ])('%i overrules the row that names the most', async (headerRow, header, records) => {
    const layout = await layoutOf(bookOf(grid), { headerRow });
    expect(layout.header).toBe(header);
    expect(layout.records.filter(({ values }) => values.Verkoopprijs !== undefined)).toHaveLength(records);
  });

  test.each([
    [
      2,
      'row 2 of sheet Pakketten names no column',
      'Row 1 names ExternalID, OmschrijvingIntern, Verkoopprijs',
    ],
    [50, 'row 50 of sheet Pakketten', 'Row 1 names'],
  ])('%i, where nothing is named, stops with the row that would do', async (headerRow, message, next) => {
    await expect(layoutOf(bookOf(grid), { headerRow })).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining(message),
      texts: { next: { en: expect.stringContaining(next), nl: expect.stringContaining('Rij 1 noemt') } },
    });
  });
});

describe('headers as people and programs write them', () => {
  test.each([
    'ExternalID ',
    '\u00a0ExternalID\u00a0',
    'external\u00adid',
    'Ｅxternal\u200bID',
    'ExternalID *',
    'ExternalID:',
    'ExternalID*:',
    '\u2066ExternalID\u2069',
    '\nExternalID\n',
  ])('are recognised: %j', async (header) => {
    const layout = await layoutOf(bookOf([[header, ...HEADER.slice(1)], SOUP], ' PAKKETTEN\u00a0'));
    expect(layout.columns).toEqual(ABCD);
    expect(layout.records[0]?.values).toEqual(READ);
  });

  test.each<[string, string[]]>([
    ['Omschrijving Intern', ['OmschrijvingIntern']],
    ['Verkoop prijs', ['Verkoopprijs']],
    ['Verkoopprijz', ['Verkoopprijs']],
    ['External ID', ['ExternalID']],
    ['Externalld', ['ExternalID']],
    ['Omschrijving', ['OmschrijvingIntern', 'OmschrijvingExtern']],
    ['Marge %', []],
    ['Inkoop', []],
    ['Opmerking\nkok', []],
  ])('are asked about when misspelt: %j may mean %j', async (header, near) => {
    const layout = await layoutOf(
      bookOf([
        ['ProductID', 'ProductTypeID', 'ProductCategorieID', header],
        [1, 1, 1, 1],
      ]),
    );
    const [said = ''] = layout.unknown;
    expect(said.split(' (')[0]).toBe(header.replace('\n', ' '));
    for (const name of near) expect(said).toContain(name);
    if (near.length === 0) expect(said).not.toContain('?');
  });

  test('are not taken for a field that has a column', async () => {
    const layout = await layoutOf(bookOf([[...HEADER, 'Verkoop prijs'], SOUP]));
    expect(layout.unknown).toEqual(['Verkoop prijs']);
  });
});

test('a header that stands there twice is asked about, and stops the rows in which the two differ', async () => {
  const grid = [
    [...HEADER, 'externalid', 'Notitie', 'Notitie'],
    [...SOUP, 600001, 'a', 'b'],
    [...SOUP, 600009],
    SOUP,
  ];
  const layout = await layoutOf(bookOf(grid));
  expect(layout.undecided).toEqual([
    'ExternalID (A), externalid (E): ExternalID',
    'Notitie (F), Notitie (G): InterneOpmerking',
  ]);
  expect(layout.records.map(({ issues }) => issues.map(({ code }) => code))).toEqual([
    [],
    ['header-twice'],
    [],
  ]);
});

describe('headers of the user’s own', () => {
  const own = (header: string, field: string, resource: string | null = null): HeaderName => ({
    header,
    field,
    resource,
  });
  const OWN = ['Artikelnr', 'Naam', 'Prijs', 'Verkopen', 'Wat te doen'];
  const names = [
    own('artikelnr ', 'ExternalID'),
    own('Naam', 'OmschrijvingIntern', 'packages'),
    own('Naam', 'Omschrijving', 'events'),
    own('Prijs', 'Verkoopprijs'),
    own('Verkopen', 'Actief'),
    own('Wat te doen', '#action'),
  ];

  test.each(['Pakketten', 'Blad1'])('are the columns they stand for, on a sheet called %s', async (name) => {
    const grid = [title('Lijst'), OWN, [...SOUP, 'skip']];
    const layout = await layoutOf(bookOf(grid, name), { names });
    expect(layout).toMatchObject({ resource: 'packages', header: '2', unknown: [] });
    expect(layout.columns).toEqual({ ...ABCD, E: '#action' });
    expect(layout.records).toMatchObject([{ action: 'skip', values: READ }]);
  });

  test('may be numbers, and take the place of a column of that name', async () => {
    const grid = [
      ['ExternalID', 2027, 'Actief'],
      [600001, 4.5, 'Tomatensoep'],
    ];
    const swapped = [own('2027', 'Verkoopprijs'), own('Actief', 'OmschrijvingIntern')];
    const layout = await layoutOf(bookOf(grid), { names: swapped });
    expect(layout.columns).toEqual({ A: 'ExternalID', B: 'Verkoopprijs', C: 'OmschrijvingIntern' });
  });
});

test('sheets of one kind are all read, whatever follows their name', async () => {
  const sheets = ['Pakketten', 'Pakketten (2)', 'Recepten *', 'pakketten:'].map(
    (name) => bookOf([HEADER, SOUP], name).sheets[0] as Sheet,
  );
  const book: Workbook = {
    file: 'a.xlsx',
    format: 'xlsx',
    sheets,
    [Symbol.iterator]: () => sheets.values(),
  };
  const found = await recogniseSheets(book, { resources, only: [], set: [] });
  expect(found.map((entry) => (entry.kind === 'import' ? entry.mapping.resource.name : entry.kind))).toEqual([
    'packages',
    // The columns of packages and recipes are much the same: a sheet under another name has to say which it is.
    'skip',
    'recipes',
    'packages',
  ]);
});

test('whatever stands around the records, they are read and every row is accounted for', async () => {
  const noise = fc.array(fc.constantFrom<(CellInput[] | null)[]>([null], [null, null], [['Prijslijst']]), {
    maxLength: 4,
  });
  const record = fc
    .integer({ min: 1, max: 999_999 })
    .map((id): CellInput[] => [id, `Totaalsoep ${id}`, id / 4]);
  const other = fc.constantFrom<CellInput[] | null>(null, ['Totaal', null, 3], HEADER, ['Onder voorbehoud']);
  const layouts = fc.record({
    above: noise,
    indent: fc.nat(5),
    rows: fc.array(fc.oneof({ weight: 3, arbitrary: record }, other), { minLength: 1, maxLength: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(layouts, async ({ above, indent, rows }) => {
      const shift = (cells: readonly CellInput[] | null) =>
        cells === null ? null : [...new Array<null>(indent).fill(null), ...cells];
      const grid = [...above.flat(), HEADER, ...rows].map(shift);
      const layout = await layoutOf(bookOf(grid));
      expect(layout.header).toBe(String(above.flat().length + 1));
      const records = rows.filter((row) => typeof row?.[0] === 'number');
      expect(layout.records.map(({ values }) => values.ExternalID)).toEqual(records.map((row) => row?.[0]));
      expect(layout.records.every(({ issues }) => issues.length === 0)).toBe(true);
      const filled = rows.filter((row) => row !== null).length;
      expect(layout.count).toBe(filled - records.length);
    }),
    { numRuns: 200 },
  );
});
