import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openWorld } from '../../promises/world.ts';

type Step =
  /** A count of that moment, and what becomes of its row. */
  | readonly ['count', number, string, string, { readonly '#key'?: string; readonly onConflict?: 'mine' }?]
  /** A mutation of that moment. */
  | readonly ['use', number, string]
  /** Someone else's mutation. */
  | readonly ['others', number]
  /** The last run is taken back. */
  | readonly ['undo']
  /** The answer to the next posting is lost, though it was done. */
  | readonly ['lose'];

const [NIGHT, MORNING, NOON, EVENING] = ['00:00', '08:00', '12:00', '18:00'].map(
  (time) => `2026-10-01 ${time}`,
) as [string, string, string, string];

/** A product with 24 in stock. */
function shelf() {
  const world = openWorld();
  const { service, folder, machine, importWorkbook, undoRun } = world;
  const ProductID = service.add.product({ OmschrijvingIntern: 'Roggebloem' });
  service.add.stock(ProductID, 24);
  const options = machine();
  const rest = { WerknemerID: 12, MutatieCategorieID: 4901, MutatieReden: 'Telling' };
  let files = 0;
  let last = '';
  const play = async (file: string, more: object = {}) => {
    const done = await importWorkbook(file, { ...options, ...more });
    last = done.run;
    return done;
  };
  const row = async (sheet: string, cells: object) => {
    files += 1;
    const all = { ProductID, ...rest, ...cells };
    return makeWorkbook(join(folder, `${files}.xlsx`), { [sheet]: [Object.keys(all), Object.values(all)] });
  };
  const mutated = (AantalRekeneenheid: number, DatumTijd: string) =>
    row('Voorraadmutaties', { AantalRekeneenheid, DatumTijd });
  const counted = (GeteldRekeneenheid: number, DatumTijd: string, more: object = {}) =>
    row('Voorraadtelling', { GeteldRekeneenheid, DatumTijd, ...more });
  const undo = async (run: string) => {
    files += 1;
    const out = join(folder, `${files}.xlsx`);
    await undoRun(run, { ...serviceOnly(options), out });
    return await play(out);
  };
  return {
    ...world,
    undo,
    row,
    counted,
    mutated,
    play,
    stock: () => service.stockTotal(ProductID),
    others: (amount: number) => service.other.useStock(ProductID, -amount),
    async step(step: Step): Promise<string | undefined> {
      if (step[0] === 'others') return void (await service.other.useStock(ProductID, -step[1]));
      if (step[0] === 'lose')
        return void service.failNext({ kind: 'reset', when: 'after' }, ({ write }) => write);
      if (step[0] === 'undo') return void (await undo(last));
      if (step[0] === 'use') return void (await play(await mutated(step[1], step[2])));
      const [, amount, moment, , { onConflict, ...cells } = {}] = step;
      const { rows } = await play(await counted(amount, moment, cells), { onConflict });
      return rows[0]?.status;
    },
  };
}

