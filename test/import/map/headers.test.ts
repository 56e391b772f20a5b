import { describe, expect, test } from 'vitest';
import type { CellRange } from '../../../src/files/sheet.ts';
import type { HeaderName } from '../../../src/import/map/header-names.ts';
import { bookOf, type Grid, type Layout, layoutOf } from './layout-of.ts';

const HEADER = 'ExternalID;OmschrijvingIntern;Verkoopprijs;Actief';
const SOUP = '600001;Tomatensoep;4.5;Ja';
const ABCD = { A: 'ExternalID', B: 'OmschrijvingIntern', C: 'Verkoopprijs', D: 'Actief' };
const READ = { ExternalID: 600001, OmschrijvingIntern: 'Tomatensoep', Verkoopprijs: 4.5, Actief: true };
const blank = (count: number): null[] => new Array<null>(count).fill(null);
const named = (header: string, field: string, resource: string | null = null): HeaderName => ({
  ...{ header, field, resource },
});

const issuesIn = ({ records }: Layout): string =>
  records
    .flatMap(({ issues }) => issues.map(({ address, code, found }) => `${address} ${code} ${found}`))
    .join(', ');

describe('the headers of a sheet are found', () => {
  test.each<[string, Grid, string]>([
    ['in the first row', [HEADER, SOUP], '1'],
    ['as far down as row 60', ['Titel', ...blank(58), HEADER, SOUP], '60'],
    ['below a legend', ['Verkoopprijs;excl. btw', 'Actief;Ja/Nee', null, HEADER, SOUP], '4'],
    ['below a row of groups', ['Sleutel;Naam;Prijs en status', HEADER, SOUP], '2'],
    ['though the first record is called as a column is', [`${HEADER};Status`, `${SOUP};Kostprijs`], '1'],
  ])('%s', async (_, grid, header) => {
    const layout = await layoutOf(bookOf(grid));
    const [first, last] = header.split('-');
    const where = last === undefined ? `row ${first}` : `rows ${first} and ${last}`;
    const notes = header === '1' ? [] : [`the headers are in ${where}`];
    expect(layout).toMatchObject({ header, columns: ABCD, notes, records: [{ values: READ, issues: [] }] });
    expect(layout.records).toHaveLength(1);
  });

  test('in two rows where merged cells are over the columns', async () => {
    const grid = ['ExternalID;OmschrijvingIntern;Prijs en status', ';;Verkoopprijs;Actief', SOUP];
    const layout = await layoutOf(merged(grid, [wide(1, 3, 4)]));
    expect(layout).toMatchObject({ header: '1-2', columns: ABCD, records: [{ values: READ, issues: [] }] });
    // Without them the second is another table's, and nothing is guessed.
    expect(issuesIn(await layoutOf(bookOf(grid)))).toContain('C2 second-header');
  });

  test('never below row 60', async () => {
    await expect(layoutOf(bookOf([...blank(60), HEADER, SOUP]))).rejects.toThrow('problem');
  });
});

