import { describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { ends, type Row } from '../open-kind.ts';
import { DAY, MORNING, NIGHT, NOON, openShelf } from './shelf.ts';

const LOST = { kind: 'reset', when: 'after' } as const;

function openMutations() {
  const shelf = openShelf();
  const { send, plan } = shelf;
  const as = { as: 'stock-mutations' };
  return {
    ...shelf,
    post: (rows: readonly Row[], more = {}) => send(rows, { ...as, ...more }),
    planned: (rows: readonly Row[]) => plan(rows, as),
  };
}

describe('what is posted is known by what it says', () => {
  test('also where another program saved it as other text, with its rows and columns in another order', async () => {
    const { post, importWorkbook, own, folder, used, service } = openMutations();
    const time = new Date(Date.UTC(2027, 2, 31, 7, 45));
    const rows = [
      { ...used(0.1 + 0.2), DatumTijd: time, MutatieReden: 'Crème  brûlée'.normalize('NFD') },
      { ...used(1250), DatumTijd: time, MutatieReden: 'Inkoop\nvrijdag' },
    ];
    const file = await makeWorkbook(`${folder}/a.xlsx`, {
      Voorraadmutaties: [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))],
    });
    const { run } = await importWorkbook(file, own);
    const text = (AantalRekeneenheid: string, MutatieReden: string, DatumTijd: string): Row => ({
      ...{ MutatieReden, AantalRekeneenheid, DatumTijd },
      ...{ WerknemerID: 12, MutatieCategorieID: 4901, ProductID: used(1).ProductID ?? 0 },
    });
    const again = await post([
      text('1.250,00', 'Inkoop vrijdag', '31-03-2027 07:45'),
      text('0,3', 'Crème brûlée', '31-03-2027 7:45:00'),
    ]);
    expect(ends(again)).toEqual(['unchanged', 'unchanged']);
    expect(again.rows[0]?.message).toContain(`imported before, in run ${run} on `);
    expect(service.mutations.size).toBe(2);
  });

  test('and from its equals by how many there are', async () => {
    const { post, used } = openMutations();
    const same = used(-1);
    expect(ends(await post([same, same]))).toEqual(['created', 'created']);
    const more = [{ ...same, '#action': 'skip' }, same, { ...same, MutatieReden: 'Breuk' }, same, same];
    expect(ends(await post(more))).toEqual(['skipped', 'unchanged', 'created', 'created', 'created']);
  });

  test('one that is skipped at first included, by whichever of its product’s names', async () => {
    const { post, used, service } = openMutations();
    const same = used(-1, NIGHT, { ProductID: null, 'Product.ExternalID': 8801 });
    expect(ends(await post([{ ...same, '#action': 'skip' }, same]))).toEqual(['skipped', 'created']);
    expect(ends(await post([same, same]))).toEqual(['created', 'unchanged']);
    expect(service.mutations.size).toBe(2);
  });

  test('or by its #key: two equal rows are two postings, one with other values is a conflict, two rows of one key are invalid', async () => {
    const { post, used } = openMutations();
    const keyed = (key: string, amount = -1): Row => ({ '#key': key, ...used(amount) });
    expect(ends(await post([keyed('1'), keyed('2')]))).toEqual(['created', 'created']);
    const again = await post([keyed('2'), keyed('1', -3), keyed('3'), keyed('4'), keyed('4', -2)]);
    expect(again.rows.map(({ status }) => status)).toEqual([
      ...['unchanged', 'conflict', 'created', 'invalid', 'invalid'],
    ]);
    expect(again.rows[1]?.message).toContain('with other values');
  });
});

test('a mutation needs one of two amounts, names its product and category in either way, and can only be created', async () => {
  const { post, used, service } = openMutations();
  const both = { AantalProducteenheid: 2 };
  const byKey = { ProductID: null, 'Product.ExternalID': 8801 };
  const done = await post([
    used(3, NIGHT, both),
    used(null, NIGHT, both),
    used(4, NIGHT, { ...byKey, MutatieCategorieID: 'breuk' }),
    used(null),
    used(5, NIGHT, { '#action': 'delete' }),
    used('veel', NIGHT, { MutatieCategorieID: 'Onzin', MutatieReden: null, WerknemerID: null }),
    used(6, NIGHT, { ProductID: null }),
    used(7, NIGHT, { 'Product.ExternalID': 699_999, ProductID: null }),
    used(8, NIGHT, { 'Product.ExternalID': 8801, ProductID: 1 }),
    used('veel', NIGHT, { '#action': 'skip' }),
  ]);
  expect(ends(done).map((end) => end.split(' ').toSorted().join(' '))).toEqual(
    [
      'created',
      'created',
      'created',
      'invalid AantalRekeneenheid amount-missing',
      'invalid #action action-not-possible',
      'invalid AantalRekeneenheid number-expected MutatieCategorieID lookup-unknown MutatieReden required-missing WerknemerID required-missing',
      'invalid Product.ExternalID key-missing',
      'invalid Product.ExternalID record-missing',
      'invalid Product.ExternalID keys-differ',
      'skipped',
    ].map((end) => end.split(' ').toSorted().join(' ')),
  );
  expect(service.mutations.all()).toEqual(
    expect.arrayContaining(
      [{ AantalRekeneenheid: 3, ...both }, both, { AantalRekeneenheid: 4, MutatieCategorieID: 4902 }].map(
        (one) => expect.objectContaining(one),
      ),
    ),
  );
});

