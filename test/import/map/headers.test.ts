import { describe, expect, test } from 'vitest';
import type { HeaderName } from '../../../src/import/map/header-names.ts';
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
      'in two rows, as merged cells leave their text in the upper one',
      [
        ['ExternalID', 'OmschrijvingIntern', 'Prijs en status', null],
        [null, null, 'Verkoopprijs', 'Actief'],
        SOUP,
      ],
      { header: '1-2', said: 'the headers are in rows 1 and 2' },
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
    'external\u00adid',
    'Ｅxternal\u200bID',
    'ExternalID*:',
    '\u2066ExternalID\u2069',
  ])('are recognised: %j', async (header) => {
    const layout = await layoutOf(bookOf([[header, ...HEADER.slice(1)], SOUP], ' PAKKETTEN\u00a0'));
    expect(layout.columns).toEqual(ABCD);
    expect(layout.records[0]?.values).toEqual(READ);
  });

  test.each<[string, string[]]>([
    ['Omschrijving Intern', ['OmschrijvingIntern']],
    ['Verkoopprijz', ['Verkoopprijs']],
    ['Omschrijving', ['OmschrijvingIntern', 'OmschrijvingExtern']],
    ['Marge %', []],
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
});
