import { expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { stockMutations } from '../../../src/resources/stock-mutations.ts';
import { openRows, writeRows } from '../../records/keyed-rows.ts';

const [NIGHT, MORNING, NOON] = ['02', '08', '12'].map((hour) => `2026-10-02 ${hour}:00:00`) as [
  string,
  string,
  string,
];
const REST = { MutatieCategorieID: 4901, MutatieReden: 'Week', WerknemerID: 12 };

/** A product with 10 in stock, and what is counted and used of it. */
async function shelf() {
  const { service, folder, options } = await openRows();
  const product = service.add.product();
  service.add.stock(product, 10);
  const more = { ...options, doubt: 0.2, retries: 0 };
  let made = 0;
  const fileOf = (cells: object) =>
    writeRows(`${folder}/${++made}.csv`, [{ ProductID: product, ...REST, ...cells }]);
  const counted = (amount: number, DatumTijd: string, column = 'GeteldRekeneenheid') =>
    fileOf({ [column]: amount, DatumTijd });
  const read = async (file: string, as: typeof stockCount | typeof stockMutations, how: object) => {
    const { run, rows } = await importWorkbook(file, { ...more, as, ...how });
    return { run, status: rows[0]?.status, message: rows[0]?.message ?? '' };
  };
  return {
    ...{ service, product, counted },
    options: { ...more, as: stockCount },
    count: (amount: number, DatumTijd = MORNING, { column = 'GeteldRekeneenheid', ...how } = {}) =>
      read(counted(amount, DatumTijd, column), stockCount, how),
    use: (amount: number, DatumTijd: string) =>
      read(fileOf({ AantalRekeneenheid: amount, DatumTijd }), stockMutations, {}),
    others: (amount: number) => service.other.useStock(product, amount),
    stock: () => service.stockTotal(product),
    refuse: () =>
      service.failNext(
        { kind: 'answer', when: 'before', status: 422, body: { message: 'Gesloten', errors: {} } },
        ({ method }) => method === 'PUT',
      ),
  };
}

type Shelf = Awaited<ReturnType<typeof shelf>>;

/** Ways in which a count of 9 of the 10 in stock comes to nothing. */
const REFUSALS: readonly [string, (shelf: Shelf) => Promise<string>][] = [
  [
    'the total moved between its plan and its sending',
    async ({ options: { as: _, ...applied }, counted, others }) => {
      const plan = await planImport(counted(9, MORNING), { ...applied, as: stockCount });
      await others(4);
      const { counts } = await applyPlan(plan, applied);
      expect(counts).toMatchObject({ conflict: 1 });
      return plan.run;
    },
  ],
  [
    'the service refused it',
    async ({ count, refuse, others }) => {
      refuse();
      const { run, status } = await count(9);
      expect(status).toBe('failed');
      await others(4);
      return run;
    },
  ],
];

it.each(REFUSALS)(
  'a count that came to nothing as %s is held against the total of then: after 4 more were used it posts no 4 back',
  async (_, refused) => {
    const opened = await shelf();
    const { count, stock } = opened;
    const run = await refused(opened);
    expect(await stock()).toBe(6);
    const again = await count(9);
    expect(again.status).toBe('conflict');
    expect(again.message).toMatch(
      new RegExp(
        `^run ${run} held this count \\(GeteldRekeneenheid 9\\) on .+ against a total of 10: the total is 6 now, counted 9, .+Count again, with a DatumTijd of its own, or --on-conflict mine posts up to what was counted$`,
      ),
    );
    // Nor corrected to another amount, nor in the other unit.
    expect(await count(8)).toMatchObject({ status: 'conflict' });
    expect(await count(7, MORNING, { column: 'GeteldProducteenheid' })).toMatchObject({
      status: 'conflict',
      message: expect.stringContaining('counted 7 (GeteldProducteenheid)'),
    });
    expect(await stock()).toBe(6);
  },
);

it.each<[string, object, string, number]>([
  ['mine posts up to what was counted', { onConflict: 'mine' }, 'created', 9],
  ['theirs leaves the total', { onConflict: 'theirs' }, 'unchanged', 6],
])('of a count whose total moved since it was refused, %s', async (_, how, status, left) => {
  const { count, refuse, others, stock } = await shelf();
  refuse();
  await count(9);
  await others(4);
  expect(await count(9, MORNING, how)).toMatchObject({ status });
  expect(await stock()).toBe(left);
});

it('a count that was refused is posted by the next import where nothing moved the total since', async () => {
  const { count, refuse, stock } = await shelf();
  refuse();
  await count(9);
  expect(await count(9)).toMatchObject({ status: 'created', message: 'total 10, counted 9: difference -1' });
  expect(await stock()).toBe(9);
});

it('what this program itself posted after the moment of a refused count moves no total of it', async () => {
  const { count, refuse, use, stock } = await shelf();
  refuse();
  await count(9);
  await use(-4, NOON);
  expect(await count(9)).toMatchObject({ status: 'created' });
  expect(await stock()).toBe(5);
});

it('what this program posted after all of before a refused count makes it a conflict', async () => {
  const { count, refuse, use, stock } = await shelf();
  refuse();
  await count(9);
  await use(-4, NIGHT);
  expect(await count(9)).toMatchObject({ status: 'conflict' });
  expect(await stock()).toBe(6);
});

it('a count of another moment is not held against what was refused', async () => {
  const { count, refuse, others, stock } = await shelf();
  refuse();
  await count(9);
  await others(4);
  expect(await count(5, NOON)).toMatchObject({ status: 'created' });
  expect(await stock()).toBe(5);
});

it('a count that was only planned is held against nothing', async () => {
  const { count, others, stock } = await shelf();
  await count(9, MORNING, { dryRun: true } as object);
  await others(4);
  expect(await count(5)).toMatchObject({ status: 'created' });
  expect(await stock()).toBe(5);
});

it('a refused count that the total equals by now needs nothing', async () => {
  const { count, refuse, others, stock } = await shelf();
  refuse();
  await count(9);
  await others(1);
  expect(await count(9)).toMatchObject({ status: 'unchanged' });
  expect(await stock()).toBe(9);
});
