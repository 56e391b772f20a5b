import { expect, test } from 'vitest';
import { type RecogniseOptions, recogniseSheets } from '../../../src/import/map/recognise.ts';
import { packages } from '../../../src/resources/packages.ts';
import { resources } from '../../../src/resources/registry.ts';
import type { Workbook } from '../../../src/workbook/read-workbook.ts';
import { bookOf, type Grid } from './layout-of.ts';

const PACKAGES: Grid = [
  ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'VerkoopAantal', 'LeverdagID'],
  [600001, 'Tomatensoep', 1, 1, 1],
];
const COUNT: Grid = [
  ['ProductID', 'GeteldRekeneenheid', 'WerknemerID', 'DatumTijd', 'MutatieReden'],
  [7001, 3, 12, '2026-11-20 06:00', 'telling'],
];

/** The kind of each sheet, `import` or why it is none. */
async function kindsOf(
  names: readonly string[],
  grid: Grid,
  wishes: Partial<RecogniseOptions> = {},
): Promise<string[]> {
  const sheets = names.flatMap((name) => [...bookOf(grid, name).sheets]);
  const book: Workbook = {
    ...{ file: 'week12.xlsx', format: 'xlsx', sheets },
    [Symbol.iterator]: () => sheets.values(),
  };
  const found = await recogniseSheets(book, { resources, only: [], set: [], ...wishes });
  return found.map((entry) => (entry.kind === 'skip' ? entry.reason.en : entry.kind));
}

const only = [packages];
const old = (name: string, named = 'Pakketten'): string =>
  `it holds Pakketten too, beside sheet ${named}, which has that name; --sheet "${named}" --sheet "${name}" imports both`;

test.each(['Pakketten oud', 'Pakketten (2)', 'Kopie van Pakketten', 'Blad1'])(
  'a sheet called %s is asked about beside one that has the name of its kind',
  async (name) => {
    expect(await kindsOf(['Pakketten', name], PACKAGES, { resources: only })).toEqual(['import', old(name)]);
    expect(await kindsOf([name, 'Pakketten'], PACKAGES, { resources: only })).toEqual([old(name), 'import']);
    expect(await kindsOf([name], PACKAGES, { resources: only })).toEqual(['import']);
  },
);

test.each<[string, Partial<RecogniseOptions>]>([
  ['--sheet', { only: ['Pakketten', 'Pakketten oud'] }],
  ['--as', { as: packages }],
  ['a choice', { choices: [{ sheet: 'Pakketten oud', as: 'packages' }] }],
])('it is imported when %s says so', async (_, wishes) => {
  const found = await kindsOf(['Pakketten', 'Pakketten oud'], PACKAGES, { resources: only, ...wishes });
  expect(found).toEqual(['import', 'import']);
});

test('the places of a count all count where no sheet has the name of its kind', async () => {
  expect(await kindsOf(['Koelcel', 'Vriezer'], COUNT)).toEqual(['import', 'import']);
});

test.each<[string, Grid, string]>([
  [
    'of a count whose other values --set gives',
    [
      ['ProductID', 'GeteldRekeneenheid'],
      [7001, 3],
    ],
    'no sheet to import by its name or columns; --as stock-count --sheet "Koelcel" imports it as Voorraadtelling',
  ],
  [
    'of another kind',
    [
      ['Naam', 'Telefoon'],
      ['Bakker', '070'],
    ],
    'no sheet to import by its name or columns',
  ],
])('a sheet of few columns %s beside a Voorraadtelling says how it is imported', async (_, grid, reason) => {
  const set = ['WerknemerID', 'DatumTijd', 'MutatieReden'].map((field) => ({ field, text: '1' }));
  const sheets = [['Voorraadtelling', COUNT] as const, ['Koelcel', grid] as const].flatMap(([name, rows]) => [
    ...bookOf(rows, name).sheets,
  ]);
  const book: Workbook = {
    ...{ file: 'week12.xlsx', format: 'xlsx', sheets },
    [Symbol.iterator]: () => sheets.values(),
  };
  const [, other] = await recogniseSheets(book, { resources, only: [], set });
  expect(other?.kind === 'skip' && other.reason.en).toMatch(reason);
});
