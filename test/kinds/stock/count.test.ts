import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { ends, type Row } from '../open-kind.ts';
import { MORNING, NIGHT, NOON, openShelf } from './shelf.ts';

const REFUSED = { kind: 'answer', when: 'before', status: 422, body: { message: 'Gesloten' } } as const;
const LAGGING = { speed: { lagMs: 10_000, detailLags: true } };

test('a count posts the exact difference to the total of its moment, and says all three', async () => {
  const { send, counted, products, service, stock } = openShelf({}, [0.1, 24, 24]);
  const [, two = 0, three = 0] = products;
  const boxes = { ProductID: two, GeteldProducteenheid: 2 };
  const { rows } = await send([
    counted('0,3'),
    counted(null, MORNING, boxes),
    counted(24, MORNING, { ProductID: three }),
  ]);
  expect(rows.map(({ status }) => status)).toEqual(['created', 'created', 'unchanged']);
  expect(rows[0]?.message).toBe('0.1 stuk, counted 0.3 stuk: +0.2 stuk');
  expect(service.mutations.all()).toMatchObject([{ AantalRekeneenheid: 0.2 }, { ProductID: two }]);
  expect(service.mutations.all()[1]?.AantalRekeneenheid ?? null).toBeNull();
  expect(stock()).toBeCloseTo(0.3, 9);
});

test('a count that was posted is not posted again once stock has moved on, and says in which run it was', async () => {
  const { count, service, product, stock } = openShelf();
  const { run } = await count(50);
  service.other.useStock(product, 8);
  const again = await count(50);
  expect([again.status, again.message]).toEqual(['unchanged', expect.stringContaining(run)]);
  expect(stock()).toBe(42);
});

test('a count that another run posted since the plan was sent already, and is no difference to what it was planned on', async () => {
  const { plan, apply, counted, count, stock, time } = openShelf();
  const { run } = await plan([counted(50)]);
  await time.sleep(5000);
  const since = await count(50);
  const { rows } = await apply(run);
  expect(rows).toMatchObject([
    { status: 'unchanged', message: expect.stringContaining(`sent already, in run ${since.run}`) },
  ]);
  expect(stock()).toBe(50);
});

test('a count waits for the mutations of its file, leaves alone what took place after it, and begins at 0 for a product of the file', async () => {
  const { importWorkbook, own, folder, service, counted, used, stock } = openShelf();
  const sheetOf = (rows: readonly Row[]) => [
    Object.keys(rows[0] ?? {}),
    ...rows.map((row) => Object.values(row)),
  ];
  const made = { 'Product.ExternalID': 620_001, ...counted('12,5') };
  const recipe = { ExternalID: 620_001, OmschrijvingIntern: 'Erwtensoep', ProductCategorieID: 11 };
  const file = await makeWorkbook(`${folder}/week.xlsx`, {
    Voorraadtelling: sheetOf([
      { 'Product.ExternalID': null, ...counted(31) },
      { ...made, ProductID: null },
    ]),
    Voorraadmutaties: sheetOf([used(5), used(5, '2026-10-02 03:00:00'), used(-3, NOON)]),
    Recepten: sheetOf([{ ...recipe, ProductEenheidWaardeID: 501, Gewicht: 0.5, OPK: 4 }]),
  });
  const { rows } = await importWorkbook(file, own);
  expect(rows.map(({ status }) => status)).toEqual(Array(6).fill('created'));
  const counts = rows.filter(({ sheet }) => sheet === 'Voorraadtelling');
  expect(counts.map(({ message }) => message)).toEqual([
    '34 stuk, counted 31 stuk: -3 stuk',
    '0, counted 12.5: +12.5',
  ]);
  expect(stock()).toBe(28);
  expect(service.stockTotal(Number(service.recipes.where({ ExternalID: 620_001 })[0]?.ProductID))).toBe(12.5);
});

