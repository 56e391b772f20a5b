import { afterEach, expect, it, vi } from 'vitest';
import { applyPlan, importWorkbook, planImport, undoRun } from '../../../src/index.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { stockMutations } from '../../../src/resources/stock-mutations.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openRows, writeRows } from '../../records/keyed-rows.ts';

const [DAY, EARLY, MORNING, NOON] = ['', ' 07:00:00', ' 08:00:00', ' 12:00:00'].map(
  (time) => `2026-10-02${time}`,
) as [string, string, string, string];

/** A moment of that day, as people read it. */
const shown = (moment: string): string =>
  moment.replace(/^2026-10-02( \d\d:\d\d):00$|^2026-10-02$/, '2 Oct 2026$1');

afterEach(() => {
  vi.useRealTimers();
});

/** A product with 24 in stock, which is counted and used. */
async function shelf() {
  const { service, folder, options } = await openRows();
  const product = service.add.product();
  service.add.stock(product, 24);
  let made = 0;
  const write = (cells: object) => {
    const rest = { MutatieCategorieID: 4901, MutatieReden: 'Week', WerknemerID: 12 };
    return writeRows(`${folder}/${++made}.csv`, [{ ProductID: product, ...rest, ...cells }]);
  };
  const send = async (file: string, as: typeof stockCount | typeof stockMutations, more: object) => {
    const { run, rows } = await importWorkbook(file, { ...options, as, ...more });
    return { run, status: rows[0]?.status, message: rows[0]?.message ?? '' };
  };
  const used = (amount: number, DatumTijd: string) => write({ AantalRekeneenheid: amount, DatumTijd });
  return {
    ...{ service, folder, options, used },
    use: (amount: number, DatumTijd: string, more = {}) =>
      send(used(amount, DatumTijd), stockMutations, more),
    count: (amount: number, DatumTijd: string) =>
      send(write({ GeteldRekeneenheid: amount, DatumTijd }), stockCount, {}),
    stock: () => service.stockTotal(product),
  };
}

it('a mutation of before a known count is a conflict that names the count, and moves no stock', async () => {
  const { use, count, stock } = await shelf();
  const { run } = await count(20, MORNING);
  const late = await use(-2, EARLY);
  expect(late).toMatchObject({
    ...{
      status: 'conflict',
      message: expect.stringContaining(`20 was counted on ${shown(MORNING)} (run ${run})`),
    },
  });
  expect(await use(-2, MORNING)).toMatchObject({ status: 'conflict' });
  expect(stock()).toBe(20);
  expect(await use(-2, NOON)).toMatchObject({ status: 'created' });
  expect(stock()).toBe(18);
});

it('a count that equalled the total holds a mutation of before it too', async () => {
  const { use, count, stock } = await shelf();
  await count(24, MORNING);
  expect(await use(-2, EARLY)).toMatchObject({ status: 'conflict' });
  expect(stock()).toBe(24);
});

it('a mutation on the day of a count without a time may be in it, and is a conflict', async () => {
  const { use, count } = await shelf();
  await count(20, DAY);
  expect(await use(-2, NOON)).toMatchObject({ status: 'conflict' });
  expect(await use(-2, '2026-10-03 00:00:00')).toMatchObject({ status: 'created' });
});

it.each([
  [
    'a mutation without a time',
    MORNING,
    DAY,
    `DatumTijd (F2) is ${shown(DAY)} without a time`,
    `on ${shown(MORNING)}`,
    true,
  ],
  [
    'a count without a time',
    DAY,
    NOON,
    `DatumTijd (F2) is ${shown(NOON)}`,
    `on ${shown(DAY)} without a time`,
    false,
  ],
  [
    'both without a time',
    DAY,
    DAY,
    `DatumTijd (F2) is ${shown(DAY)} without a time`,
    `on ${shown(DAY)} without`,
    false,
  ],
  ['both at one moment', NOON, NOON, `DatumTijd (F2) is ${shown(NOON)}`, `on ${shown(NOON)}`, true],
])(
  'a mutation and a count of one day of which nothing tells which came first are named with the ways out: %s',
  async (_, counted, used, own, other, byTime) => {
    const { use, count, stock } = await shelf();
    const { run } = await count(20, counted);
    const { status, message } = await use(-2, used);
    expect(status).toBe('conflict');
    expect(message).toContain(`${own}, and GeteldRekeneenheid 20 was counted ${other}`);
    expect(message).toContain(`(run ${run}): which came first can't be told`);
    expect(message).toContain('--on-conflict mine posts the mutation');
    expect(message.includes('write the time in DatumTijd (F2)')).toBe(byTime);
    expect(message).not.toContain('so a mutation of before that');
    expect(stock()).toBe(20);
    expect(
      await use(-2, byTime ? `${DAY} 13:00:00` : used, byTime ? {} : { onConflict: 'mine' }),
    ).toMatchObject({
      status: 'created',
    });
    expect(stock()).toBe(18);
  },
);

