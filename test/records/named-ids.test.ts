import { describe, expect, test } from 'vitest';
import { shareWord } from '../../src/core/nearest.ts';
import { type Cell, openWorld } from '../promises/world.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { told, wordsOf } from './told.ts';

const HEADER = ['ExternalID', 'RelatieID', 'ContactpersoonID', 'LocatieID', 'Datum', 'Starttijd', 'Eindtijd'];
const event = (key: number, [relation, contact, place] = [4001, 6001, 801]): readonly Cell[] => [
  ...[key, relation ?? 0, contact ?? 0, place ?? 0],
  ...['2027-05-01', '2027-05-01 12:00', '2027-05-01 17:30'],
];

/** A service, and imports of events; each says what became of its rows. */
function open(knobs: KnobChanges = {}) {
  const world = openWorld(knobs);
  const options = world.machine();
  const run = async (rows: readonly (readonly Cell[])[], more: object = {}, header = HEADER) => {
    const asked = world.service.journal.requests.length;
    const done = await world.importWorkbook(world.sheet([header, ...rows]), {
      ...options,
      as: 'events',
      ...more,
    });
    const paths = world.service.journal.requests.slice(asked).map(({ path }) => path);
    return {
      ...done,
      told: told(done.rows),
      asked: paths.flatMap((path) => /(?:relation\/contact|relation|location)\/\d+$/.exec(path)?.[0] ?? []),
    };
  };
  return { ...world, run };
}

const WRONG = [
  event(1, [4444, 6001, 801]),
  event(2, [4001, 6666, 801]),
  event(3, [4001, 6001, 888]),
  event(4),
];

describe('an id that the service does not have is an issue of its cell', () => {
  test.each(['404 json', '404 html', 'null', '[]', '{}'] as const)(
    'where it says so by %s',
    async (missing) => {
      const { run } = open({ answers: { missing } });
      const all = ['B2', 'C3', 'D4'].map((cell) => `invalid, ${cell} id-without-record`);
      expect((await run(WRONG)).told).toEqual([...all, 'created']);
    },
  );

  test.each<[string, number, unknown]>([
    ['is not allowed', 403, { message: 'No rights.' }],
    ['fails', 500, { message: 'Oops.' }],
    ['answers another record', 200, { RelatieID: 7, Bedrijfsnaam: 'X' }],
    ['answers a text', 200, { message: 'Hello.' }],
    ['knows none of those that are asked for', 404, { message: 'No route.' }],
  ])('and is sent where the endpoint %s, with a note where that says so', async (_, status, body) => {
    const { run, service } = open();
    service.add.event({ Datum: '2027-05-02', RelatieID: 4002 });
    const choose = ({ path }: { readonly path: string }) =>
      /relation\/\d+$/.test(path) ? ({ kind: 'answer', when: 'before', status, body } as const) : undefined;
    service.set({ failures: { choose } });
    const { told: rows, notes } = await run([event(1), event(2, [4002, 6002, 801])], { retries: 0 });
    expect(rows).toEqual(['created', 'created']);
    if (status !== 404) expect(notes?.join()).toMatch(/customers could not be looked up/);
  });

  test('and each one is asked for once, however many rows send it, and by name in what changes', async () => {
    const { run } = open();
    const rows = [1, 2, 3, 4].map((key) => event(key));
    const made = await run(rows);
    expect(made.asked.toSorted()).toEqual(['location/801', 'relation/4001', 'relation/contact/6001']);
    expect((await run(rows)).asked).toEqual([]);
    const moved = await run([event(1, [4002, 6002, 802])]);
    expect(moved.rows[0]?.changes).toEqual(
      expect.arrayContaining([
        {
          ...{ field: 'RelatieID', from: 4001, fromName: 'Zalencentrum De Linde' },
          ...{ to: 4002, toName: 'Bakkerij Van Oord & Zn.' },
        },
      ]),
    );
  });
});

test('a name is the id of the list that its request takes, where an update and a create have other lists', async () => {
  const { run, service } = open({ company: 'none', values: { checkReferences: true } });
  service.add.names('productCategory', { 1: 'Soepen', 2: 'Sauzen', 3: 'Dranken' });
  service.add.names('productActionCategory', { 1: 'Sauzen', 2: 'Soepen', 4: 'Snijden' });
  const of = async (category: string) => {
    const header = [
      'ExternalID',
      'OmschrijvingIntern',
      'Gewicht',
      'OPK',
      'ProductEenheidWaardeID',
      'ProductCategorieID',
    ];
    const { told: rows } = await run([[71, 'Soep', '0,3', 10, 5, category]], { as: 'recipes' }, header);
    return [rows[0], service.recipes.all()[0]?.ProductCategorieID];
  };
  // What only updates know makes no record.
  expect((await of('Snijden'))[0]).toMatch(/^invalid, F2 lookup-unknown/);
  expect(await of('Soepen')).toEqual(['created', 2]);
  expect(await of('1')).toEqual(['unchanged', 2]);
  expect(await of('Snijden')).toEqual(['updated', 4]);
});

describe('a row that says another name than its record’s', () => {
  test.each([
    ['Tiramisù', 'Spareribs', false],
    ['tiramisu (vers)', 'TIRAMISÙ', true],
    ['Crème\u00adbrûlée', 'creme-brulee groot', true],
    ['Soep v/d dag', 'Dagsoep', true],
    ['Bakker BV', 'De Linde BV', false],
    ['Soep van de dag', 'Salade met de dame', false],
    ['–', 'Koffie', true],
  ])('%s and %s have a word in common: %s', (one, other, is) => {
    expect([shareWord(one, other), shareWord(other, one)]).toEqual([is, is]);
  });

  test('posts nothing, and is warned of where it would change a record', async () => {
    const { run, service } = open();
    const soup = Number(service.recipes.where({ OmschrijvingIntern: 'Pompoensoep' })[0]?.ProductID);
    const set = {
      WerknemerID: '12',
      MutatieReden: 'Telling',
      MutatieCategorieID: '4901',
      DatumTijd: '2026-10-01 08:00',
    };
    const stock = { as: 'stock-mutations', set };
    const header = ['ProductID', 'ProductNaam', 'AantalRekeneenheid'];
    const posted = await run([[soup, 'Tiramisù', 3]], stock, header);
    expect(posted.told).toEqual(['conflict']);
    expect(wordsOf(posted.rows)).toContain(`says "Tiramisù", and ProductID ${soup} is "Pompoensoep"`);
    expect((await run([[soup, 'POMPOENSOEP', 3]], stock, header)).told).toEqual(['created']);
    const recipe = await run([[soup, 'Qwxyz', 3]], { as: 'recipes' }, ['ProductID', 'ProductNaam', 'OPK']);
    expect(recipe.told).toEqual(['updated, B2 record-of-another']);
  });
});