test('a wrong row of a count says what is wrong on its cell, and a product that was not counted is skipped', async () => {
  const { send, counted, products } = openShelf({}, [24, 24, 24, 24, 24, 24]);
  const [one, two, three, four, five] = products.map((ProductID) => ({ ProductID }));
  const done = await send([
    counted(5, MORNING, { ...one, GeteldProducteenheid: 5 }),
    counted(-1, MORNING, two),
    counted(5, MORNING, { ProductID: 999_999 }),
    counted(5, MORNING, { ProductID: null }),
    counted('-', MORNING, three),
    counted(null, MORNING, { ...four, '#action': 'create' }),
    counted(null, MORNING, five),
    counted('veel', MORNING, { ...five, '#action': 'skip' }),
  ]);
  expect(ends(done)).toEqual([
    'invalid GeteldProducteenheid amount-twice',
    'invalid GeteldRekeneenheid amount-not-countable',
    'invalid ProductID record-missing',
    'invalid ProductID key-missing',
    'invalid GeteldRekeneenheid number-expected',
    'invalid GeteldRekeneenheid amount-missing',
    'skipped',
    'skipped',
  ]);
});

describe('a total that moved since a count was planned or refused makes it a conflict that names both totals', () => {
  test.each([
    ['planned', 'theirs', 'unchanged', 6],
    ['refused', 'mine', 'created', 9],
  ] as const)('%s, where %s settles it', async (before, onConflict, status, left) => {
    const { service, plan, apply, counted, count, product, stock } = openShelf({}, [10]);
    if (before === 'refused') {
      service.failNext(REFUSED);
      expect(await count(9)).toMatchObject({ status: 'failed' });
      service.other.useStock(product, 4);
    } else {
      const { run } = await plan([counted(9)]);
      service.other.useStock(product, 4);
      expect((await apply(run)).rows[0]).toMatchObject({
        status: 'conflict',
        message: expect.stringContaining(
          'according to the plan the total would be 10 stuk: it is 6 stuk now, counted 9 stuk',
        ),
      });
    }
    expect(await count(9)).toMatchObject({
      status: 'conflict',
      message: expect.stringMatching(
        /^according to run .+ the total would be 10 stuk: it is 6 stuk now, counted 9 stuk/,
      ),
    });
    expect(stock()).toBe(6);
    expect(await count(9, MORNING, { onConflict })).toMatchObject({ status });
    expect(stock()).toBe(left);
  });

  test('but not what this program posted after its moment itself', async () => {
    const { service, count, use, stock } = openShelf({}, [10]);
    service.failNext(REFUSED);
    await count(9);
    await use(-4, NOON);
    expect(await count(9)).toMatchObject({ status: 'created' });
    expect(stock()).toBe(5);
  });
});

describe('a count right after an own posting that totals do not show yet posts no difference twice', () => {
  test.each<[string, (shelf: ReturnType<typeof openShelf>) => Promise<unknown>, number]>([
    ['of a mutation', ({ use }) => use(-2), 22],
    ['of another count', ({ count }) => count(20, NIGHT), 20],
    [
      'of the undo of a mutation',
      async ({ use, undoRun, importWorkbook, own, folder, time }) => {
        const { run } = await use(-2);
        await time.sleep(20_000);
        const out = `${folder}/terug.xlsx`;
        await undoRun(run, { ...serviceOnly(own), ledger: own.ledger, out });
        await importWorkbook(out, own);
      },
      24,
    ],
  ])('%s', async (_, posted, total) => {
    const shelf = openShelf(LAGGING);
    await posted(shelf);
    expect(await shelf.count(total)).toMatchObject({ status: 'unchanged' });
    expect(await shelf.count(total - 1, NOON)).toMatchObject({ status: 'created' });
    expect(shelf.stock()).toBe(total - 1);
  });

  test('and waits for one without an answer that may still arrive', async () => {
    const { service, use, count, stock } = openShelf();
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 5000 });
    expect(await use(-2, NIGHT, { retries: 0, doubt: 0 })).toMatchObject({ status: 'unknown' });
    expect(await count(22)).toMatchObject({ status: 'unchanged' });
    await service.settled();
    expect(stock()).toBe(22);
  });
});

