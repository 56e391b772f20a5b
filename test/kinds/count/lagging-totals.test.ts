import { afterEach, describe, expect, it, vi } from 'vitest';
import { importWorkbook, undoRun } from '../../../src/index.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { stockMutations } from '../../../src/resources/stock-mutations.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openRows, writeRows } from '../../records/keyed-rows.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';

const [EARLIER, MORNING, NOON] = ['07', '08', '12'].map((hour) => `2026-10-02 ${hour}:00:00`) as [
  string,
  string,
  string,
];
const LAGGING: KnobChanges = { speed: { lagMs: 250, detailLags: true } };

afterEach(() => {
  vi.useRealTimers();
});

/** A product with 24 in stock, of which reads show what was posted only after a while. */
async function shelf(knobs: KnobChanges = LAGGING) {
  const { service, folder, options } = await openRows(knobs);
  const product = service.add.product();
  service.add.stock(product, 24);
  let made = 0;
  const send = async (as: typeof stockCount | typeof stockMutations, cells: object, more: object) => {
    const rest = { MutatieCategorieID: 4901, MutatieReden: 'Week', WerknemerID: 12 };
    const file = writeRows(`${folder}/${++made}.csv`, [{ ProductID: product, ...rest, ...cells }]);
    const { run, rows } = await importWorkbook(file, { ...options, doubt: 3, as, ...more });
    return { run, file, status: rows[0]?.status, message: rows[0]?.message ?? '' };
  };
  return {
    ...{ service, folder, options, product },
    use: (
      amount: number,
      DatumTijd = EARLIER,
      { boxes = '', ...more }: { boxes?: string | number; retries?: number } = {},
    ) => send(stockMutations, { AantalRekeneenheid: amount, AantalProducteenheid: boxes, DatumTijd }, more),
    count: (amount: number, DatumTijd = MORNING, more = {}) =>
      send(stockCount, { GeteldRekeneenheid: amount, DatumTijd }, more),
    stock: () => service.stockTotal(product),
    reads: () => service.journal.requests.filter(({ endpoint }) => endpoint === 'stock.currentTotal').length,
    /** What the next read of the total answers. */
    shows: (Aantal: number) =>
      service.failNext(
        {
          ...{ kind: 'answer', when: 'before', status: 200 },
          body: { total: [{ Aantal, AantalProductEenheid: Aantal, RekenEenheid: 'l' }], success: true },
        },
        ({ endpoint }) => endpoint === 'stock.currentTotal',
      ),
  };
}