it('a mutation of before a known count is posted with --on-conflict mine, and left out with theirs', async () => {
  const { use, count, stock } = await shelf();
  await count(20, MORNING);
  expect(await use(-2, EARLY, { onConflict: 'theirs' })).toMatchObject({ status: 'unchanged' });
  expect(stock()).toBe(20);
  expect(await use(-2, EARLY, { onConflict: 'mine' })).toMatchObject({ status: 'created' });
  expect(stock()).toBe(18);
  // It is posted by now, whatever was counted.
  expect(await use(-2, EARLY)).toMatchObject({ status: 'unchanged' });
});

it('a count that was taken back holds no mutation', async () => {
  const { folder, options, use, count, stock } = await shelf();
  const { run } = await count(20, MORNING);
  const { file } = await undoRun(run, { ...serviceOnly(options), out: `${folder}/terug.xlsx` });
  await importWorkbook(file, options);
  expect(await use(-2, EARLY)).toMatchObject({ status: 'created' });
  expect(stock()).toBe(22);
});

it('a mutation that was planned before the count was told is a conflict when it is sent', async () => {
  const { options, used, count, stock } = await shelf();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const plan = await planImport(used(-2, EARLY), { ...options, as: stockMutations });
  vi.setSystemTime(Date.now() + 60_000);
  await count(20, MORNING);
  const { counts } = await applyPlan(plan, options);
  expect(counts).toMatchObject({ conflict: 1, created: 0 });
  expect(stock()).toBe(20);
});

it('a mutation in doubt that the user sends again after a count is a conflict: the count tells what came of it', async () => {
  const { service, options, use, count, stock } = await shelf();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  service.failNext({ kind: 'reset', when: 'before' }, ({ method }) => method === 'PUT');
  const { run, status } = await use(-2, EARLY, { retries: 0 });
  expect(status).toBe('unknown');
  vi.setSystemTime(Date.now() + 4 * 3_600_000);
  expect(await count(22, MORNING)).toMatchObject({ status: 'created' });
  const { counts } = await applyPlan(run, { ...options, resend: ['2'] });
  expect(counts).toMatchObject({ conflict: 1, created: 0 });
  expect(stock()).toBe(22);
});

it('a product that the count names by its ExternalID is known to a mutation that names its id, and the other way', async () => {
  const { service, folder, options } = await openRows();
  const rest = { MutatieCategorieID: 4901, MutatieReden: 'Week', WerknemerID: 12 };
  const products = [8801, 8802].map((ExternalID) => {
    const ProductID = service.add.recipe({ ExternalID });
    service.add.stock(ProductID, 24);
    return { byId: { ProductID }, byKey: { 'Product.ExternalID': ExternalID } };
  });
  const [one, other] = products;
  const counted = writeRows(`${folder}/t.csv`, [
    { ...rest, ...one?.byKey, GeteldRekeneenheid: 20, DatumTijd: MORNING },
  ]);
  const countedById = writeRows(`${folder}/u.csv`, [
    { ...rest, ...other?.byId, GeteldRekeneenheid: 20, DatumTijd: MORNING },
  ]);
  for (const file of [counted, countedById])
    expect((await importWorkbook(file, { ...options, as: stockCount })).counts).toMatchObject({ created: 1 });
  const used = { ...rest, AantalRekeneenheid: -2, DatumTijd: EARLY };
  const usedById = writeRows(`${folder}/v.csv`, [{ ...used, ...one?.byId }]);
  const usedByKey = writeRows(`${folder}/w.csv`, [{ ...used, ...other?.byKey }]);
  for (const file of [usedById, usedByKey])
    expect((await importWorkbook(file, { ...options, as: stockMutations })).counts).toMatchObject({
      conflict: 1,
    });
});