test('a count of which nobody knows whether it went out is unknown with the ways to settle it, and another waits for that', async () => {
  const { plan, apply, counted, count, own, time, service, applyPlan } = openShelf();
  const { run } = await plan([counted(20)]);
  const ledger = openLedger(own.ledger);
  const place = String((await ledger.findRun(run))?.service);
  const [{ planned: row } = {}] = await ledger.readRows(run, { after: -1, limit: 1 });
  const [at, sendingSince] = ['2027-03-01 08:00:00', '2027-03-01 08:00:00.000'];
  const { fingerprint = '', also = [] } = row?.steps[0] ?? {};
  const claim = { fingerprint, run, seq: 0, state: 'sending', at, id: null } as const;
  await ledger.claimPosting(place, 'stock-count', claim, also);
  await ledger.saveRow(run, 0, { progress: { done: 0, id: null, sendingSince } });
  await ledger.close();
  const ways = expect.stringMatching(new RegExp(`catersheet apply ${run} --resend .*--done`));
  expect(await count(20)).toMatchObject({ status: 'unknown', message: ways });
  await time.sleep(131_000);
  expect(await count(20)).toMatchObject({ status: 'unknown', message: ways });
  expect((await apply(run)).rows[0]).toMatchObject({ status: 'unknown', message: ways });
  expect(await count(18)).toMatchObject({ status: 'conflict', message: ways });
  expect(service.mutations.size).toBe(0);
  const { allRows, ...rest } = own;
  expect((await applyPlan(run, { ...rest, allRows, resend: ['2'] })).counts).toMatchObject({ created: 1 });
  expect(await count(18, NOON)).toMatchObject({ status: 'created' });
  expect(service.mutations.size).toBe(2);
});

test('a little of something dear that was used since it was counted is posted, to the last decimal', async () => {
  const { send, counted, products, service, time } = openShelf({}, [0.02]);
  const ProductID = products[0] ?? 0;
  const count = async (day: string) =>
    ends(await send([counted('0,008', `2026-10-${day} 08:00:00`, { ProductID })]));
  expect(await count('05')).toEqual(['created']);
  service.other.create('mutation', {
    ProductID,
    AantalRekeneenheid: -0.005,
    DatumTijd: '2026-10-05 12:00:00',
  });
  await time.sleep(70_000);
  expect(await count('06')).toEqual(['created']);
});

describe('an export of the stock', () => {
  const SET = { WerknemerID: '12', DatumTijd: NOON, MutatieCategorieID: '4901', MutatieReden: 'Telling' };

  test.each(['csv', 'xlsx'])('as %s counts what was typed over and nothing else', async (ext) => {
    const { exportRecords, importWorkbook, own, folder, service, products } = openShelf({}, [24.5, 24.5]);
    for (const id of products) service.other.change('recipe', id, { VoorraadProduct: true });
    const out = `${folder}/telling.${ext}`;
    await exportRecords('stock-count', { ...serviceOnly(own), out });
    for (const id of products) service.other.useStock(id, 5);
    const { counts } = await importWorkbook(out, { ...own, set: SET });
    expect(counts).toMatchObject({ read: 2, unchanged: 2 });
    expect(service.mutations.size).toBe(0);
    if (ext === 'xlsx') return;
    writeFileSync(out, readFileSync(out, 'utf8').replace('24,5', '20'));
    const { rows } = await importWorkbook(out, { ...own, set: SET });
    expect(rows.map(({ status }) => status)).toEqual(['conflict', 'unchanged']);
    expect(rows[0]?.message).toContain(
      'according to the export the total would be 24.5 stuk: it is 19.5 stuk now, counted 20 stuk',
    );
  });
});
