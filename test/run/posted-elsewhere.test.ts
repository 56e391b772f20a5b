import { expect, it, test } from 'vitest';
import { applyPlan, type ImportDocument, importWorkbook, planImport, sendOrders } from '../../src/index.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { stockMutations } from '../../src/resources/stock-mutations.ts';
import { otherAddress } from '../helpers/other-address.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { type Cells, openRows, rowsOf, writeRows } from '../records/keyed-rows.ts';

const mutation = (product: number): Cells => ({
  ...{ ProductID: product, WerknemerID: 12, DatumTijd: '2026-10-01 08:00:00', AantalRekeneenheid: -2 },
  ...{ MutatieCategorieID: 4901, MutatieReden: 'Bederf' },
});

async function open(knobs: Parameters<typeof openRows>[0] = {}) {
  const { service, folder, options } = await openRows(knobs);
  const product = service.add.product();
  service.add.stock(product, 24);
  const file = writeRows(`${folder}/v.csv`, [mutation(product)]);
  const other = { ...options, baseUrl: await otherAddress(service.url) };
  return { service, folder, product, file, options: { ...options, as: stockMutations }, other };
}

const messageOf = ({ rows: [row] }: Pick<ImportDocument, 'rows'>): string => String(row?.message);

test('what was posted is not posted again at another address of the service before the user says what it is', async () => {
  const { service, file, options, other } = await open();
  const { run } = await importWorkbook(file, options);
  const again = await importWorkbook(file, { ...other, as: stockMutations });
  expect(again.counts).toMatchObject({ created: 0, conflict: 1 });
  for (const part of [service.url, run, '--elsewhere same', '--elsewhere other'])
    expect(messageOf(again)).toContain(part);
  expect(service.mutations.size).toBe(1);
});

test('--elsewhere same takes what was posted at another address for posted, also later', async () => {
  const { service, file, other, options } = await open();
  const { run } = await importWorkbook(file, options);
  const same = { ...other, as: stockMutations, allRows: true } as const;
  const first = await importWorkbook(file, { ...same, elsewhere: 'same' });
  expect(first.counts).toMatchObject({ unchanged: 1 });
  expect(messageOf(first)).toContain(run);
  expect((await importWorkbook(file, same)).counts).toMatchObject({ unchanged: 1 });
  expect(service.mutations.size).toBe(1);
});

test('--elsewhere other posts a file of a test service to the real one, once', async () => {
  const { file, options, product } = await open();
  const real = await openRows();
  for (let id = 0; id !== product; ) id = real.service.add.product();
  await importWorkbook(file, options);
  const there = { ...real.options, as: stockMutations, ledger: options.ledger };
  expect((await importWorkbook(file, there)).counts).toMatchObject({ conflict: 1 });
  expect((await importWorkbook(file, { ...there, elsewhere: 'other' })).counts).toMatchObject({ created: 1 });
  expect((await importWorkbook(file, there)).counts).toMatchObject({ unchanged: 1 });
  expect(real.service.mutations.size).toBe(1);
});

test('a plan that was made with --elsewhere other is sent as it was shown', async () => {
  const { service, file, options, other } = await open();
  await importWorkbook(file, options);
  const plan = await planImport(file, { ...other, as: stockMutations, elsewhere: 'other' });
  const { allowDelete: _, ...rest } = { ...other, allowDelete: false };
  expect((await applyPlan(plan, rest)).counts).toMatchObject({ created: 1 });
  expect(service.mutations.size).toBe(2);
});

const COPY = { '#action': 'create' };

test.each([
  [
    'stock mutations',
    { as: stockMutations, rows: (product: number) => [mutation(product), mutation(product)] },
  ],
  ['packages without a key', { as: packages, rows: () => [{ ...COPY, ...rowsOf.packages(1) }] }],
  ['recipes without a key', { as: recipes, rows: () => [{ ...COPY, ...rowsOf.recipes(1) }] }],
  ['events without a key', { as: events, rows: () => [{ ...COPY, ...rowsOf.events(1) }] }],
])(
  'of two plans for two addresses of one service, made before anything was sent, one is sent: %s',
  async (_, kind) => {
    const { service, folder, product, options, other } = await open();
    const file = writeRows(`${folder}/twee.csv`, kind.rows(product));
    const second = serviceOnly(other);
    const first = { ...second, baseUrl: options.baseUrl };
    const one = await planImport(file, { ...first, as: kind.as });
    const two = await planImport(file, { ...second, as: kind.as });
    expect(two.counts).toMatchObject({ created: one.counts.created });
    expect((await applyPlan(one.run, first)).counts).toMatchObject({ created: one.counts.created });
    const writes = service.journal.writes.length;
    const again = await applyPlan(two.run, second);
    expect(again.counts).toMatchObject({ created: 0, conflict: one.counts.created, notSent: 0 });
    for (const part of [service.url, one.run, '--elsewhere same', '--elsewhere other'])
      expect(messageOf(again)).toContain(part);
    expect(service.journal.writes).toHaveLength(writes);
    const three = await importWorkbook(file, { ...second, as: kind.as, elsewhere: 'same' });
    expect(three.counts).toMatchObject({ created: 0, conflict: 0, unchanged: one.counts.created });
  },
);

