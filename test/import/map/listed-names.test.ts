import { expect, test } from 'vitest';
import { readMap } from '../../../src/import/map/header-names.ts';
import { recogniseByLists } from '../../../src/import/map/listed-names.ts';
import { proposalsOf } from '../../../src/import/map/proposed-map.ts';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { resources } from '../../../src/resources/registry.ts';
import { type LookupLists, openLookupLists } from '../../../src/run/lookup-lists.ts';
import { bookOf, type Grid } from './layout-of.ts';

const LISTS: Readonly<Record<string, readonly string[]>> = {
  producttype: ['Buffet', 'Lunch', 'Los gerecht'],
  productcategorie: ['Warm', 'Koud'],
};

/** Lists of the service; `asked` are those that were read. */
function listsOf(read: (labels: readonly string[]) => unknown) {
  const asked: string[] = [];
  const none = openLookupLists({} as Parameters<typeof openLookupLists>[0]);
  const lists = {
    ...none,
    read: async ({ name }) => {
      asked.push(name);
      return (await read(LISTS[name.toLowerCase()] ?? [])) as Awaited<ReturnType<LookupLists['read']>>;
    },
  } satisfies LookupLists;
  return { asked, lists };
}

const entriesOf = (labels: readonly string[]) => ({
  entries: labels.map((label, id) => ({ id, label })),
  whole: true,
});

/** What is proposed for each header: `Soort: ProductTypeID`, with `?` for what only the user can tell. */
async function proposed(grid: Grid, name: string, lists: LookupLists): Promise<string[]> {
  const time = { sleep: async () => {} } as unknown as Parameters<typeof recogniseByLists>[0]['time'];
  const found = proposalsOf(
    await recogniseByLists({ lists, time }, bookOf(grid, name), { resources, only: [], set: [] }),
  );
  return (found?.sheets ?? []).flatMap(({ columns, undecided }) => [
    ...columns.map(({ header, field }) => `${header}: ${field}`),
    ...undecided.map(({ headers, fields }) => `${headers.map(({ header }) => header)}: ${fields}?`),
  ]);
}

const PLAIN: Grid = ['Naam;Soort;Groep;Prijs;Prijs excl.;In gebruik', 'Lunchbuffet;Buffet;Warm;12.5;11.5;ja'];

test.each(['Pakketten', 'Blad1'])(
  'a list in people’s own words has no blank choice, on sheet %s',
  async (name) => {
    const { lists, asked } = listsOf(entriesOf);
    expect(await proposed(PLAIN, name, lists)).toEqual([
      'Naam: OmschrijvingIntern',
      'Soort: ProductTypeID',
      'Groep: ProductCategorieID',
      'In gebruik: Actief',
      'Prijs,Prijs excl.: Verkoopprijs?',
    ]);
    expect(asked).toEqual([]);
  },
);

test('and is one of packages once they are taken', async () => {
  const map = 'Naam=OmschrijvingIntern;Soort=ProductTypeID;Groep=ProductCategorieID;In gebruik=Actief';
  const names = readMap(map, resources);
  const [sheet] = await recogniseSheets(bookOf(PLAIN, 'Blad1'), { resources, only: [], set: [], names });
  expect(sheet).toMatchObject({ kind: 'import', mapping: { resource: { name: 'packages' } } });
});

const OWN: Grid = [
  'ExternalID;OmschrijvingIntern;Waar hoort het bij;Kleur',
  '1;Lunchbuffet;lunch;rood',
  '2;Borrel;Los  gerecht;blauw',
];

test('a column of names of a list is proposed by them, whatever its header says', async () => {
  expect(await proposed(OWN, 'Pakketten', listsOf(entriesOf).lists)).toEqual([
    'Waar hoort het bij: ProductTypeID',
  ]);
});

test.each<[string, (labels: readonly string[]) => unknown]>([
  ['can’t be read', () => ({ failure: new Error('away') })],
  ['take too long', () => new Promise(() => {})],
])('nothing is proposed by lists that %s', async (_, read) => {
  expect(await proposed(OWN, 'Pakketten', listsOf(read).lists)).toEqual([]);
});