test.each<readonly [string, readonly Step[], number]>([
  [
    'that equals the total is remembered, and posts nothing when its file comes again later',
    [
      ['count', 24, MORNING, 'unchanged'],
      ['others', -16],
      ['count', 24, MORNING, 'unchanged'],
    ],
    8,
  ],
  [
    'that is corrected posts the difference to what was counted, and no file of before posts anything',
    [
      ['count', 30, MORNING, 'created'],
      ['others', -5],
      ['count', 32, MORNING, 'created'],
      ['count', 30, MORNING, 'unchanged'],
      ['count', 32, MORNING, 'unchanged'],
    ],
    27,
  ],
  [
    'that equalled the total is corrected by the difference too',
    [
      ['count', 24, MORNING, 'unchanged'],
      ['others', -4],
      ['count', 23.5, MORNING, 'created'],
    ],
    19.5,
  ],
  [
    'goes back to what it was with a #key of its own',
    [
      ['count', 30, MORNING, 'created'],
      ['count', 32, MORNING, 'created'],
      ['count', 30, MORNING, 'created', { '#key': 'toch 30' }],
    ],
    30,
  ],
  [
    'posts nothing where a later one is known, unless that is said',
    [
      ['count', 20, EVENING, 'created'],
      ['count', 32, MORNING, 'conflict'],
      ['count', 25, NOON, 'conflict'],
      ['count', 21, EVENING, 'created'],
      ['count', 25, NOON, 'created', { onConflict: 'mine' }],
    ],
    25,
  ],
  [
    'leaves alone what was used after it',
    [
      ['use', -3, NIGHT],
      ['use', -5, NOON],
      ['count', 20, MORNING, 'created'],
    ],
    15,
  ],
  [
    'without a time is a conflict where something was used that day',
    [
      ['use', -5, NOON],
      ['count', 20, NIGHT, 'conflict'],
    ],
    19,
  ],
  [
    'is not moved by a mutation that was taken back',
    [['use', -5, NOON], ['undo'], ['count', 20, MORNING, 'created']],
    20,
  ],
  [
    'that was taken back is a fact no more',
    [
      ['count', 30, MORNING, 'created'],
      ['undo'],
      ['count', 30, MORNING, 'conflict'],
      ['count', 32, MORNING, 'created'],
    ],
    32,
  ],
  [
    'holds again when its correction is taken back',
    [
      ['count', 30, MORNING, 'created'],
      ['count', 33, MORNING, 'created'],
      ['undo'],
      ['count', 31, MORNING, 'created'],
    ],
    31,
  ],
  [
    'in doubt is corrected by nothing until it is settled',
    [['lose'], ['count', 30, MORNING, 'unknown'], ['count', 32, MORNING, 'conflict']],
    30,
  ],
  ['of days ahead is invalid', [['count', 30, '2031-01-01 08:00', 'invalid']], 24],
])('a count %s', async (_, steps, stock) => {
  const own = shelf();
  const came: unknown[] = [];
  for (const step of steps) came.push(await own.step(step));
  expect(came).toEqual(steps.map((step) => (step[0] === 'count' ? step[3] : undefined)));
  expect(own.stock()).toBe(stock);
});

test('another ledger learns from a result what was told, also where nothing was posted', async () => {
  const { folder, machine, counted, play, step, stock, importWorkbook } = shelf();
  const out = join(folder, 'r.xlsx');
  await play(await counted(24, MORNING), { out });
  await step(['others', -16]);
  const { counts } = await importWorkbook(out, { ...machine(), out: join(folder, 'r2.xlsx') });
  expect([counts.unchanged, stock()]).toEqual([1, 8]);
});

test('a mutation that another ledger posted counts by its moment, once its result was imported', async () => {
  const { service, folder, machine, counted, play, stock, importWorkbook, mutated } = shelf();
  const out = join(folder, 'r.xlsx');
  const { counts } = await play(await mutated(-5, NOON), { out });
  expect([counts.created, stock()]).toEqual([1, 19]);
  const there = { ...machine(), out: join(folder, 'r2.xlsx') };
  await importWorkbook(out, there);
  await importWorkbook(await counted(20, MORNING), { ...there, out: join(folder, 'r3.xlsx') });
  expect(stock()).toBe(15);
  expect(service.mutations.size).toBe(2);
});

test('a mutation is taken back as of its own moment', async () => {
  const { counted, play, stock, step } = shelf();
  await step(['use', -5, NIGHT]);
  await step(['undo']);
  await play(await counted(20, NOON));
  expect(stock()).toBe(20);
});

test('the undo of a mutation that a later count may hold is a conflict, until the count is taken back', async () => {
  const { counted, mutated, play, stock, undo } = shelf();
  const { run } = await play(await mutated(-5, NIGHT));
  const { run: count } = await play(await counted(20, NOON));
  const undone = await undo(run);
  expect(undone.rows[0]).toMatchObject({ status: 'conflict', message: expect.stringContaining(count) });
  expect(stock()).toBe(20);
  await undo(count);
  expect((await undo(run)).counts).toMatchObject({ created: 1 });
  expect(stock()).toBe(24);
});

test('an undo that was posted is the same of another moment and reason, and a conflict with another amount', async () => {
  const { mutated, play, row, stock } = shelf();
  const { run } = await play(await mutated(-5, NIGHT));
  const back = (AantalRekeneenheid: number, DatumTijd: string, MutatieReden: string) =>
    row('Voorraadmutaties', {
      ...{
        '#key': `undo ${run} Voorraadmutaties!2 ${NIGHT}:00`,
        AantalRekeneenheid,
        DatumTijd,
        MutatieReden,
      },
    });
  const statuses: (string | undefined)[] = [];
  for (const file of [
    await back(5, NOON, 'Undone'),
    await back(5, EVENING, 'Ongedaan'),
    await back(3, NOON, 'Undone'),
  ])
    statuses.push((await play(file, { allRows: true })).rows[0]?.status);
  expect([statuses, stock()]).toEqual([['created', 'unchanged', 'conflict'], 24]);
});