test('what was posted at another address since the plan is taken as the user says when the plan is sent', async () => {
  const { service, file, options, other } = await open();
  const second = serviceOnly(other);
  const same = await planImport(file, { ...second, as: stockMutations });
  const { run } = await importWorkbook(file, options);
  const taken = await applyPlan(same.run, { ...second, elsewhere: 'same', allRows: true });
  expect(taken.counts).toMatchObject({ created: 0, unchanged: 1 });
  expect(messageOf(taken)).toContain(run);
  expect(service.mutations.size).toBe(1);
});

test('a record with a key that the service keeps is found there by a plan for another address, and not doubled', async () => {
  const { service, folder, options, other } = await open();
  const file = writeRows(`${folder}/p.csv`, [{ ExternalID: 901, ...rowsOf.packages(1) }]);
  const { run } = await planImport(file, { ...serviceOnly(other), as: packages });
  await importWorkbook(file, { ...options, as: packages });
  const made = service.packages.size;
  expect((await applyPlan(run, serviceOnly(other))).counts).toMatchObject({ created: 0, failed: 0 });
  expect(service.packages.size).toBe(made);
});

test('a count that was posted at another address is not posted again, though stock moved since', async () => {
  const { service, folder, product, options, other } = await open();
  const { AantalRekeneenheid: _, ...rest } = mutation(product);
  const file = writeRows(`${folder}/c.csv`, [{ ...rest, GeteldRekeneenheid: 20 }]);
  const { run } = await importWorkbook(file, { ...options, as: stockCount });
  service.other.change('stock', product, { Aantal: 15 });
  const again = await importWorkbook(file, { ...other, as: stockCount });
  expect(again.counts).toMatchObject({ created: 0, conflict: 1 });
  expect(messageOf(again)).toContain(run);
});

it.each([
  ['without a key', {}, {}],
  ['with a key that the service does not keep', { ExternalID: 901 }, { externalId: 'never' }],
] as const)('a record %s is not created again at another address', async (_, key, values) => {
  const { service, folder, options, other } = await open({ values });
  const file = writeRows(`${folder}/p.csv`, [{ '#action': 'create', ...key, ...rowsOf.packages(1) }]);
  await importWorkbook(file, { ...options, as: packages });
  const made = service.packages.size;
  const again = await importWorkbook(file, { ...other, as: packages });
  expect(again.counts).toMatchObject({ created: 0, conflict: 1 });
  const same = await importWorkbook(file, { ...other, as: packages, elsewhere: 'same' });
  expect(same.counts).toMatchObject({ created: 0, conflict: 0, failed: 0 });
  expect(service.packages.size).toBe(made);
});

test('a record with a key that the service keeps is found at another address, and asks nothing', async () => {
  const { folder, options, other } = await open();
  const file = writeRows(`${folder}/p.csv`, [{ ExternalID: 901, ...rowsOf.packages(1) }]);
  await importWorkbook(file, { ...options, as: packages });
  const again = await importWorkbook(file, { ...other, as: packages });
  expect(again.counts).toMatchObject({ unchanged: 1, conflict: 0 });
});

test('an order that was sent is not sent again by another address of the service', async () => {
  const { service, options, other } = await open();
  const { ledger, token } = options;
  await sendOrders([7], { baseUrl: service.url, ledger, token });
  const again = await sendOrders([7], { baseUrl: other.baseUrl, ledger, token });
  expect(again.calls).toMatchObject([{ id: '7', status: 'failed' }]);
  expect(JSON.stringify(again.calls)).toContain(service.url);
  const there = await sendOrders([7], { baseUrl: other.baseUrl, ledger, token, elsewhere: 'other' });
  expect(there.calls).toMatchObject([{ id: '7', status: 'done' }]);
});

test('localhost and 127.0.0.1 are one service to the ledger', async () => {
  const { service, file, options } = await open();
  await importWorkbook(file, options);
  const named = { ...options, baseUrl: service.url.replace('127.0.0.1', 'localhost'), allRows: true };
  const again = await importWorkbook(file, named);
  expect(again.counts).toMatchObject({ unchanged: 1 });
  expect(service.mutations.size).toBe(1);
});
