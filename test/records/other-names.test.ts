import { describe, expect, it, test } from 'vitest';
import { shareWord } from '../../src/core/share-word.ts';
import { importWorkbook } from '../../src/index.ts';
import { makeWorkbook, readBack } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { csvOf, mutationsOf } from '../kinds/posting/stock-fixtures.ts';

const ALIKE: readonly [one: string, other: string, is: boolean][] = [
  ['Tiramisù', 'Spareribs', false],
  ['tiramisu (vers)', 'TIRAMISÙ', true],
  ['Crème\u00adbrûlée', 'Creme brulee', true],
  ['Crème\u200b brûlée', 'creme-brulee groot', true],
  ['Soep v/d dag', 'Dagsoep', true],
  ['Thee', 'Koffie', false],
  ['Bakker BV', 'De Linde BV', false],
  ['Soep van de dag', 'Salade met de dame', false],
  ['Ei', 'Ei met spek', true],
  ['–', 'Koffie', true],
];
test.each(ALIKE)('%s and %s have a word in common: %s', (one, other, is) => {
  expect(shareWord(one, other)).toBe(is);
  expect(shareWord(other, one)).toBe(is);
});

const WHO = { WerknemerID: '12', MutatieReden: 'Telling', MutatieCategorieID: '4901' };
const SET = { ...WHO, DatumTijd: '2026-10-01 08:00' };
const STOCK: readonly [as: string, key: string, id: string, name: string, amount: string][] = [
  ['stock-count', 'ProductID', '7008', 'Omschrijving', 'GeteldRekeneenheid'],
  ['stock-count', 'Product.ExternalID', '50008', 'OmschrijvingIntern', 'GeteldRekeneenheid'],
  ['stock-mutations', 'ProductID', '7008', 'ProductNaam', 'AantalRekeneenheid'],
  ['stock-mutations', 'Product.ExternalID', '50008', 'omschrijving ', 'AantalRekeneenheid'],
];

describe('a row of stock that says the name of its product', () => {
  it.each(STOCK)(
    'is a conflict that names both where that is another (%s, %s %s)',
    async (as, key, id, name, amount) => {
      const service = await openTestService();
      const product = (await service.records('recipe')).find((one) => one.id === 7008);
      const { length } = await mutationsOf(service);
      const send = (said: string) =>
        importWorkbook(
          csvOf(service, [
            [key, name, amount],
            [id, said, '987'],
          ]),
          optionsFor(service, { as, set: SET }),
        );
      const other = await send('Tiramisù');
      expect(other.counts).toMatchObject({ read: 1, conflict: 1 });
      expect(other.rows[0]?.message).toBe(
        `the row says "Tiramisù", and ProductID 7008 is "${product?.OmschrijvingIntern}": correct one of the two, or empty the name`,
      );
      expect(await mutationsOf(service)).toHaveLength(length);
      const own = await send(String(product?.OmschrijvingIntern).toUpperCase());
      expect(own.counts).toMatchObject({ created: 1 });
    },
  );
});

test.each(STOCK)(
  'a workbook with such a row (%s, %s %s) has a result with that row’s outcome',
  async (as, key, id, name, amount) => {
    const service = await openTestService();
    const [other, own] = id.length === 4 ? ['7001', '7003'] : ['50001', '50003'];
    const rows = [
      [key, name, amount],
      [own, null, 3],
      [id, 'Tiramisù', 987],
      [other, null, 4],
    ];
    const file = await makeWorkbook(`${service.folder}/telling.xlsx`, { Voorraad: rows });
    const done = await importWorkbook(file, optionsFor(service, { as, set: SET, dryRun: true }));
    expect(done).toMatchObject({ counts: { read: 3, conflict: 1 }, result: expect.any(String) });
    const sheet = (await readBack(String(done.result))).get('Voorraad');
    expect([...(sheet?.get(3)?.values() ?? [])]).toContain('conflict');
  },
);

test.each(STOCK)(
  'a row that looks like a total is told only that (%s, %s)',
  async (as, key, _, name, amount) => {
    const service = await openTestService();
    const rows = [
      [key, name, amount],
      ['', 'Soepen Totaal', '7'],
    ];
    const done = await importWorkbook(
      csvOf(service, rows),
      optionsFor(service, { as, set: SET, dryRun: true }),
    );
    expect(done.rows.map(({ issues = [] }) => issues.map(({ code }) => code))).toEqual([['total-or-record']]);
  },
);

describe('a row of a record that says its name beside its key', () => {
  it.each([
    ['packages', 'ProductID', '5001', 'Omschrijving', 'package', 'OmschrijvingIntern'],
    ['recipes', 'ProductID', '7008', 'ProductNaam', 'recipe', 'OmschrijvingIntern'],
    ['events', 'PartijID', '9001', 'Omschrijving', 'event', 'PartijOmschrijving'],
  ])('is warned of where that is another (%s)', async (as, key, id, header, kind, label) => {
    const service = await openTestService();
    const options = optionsFor(service, { as, dryRun: true });
    const record = (await service.records(kind)).find((one) => String(one.id) === id);
    const said = async (rows: readonly (readonly string[])[]) => {
      const done = await importWorkbook(csvOf(service, rows), options);
      return done.rows
        .flatMap(({ issues = [] }) => issues)
        .filter(({ code }) => code === 'record-of-another');
    };
    const [one, ...more] = await said([
      [key, header],
      [id, 'Qwxyz'],
    ]);
    expect(more).toEqual([]);
    expect(one).toMatchObject({ severity: 'warning', field: header, found: 'Qwxyz' });
    expect(one?.message).toContain(String(record?.[label]));
    expect(
      await said([
        [key, header],
        [id, String(record?.[label])],
      ]),
    ).toEqual([]);
    // A rename is the point of the field itself.
    expect(
      await said([
        [key, label],
        [id, 'Qwxyz'],
      ]),
    ).toEqual([]);
  });
});

test('a new event that names another customer than its RelatieID is warned of, and one in other words is not', async () => {
  const service = await openTestService();
  const { Bedrijfsnaam: name } = (await service.request('GET', 'api/v1/relation/1')) as {
    Bedrijfsnaam: string;
  };
  const header = [
    'ExternalID',
    'RelatieID',
    'Bedrijfsnaam',
    'ContactpersoonID',
    'Datum',
    'Starttijd',
    'Eindtijd',
  ];
  const day = ['2027-03-05', '2027-03-05 12:00', '2027-03-05 15:00'];
  const file = csvOf(service, [
    header,
    ['91', '1', 'Qwxyz BV', '1', ...day],
    ['92', '1', name.toUpperCase(), '1', ...day],
  ]);
  const done = await importWorkbook(file, optionsFor(service, { as: 'events', dryRun: true }));
  const issues = done.rows.flatMap(({ row, issues: own = [] }) =>
    own.map(({ code, cell, message }) => ({ row, code, cell, message })),
  );
  expect(issues).toEqual([
    { row: 2, code: 'record-of-another', cell: 'C2', message: expect.stringContaining(name) },
  ]);
});