describe('--header-row', () => {
  const grid = [HEADER, SOUP, 'Sleutel;Verkoopprijs;Actief', ...blank(91), 'Prijs;Actief;ExternalID'];
  test.each([1, 3, 95])('%i overrules the row that names the most', async (headerRow) => {
    expect((await layoutOf(bookOf(grid), { headerRow })).header).toBe(`${headerRow}`);
  });

  test('on a row that names no column stops', async () => {
    await expect(layoutOf(bookOf(grid), { headerRow: 2 })).rejects.toMatchObject({
      ...{ exit: 2, message: 'Row 2 of sheet Pakketten names no column.' },
      texts: {
        next: {
          en: 'Choose the row that holds the headers (--header-row).',
          nl: expect.stringContaining('Kies de rij'),
        },
      },
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
    const grid = [HEADER.replace('ExternalID', header), SOUP];
    const layout = await layoutOf(bookOf(grid, ' PAKKETTEN\u00a0'));
    expect(layout).toMatchObject({ columns: ABCD, records: [{ values: READ }] });
  });

  test.each<[string, RegExp]>([
    ['Omschrijving Intern', /OmschrijvingIntern/],
    ['Verkoop-\nprijs', /Verkoopprijs/],
    ['Verkoopprijs (incl. btw)', /Verkoopprijs/],
    ['Verkoopprijz', /^Verkoopprijz[^?]*$/],
    ['Marge %', /^Marge %[^?]*$/],
    ['Opmerking\nkok', /^Opmerking kok[^?]*$/],
  ])('are asked about when misspelt: %j', async (header, near) => {
    const rows = ['1;1;1;1', '1;1;1;Soep'];
    const grid = [`ProductID;ProductTypeID;ProductCategorieID;${header}`, ...rows];
    const [said] = (await layoutOf(bookOf(grid))).unknown;
    expect(said).toMatch(near);
  });

  test.each(['Pakketten', 'Blad1'])(
    'of the user’s own are the columns they stand for, on %s',
    async (name) => {
      const names = [
        named('artikelnr ', 'ExternalID'),
        named('Naam', 'OmschrijvingIntern', 'packages'),
        named('Naam', 'Omschrijving', 'events'),
        named('Prijs', 'Verkoopprijs'),
        named('Verkopen', 'Actief'),
        named('Wat te doen', '#action'),
      ];
      const grid = ['Lijst', 'Artikelnr;Naam;Prijs;Verkopen;Wat te doen', `${SOUP};skip`];
      expect(await layoutOf(bookOf(grid, name), { names })).toMatchObject({
        ...{ resource: 'packages', header: '2', unknown: [], columns: { ...ABCD, E: '#action' } },
        records: [{ action: 'skip', values: READ }],
      });
    },
  );

  test('twice stop the rows in which the two differ, and are asked about where they are no field’s own', async () => {
    const grid = [`${HEADER};externalid;Notitie;Notitie`, `${SOUP};600001;a;b`, `${SOUP};600009`, SOUP];
    const layout = await layoutOf(bookOf(grid));
    expect(layout.undecided).toEqual(['Notitie (F): InterneOpmerking', 'Notitie (G): InterneOpmerking']);
    expect(issuesIn(layout)).toBe('E3 header-twice 600001 / 600009');
  });
});

const wide = (row: number, left: number, right: number): CellRange => ({
  left,
  top: row,
  right,
  bottom: row,
});
const COUNTED = ['ProductID;GeteldRekeneenheid', '7001;3;4', '7003;2'];
const PRICED = [
  'ExternalID;OmschrijvingIntern;Verkoopprijs',
  ';;excl. btw;incl. btw',
  '30001;Kerstbuffet Klassiek;35;38',
  '30002;Kerstbuffet Luxe;45;45',
  '30003;Kerstbuffet Mini;;20',
];
const merged = (grid: Grid, merges: readonly CellRange[]) =>
  bookOf(grid, grid === COUNTED ? 'Voorraadtelling' : 'Pakketten', undefined, { merges });

describe('a header over several columns names all of them', () => {
  test.each<[string, Grid, readonly CellRange[], string, string]>([
    [
      'merged, with no row that tells them apart',
      COUNTED,
      [wide(1, 2, 3)],
      '1',
      'C2 header-twice 3 / 4, B3 header-twice 2 / –',
    ],
    [
      'merged, as the cells of each row are too',
      ['ExternalID;OmschrijvingIntern;;Verkoopprijs', '30001;Kerstbuffet;;35', '30002;Borrel;;45'],
      [1, 2, 3].map((row) => wide(row, 2, 3)),
      '1',
      '',
    ],
    [
      'told apart by the row below',
      PRICED,
      [wide(1, 3, 4)],
      '1-2',
      'D3 header-twice 35 / 38, D5 header-twice – / 20',
    ],
    [
      'a record below it is no header',
      ['ExternalID;OmschrijvingIntern', ';Nieuw buffet;groot', '30001;Kerstbuffet;klein'],
      [wide(1, 2, 3)],
      '1',
      'C2 header-twice Nieuw buffet / groot, C3 header-twice Kerstbuffet / klein',
    ],
  ])('%s', async (_, grid, merges, header, issues) => {
    const layout = await layoutOf(merged(grid, merges));
    expect(layout.header).toBe(header);
    expect([layout.unknown, issuesIn(layout)]).toEqual([[], issues]);
  });

  test.each<[string, string, Grid, readonly CellRange[], number]>([
    ['by a map', 'Verkoopprijs excl. btw', PRICED, [wide(1, 3, 4)], 35],
    ['by a map', 'incl. btw', PRICED, [wide(1, 3, 4)], 38],
    ['by its letter', 'GeteldRekeneenheid (B)', COUNTED, [wide(1, 2, 3)], 3],
    ['by its letter', 'GeteldRekeneenheid (C)', COUNTED, [wide(1, 2, 3)], 4],
  ])('of which one is chosen %s: %s', async (_, header, grid, merges, value) => {
    const field = grid === COUNTED ? 'GeteldRekeneenheid' : 'Verkoopprijs';
    for (const taken of [{}, { taken: true as const }]) {
      const names = [{ ...named(header, field), ...taken }];
      const layout = await layoutOf(merged(grid, merges), { names });
      expect([layout.undecided, issuesIn(layout)]).toEqual([[], '']);
      expect(layout.records[0]?.values[field]).toBe(value);
    }
  });
});

test('a header over several columns of a CSV names the first alone', async () => {
  const found = issuesIn(await layoutOf(bookOf(PRICED)));
  expect(found).toMatch(/C2 number-expected excl. btw, D2 cell-beyond-header.*D3 cell-beyond-header 38/);
});

test.each<[string, Grid, string]>([
  [
    'a decimal comma between commas',
    ['ExternalID;OmschrijvingIntern;Verkoopprijs', '911;Soep;12;50', '912;Uiensoep;13'],
    'D2 cell-beyond-header 50',
  ],
  [
    'in a result that is imported again',
    ['ExternalID;Verkoopprijs;;#status;#id', '1;5;9;created;7', '2;5;;created;8'],
    'C2 cell-beyond-header 9',
  ],
  ['blank cells behind the last header', ['ExternalID;Verkoopprijs', '1;5;;', '2;6; ; '], ''],
  ['between two headers', ['ExternalID;;Verkoopprijs', '1;9;5', '2;;6'], 'B2 cell-beyond-header 9'],
  ['under a header that means nothing here', ['ExternalID;Verkoopprijs;Notitie', '1;5;let op'], ''],
])('a value in a column without a header is an issue of its row: %s', async (_, grid, issues) => {
  expect(issuesIn(await layoutOf(bookOf(grid)))).toBe(issues);
});

test.each<[string, Grid, object]>([
  ['in the numbers of another locale', [`${HEADER}`, ";Tomatensoep;'12.50", ";Uiensoep;'13"], {}],
  ['with an id and a price that nobody can read', [HEADER, 'K-30001;Soep;€ 12.x;1', "'30002;Soep;12,50"], {}],
  ['with an action of its own', [`#action;${HEADER}`, 'create;geen;Soep;n.t.b.', "create;'2;Soep;'13"], {}],
])('a row of texts below the headers is a record: %s', async (_, grid, passedOver) => {
  expect((await layoutOf(bookOf(grid))).passedOver).toEqual(passedOver);
});