describe('a posting without an answer', () => {
  test.each([
    ['that was lost', LOST],
    ['that was turned away by a proxy', { kind: 'status', status: 503, when: 'before' }],
  ] as const)(
    '%s is unknown, is never sent again by itself, and is done once the user found it',
    async (_, failure) => {
      const { planned, apply, used, own, applyPlan, importWorkbook, service, csv } = openMutations();
      const { run } = await planned([used(-2)]);
      service.failNext(failure);
      const first = await apply(run);
      expect(ends(first)).toEqual(['unknown']);
      const file = csv([used(-2)]);
      const options = { ...own, as: 'stock-mutations' };
      const again = await importWorkbook(file, options);
      expect(ends(again)).toEqual(['unknown']);
      expect(again.rows[0]?.message).toMatch(new RegExp(`^run ${run} .*apply ${run} --resend "`));
      const { length } = service.journal.writes;
      const { allRows, ...rest } = own;
      const settle = (more: object) => applyPlan(run, { ...rest, allRows, ...more });
      for (const wrong of [{ done: ['99'] }, { resend: ['2'], done: ['2'] }])
        await expect(settle(wrong)).rejects.toMatchObject({ exit: 2 });
      expect(ends(await settle({ done: ['2'] }))).toEqual(['created']);
      expect(ends(await importWorkbook(file, options))).toEqual(['unchanged']);
      expect(service.journal.writes).toHaveLength(length);
    },
  );

  test('that had not begun when its program was killed is left to the next import, one that had is in doubt', async () => {
    const { planned, apply, post, used, own, service } = openMutations();
    const rows = [used(4), used(5), used(6)];
    const { run } = await planned(rows);
    const ledger = openLedger(own.ledger);
    const at = '2027-03-01 08:00:00';
    const place = String((await ledger.findRun(run))?.service);
    for (const seq of [0, 1]) {
      const [{ planned: row } = {}] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
      const fingerprint = row?.steps[0]?.fingerprint ?? '';
      const claim = { fingerprint, run, seq, state: 'sending', at, id: null } as const;
      await ledger.claimPosting(place, 'stock-mutations', claim);
      if (seq === 1)
        await ledger.saveRow(run, seq, { progress: { done: 0, id: null, sendingSince: `${at}.000` } });
    }
    await ledger.close();
    expect(ends(await post(rows))).toEqual(['created', 'unknown', 'created']);
    expect(ends(await apply(run))).toEqual(['unchanged', 'unknown', 'unchanged']);
    expect(service.mutations.size).toBe(2);
  });
});

describe('a mutation that a known count may hold is a conflict that names the count, and moves no stock', () => {
  test.each([
    ['before the count', 20, MORNING, NIGHT, true],
    ['before a count that equalled the total', 24, MORNING, NIGHT, true],
    ['at its moment', 20, NOON, NOON, true],
    ['after it', 20, MORNING, NOON, false],
    ['on its day, without a time', 20, MORNING, DAY, true],
    ['on the day of a count without a time', 20, DAY, NOON, true],
    ['on the day after that', 20, DAY, '2026-10-03 00:00:00', false],
  ])('%s', async (_, amount, counted, used, isHeld) => {
    const { use, count, stock } = openShelf();
    const { run } = await count(amount, counted);
    const late = await use(-2, used);
    expect([late.status, stock()]).toEqual(isHeld ? ['conflict', amount] : ['created', amount - 2]);
    if (isHeld) expect(late.message).toContain(`(run ${run})`);
  });

  test.each([
    ['mine', 'created', 18],
    ['theirs', 'unchanged', 20],
  ] as const)('and --on-conflict %s settles it', async (onConflict, status, left) => {
    const { use, count, stock } = openShelf();
    await count(20);
    expect(await use(-2, NIGHT, { onConflict })).toMatchObject({ status });
    expect(stock()).toBe(left);
  });

  test('also where it was planned before the count, or the two name the product in other ways, and no longer once the count is undone', async () => {
    const shelf = openShelf();
    const { plan, apply, used, send, counted, undoRun, own, folder, importWorkbook, time, use } = shelf;
    const planned = await plan([used(-2)], { as: 'stock-mutations' });
    await time.sleep(60_000);
    const { run } = await send([counted(20, MORNING, { ProductID: null, 'Product.ExternalID': 8801 })]);
    expect(ends(await apply(planned.run))).toEqual(['conflict']);
    expect(await use(-3)).toMatchObject({ status: 'conflict' });
    const out = `${folder}/terug.xlsx`;
    await undoRun(run, { ...serviceOnly(own), ledger: own.ledger, out });
    await importWorkbook(out, own);
    expect(await use(-3)).toMatchObject({ status: 'created' });
  });
});
