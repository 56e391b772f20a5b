import { expect, test } from 'vitest';
import { ends, openKind, type Row } from '../kinds/open-kind.ts';

const NEW = { '#action': 'create' };
const stock = {
  WerknemerID: 12,
  DatumTijd: '2026-10-01 08:00',
  MutatieCategorieID: 4901,
  MutatieReden: 'Week',
};
const pakket = { OmschrijvingIntern: 'Lunch', ProductTypeID: 1, Verkoopprijs: '10,25' };
const recept = {
  ...{ OmschrijvingIntern: 'Soep', ProductCategorieID: 11, ProductEenheidWaardeID: 501 },
  ...{ Gewicht: '0,5', OPK: 4 },
};
const event = {
  ...{ RelatieID: 4001, ContactpersoonID: 6001, Datum: '2027-05-01' },
  ...{ Starttijd: '12:00', Eindtijd: '17:30' },
};

const KINDS: Readonly<Record<string, (product: number) => Row>> = {
  'stock-mutations': (ProductID) => ({ ProductID, AantalRekeneenheid: -2, ...stock }),
  'stock-count': (ProductID) => ({ ProductID, GeteldRekeneenheid: 20, ...stock }),
  packages: () => ({ ...NEW, ...pakket }),
  recipes: () => ({ ...NEW, ...recept }),
  events: () => ({ ...NEW, ...event }),
};

/** A service that goes by two addresses, and a row that it may be sent by both. */
function openTwice(kind: string, row: (product: number) => Row = KINDS[kind] ?? (() => ({})), knobs = {}) {
  const opened = openKind(kind, knobs);
  const { service, csv, importWorkbook, own } = opened;
  const product = service.add.product();
  service.add.stock(product, 24);
  const file = csv([row(product)]);
  const other = service.url.replace('127.0.0.1', '127.0.0.2');
  const at =
    (baseUrl: string) =>
    (more: object = {}) =>
      importWorkbook(file, { ...own, as: kind, baseUrl, ...more });
  return { ...opened, ...{ product, file, other, here: at(service.url), there: at(other), at } };
}

test.each(Object.keys(KINDS))(
  'what was posted is not posted again at another address of the service before the user says what that is: %s',
  async (kind) => {
    const { service, here, there, product } = openTwice(kind);
    const { run } = await here();
    const { length } = service.journal.writes;
    if (kind === 'stock-count') service.other.useStock(product, 5);
    const again = await there();
    expect(ends(again)).toEqual(['conflict']);
    for (const part of [service.url, run, '--elsewhere same|other'])
      expect(again.rows[0]?.message).toContain(part);
    expect(ends(await there({ elsewhere: 'same' }))).toEqual(['unchanged']);
    // It was said once, and counts from then on.
    expect(ends(await there())).toEqual(['unchanged']);
    expect(service.journal.writes).toHaveLength(length);
  },
);

test.each(['stock-mutations', 'packages', 'recipes', 'events'])(
  'of two plans for two addresses of one service, made before anything was sent, one is sent: %s',
  async (kind) => {
    const { service, file, other, planImport, applyPlan, own, there } = openTwice(kind);
    const { allRows, ...rest } = own;
    const planned = async (baseUrl: string) => (await planImport(file, { ...own, as: kind, baseUrl })).run;
    const [one, two] = [await planned(service.url), await planned(other)];
    expect(ends(await applyPlan(one, { ...rest, allRows }))).toEqual(['created']);
    const { length } = service.journal.writes;
    const second = (more: object = {}) => applyPlan(two, { ...rest, allRows, baseUrl: other, ...more });
    const again = await second();
    expect([ends(again), again.rows[0]?.message]).toEqual([['conflict'], expect.stringContaining(one)]);
    expect(ends(await there({ elsewhere: 'same' }))).toEqual(['unchanged']);
    expect(service.journal.writes).toHaveLength(length);
  },
);

test('a posting of a test service is posted to the real one, once, with --elsewhere other, also by a plan', async () => {
  const { service, file, other, here, there, planImport, applyPlan, own } = openTwice('stock-mutations');
  await here();
  const options = { ...own, as: 'stock-mutations', baseUrl: other, elsewhere: 'other' } as const;
  const { run } = await planImport(file, options);
  const { allRows, ...rest } = own;
  expect(ends(await applyPlan(run, { ...rest, allRows, baseUrl: other }))).toEqual(['created']);
  expect(ends(await there())).toEqual(['unchanged']);
  expect(service.mutations.size).toBe(2);
});

test.each([
  ['that the service keeps is found at another address, and asks nothing', 'kept', ['unchanged']],
  ['that the service does not keep is not made again there', 'never', ['conflict']],
] as const)('a record with a key %s', async (_, externalId, expected) => {
  const values = { externalId };
  const { service, here, there } = openTwice('packages', () => ({ ...pakket, ExternalID: 901 }), { values });
  await here();
  const { size } = service.packages;
  expect([ends(await there()), service.packages.size]).toEqual([expected, size]);
});

test('localhost and 127.0.0.1 are one service to the ledger', async () => {
  const { service, here, at } = openTwice('stock-mutations');
  await here();
  expect(ends(await at(service.url.replace('127.0.0.1', 'localhost'))())).toEqual(['unchanged']);
});