describe('a count right after an own posting that totals do not show yet posts no difference twice', () => {
  it('of a mutation that an earlier run posted', async () => {
    const { use, count, stock } = await shelf();
    await use(-2);
    expect(await count(22)).toMatchObject({ status: 'unchanged' });
    expect(await stock()).toBe(22);
  });

  it('and says no more that it equals a total that is not shown yet', async () => {
    const { use, count, stock } = await shelf();
    await use(-2);
    expect(await count(24)).toMatchObject({
      ...{ status: 'created', message: 'total 22, counted 24: difference +2' },
    });
    expect(await stock()).toBe(24);
  });

  it('of a mutation in the same workbook', async () => {
    const { service, folder, options, product } = await shelf();
    const rest = [12, 4901, 'Week'];
    const header = ['ProductID', 'WerknemerID', 'MutatieCategorieID', 'MutatieReden', 'DatumTijd'];
    const file = await makeWorkbook(`${folder}/samen.xlsx`, {
      Voorraadmutaties: [
        [...header, 'AantalRekeneenheid'],
        [product, ...rest, EARLIER, -2],
        [product, ...rest, EARLIER, -3],
      ],
      Voorraadtelling: [
        [...header, 'GeteldRekeneenheid'],
        [product, ...rest, MORNING, 18],
      ],
    });
    const { counts } = await importWorkbook(file, { ...options, doubt: 3 });
    expect(counts).toMatchObject({ created: 3 });
    expect(service.stockTotal(product)).toBe(18);
  });

  it('of another count, and of the correction of one', async () => {
    const { count, stock } = await shelf();
    await count(20, EARLIER);
    await count(21, EARLIER);
    expect(await count(21, MORNING)).toMatchObject({ status: 'unchanged' });
    expect(await count(19, NOON)).toMatchObject({ status: 'created' });
    expect(await stock()).toBe(19);
  });

  it('of the undo of a mutation', async () => {
    const { service, folder, options, use, count, stock } = await shelf({});
    const { run } = await use(-2);
    service.set(LAGGING);
    const { file } = await undoRun(run, { ...serviceOnly(options), out: `${folder}/terug.xlsx` });
    await importWorkbook(file, { ...options, doubt: 3 });
    expect(await count(24)).toMatchObject({ status: 'unchanged' });
    expect(await stock()).toBe(24);
  });

  it('of two mutations, where the total shows one of them alone', async () => {
    const { use, count, shows, stock } = await shelf({});
    await use(-2);
    await use(-3);
    shows(22);
    expect(await count(19)).toMatchObject({ status: 'unchanged' });
    expect(await stock()).toBe(19);
  });

  it('of a mutation in both units, of which nobody can tell the sum', async () => {
    const { use, count, shows, stock } = await shelf({});
    await use(-2, EARLIER, { boxes: -1 });
    shows(24);
    expect(await count(22)).toMatchObject({ status: 'unchanged' });
    expect(await stock()).toBe(22);
  });

  it('where the run that posted last read a total that was late itself', async () => {
    const { use, count, shows, stock } = await shelf({});
    await use(-2);
    shows(24);
    await use(-3);
    shows(22);
    expect(await count(19)).toMatchObject({ status: 'unchanged' });
    expect(await stock()).toBe(19);
  });

  it('where the total goes back to what it was between the plan and the sending', async () => {
    const { service, product, use, count, reads } = await shelf({});
    await use(-2);
    const planned = reads() + 1;
    service.set({
      failures: {
        choose: ({ endpoint }) =>
          endpoint === 'stock.currentTotal' && reads() === planned + 1
            ? {
                ...{ kind: 'answer', when: 'before', status: 200 },
                body: { total: [{ Aantal: 24, RekenEenheid: 'l' }], success: true },
              }
            : undefined,
      },
    });
    expect(await count(20)).toMatchObject({ status: 'created' });
    expect(service.stockTotal(product)).toBe(20);
  });
});

it('a total that does not show an own posting in all the doubt time is a conflict with the numbers, and its count is held against what the total was to be', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const { service, use, count, stock, options } = await shelf({
    speed: { lagMs: 60_000, detailLags: true },
  });
  const { run } = await use(-2);
  const first = await count(20, MORNING, { doubt: 0.2 });
  expect(first).toMatchObject({
    ...{ status: 'conflict', message: expect.stringMatching(/^the total is 24, .+ would be 22, so/) },
  });
  expect(first.message).toContain(`in run ${run}`);
  expect(await stock()).toBe(22);
  vi.setSystemTime(Date.now() + 120_000);
  const again = () => importWorkbook(first.file, { ...options, doubt: 0.2, as: stockCount, dryRun: true });
  expect((await again()).rows[0]).toMatchObject({
    status: 'conflict',
    message: expect.stringContaining('against a total of 22: the total is 24 now, counted 20'),
  });
  service.set({ speed: { lagMs: 0 } });
  expect((await again()).rows[0]).toMatchObject({ message: 'total 22, counted 20: difference -2' });
});

it('a total that lacks an own posting which is not the last one is taken as it is', async () => {
  const { use, count, shows, stock } = await shelf({});
  await use(-2);
  await use(-3);
  // Somebody else brought 2 back.
  shows(21);
  expect(await count(19, MORNING, { dryRun: true })).toMatchObject({
    message: 'total 21, counted 19: difference -2',
  });
  expect(await stock()).toBe(19);
});

it('a count waits for a mutation without an answer that may still arrive', async () => {
  const { service, use, count, stock } = await shelf({});
  service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 250 }, ({ method }) => method === 'PUT');
  expect(await use(-2, EARLIER, { retries: 0 })).toMatchObject({ status: 'unknown' });
  expect(await count(22)).toMatchObject({ status: 'unchanged' });
  await service.settled();
  expect(await stock()).toBe(22);
});

it('a count asks no more where nothing was posted of late, or where the total shows it', async () => {
  const { use, count, reads } = await shelf({});
  const asked = async (work: () => Promise<unknown>): Promise<number> => {
    const before = reads();
    await work();
    return reads() - before;
  };
  expect(await asked(() => count(20, EARLIER))).toBe(2);
  await use(-2, MORNING);
  expect(await asked(() => count(18, MORNING))).toBe(1);
  expect(await asked(() => count(17, NOON))).toBe(2);
});
