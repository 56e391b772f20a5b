import { describe, expect, test } from 'vitest';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { ends, type Row } from '../open-kind.ts';
import { MORNING, NOON, openShelf } from './shelf.ts';

const EVENING = '2026-10-02 20:00:00';

/** A shelf of which rows count places. */
function openPlaces(amounts: readonly number[] = [10]) {
  const shelf = openShelf({}, amounts);
  const at = (place: string | null, amount: number | string | null, moment = MORNING, more: Row = {}): Row =>
    shelf.counted(amount, moment, { '#plaats': place, ...more });
  return { ...shelf, at };
}

test('what is counted in several places is posted as one, and each row says the sum', async () => {
  const { send, at, service, stock } = openPlaces();
  const rows = [at('Koelcel', 5), at('Vriezer', '7,25')];
  const done = await send(rows);
  const sum = '5 stuk (Koelcel) + 7.25 stuk (Vriezer) = 12.25 stuk, was 10 stuk: +2.25 stuk';
  expect(done.rows.map(({ status, message }) => [status, message])).toEqual([
    ['created', sum],
    ['skipped', `${sum}; counted along with row 2: see there what became of it`],
  ]);
  expect(service.mutations.all()).toHaveLength(1);
  expect(stock()).toBe(12.25);
  const again = await send(rows);
  expect(again.rows.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
  expect(stock()).toBe(12.25);
});

describe('places of one product that can’t be added up are all refused, and each names another row', () => {
  test.each([
    ['one is counted twice', (at) => [at('Koelcel', 5), at('Vriezer', 7), at(' koelcel ', 1)]],
    ['one is not named', (at) => [at('Koelcel', 5), at(null, 7)]],
    ['at two moments', (at) => [at('Koelcel', 5), at('Vriezer', 7, NOON)]],
    ['in two units', (at) => [at('Koelcel', 5), at('Vriezer', null, MORNING, { GeteldProducteenheid: 7 })]],
  ] as readonly (readonly [string, (at: ReturnType<typeof openPlaces>['at']) => Row[]])[])(
    '%s',
    async (_, of) => {
      const { send, at, stock } = openPlaces();
      const done = await send(of(at));
      expect(new Set(ends(done))).toEqual(new Set(['invalid ProductID counted-twice']));
      expect(stock()).toBe(10);
    },
  );
});

test('a place that is named and not counted, or can’t be read, holds the others', async () => {
  const { send, at, stock } = openPlaces();
  for (const [other, end] of [
    [at('Vriezer', null), 'skipped'],
    [at('Vriezer', 'veel'), 'invalid'],
    [at('Vriezer', 7, MORNING, { '#action': 'skip' }), 'skipped'],
  ] as const) {
    const done = await send([at('Koelcel', 5), other]);
    expect(done.rows.map(({ status }) => status)).toEqual(['conflict', end]);
    expect(done.rows[0]?.message).toContain('row 3');
  }
  expect(stock()).toBe(10);
});

test('a place that is counted again takes the others as they were, and says when that was', async () => {
  const { send, at, stock } = openPlaces();
  await send([at('Koelcel', 5), at('Vriezer', 7)]);
  const { rows } = await send([at('koelcel', 4, NOON)]);
  expect(rows[0]?.message).toContain('4 stuk (koelcel) + 7 stuk (Vriezer, counted ');
  expect([rows[0]?.status, stock()]).toEqual(['created', 11]);
  // The same once more, and the sum of before, post nothing.
  expect((await send([at('Koelcel', 4, NOON)])).rows[0]?.status).toBe('unchanged');
  // A correction of one place keeps the others.
  expect((await send([at('Koelcel', 3, NOON)])).rows[0]?.status).toBe('created');
  expect(stock()).toBe(10);
  // A place that is left out holds as it is known.
  const kept = await send([at('Koelcel', 1, EVENING), at('Vriezer', null, EVENING)]);
  expect([kept.rows.map(({ status }) => status), stock()]).toEqual([['created', 'skipped'], 8]);
});

test('where stock moved since, every place is to be counted again, unless the user decides', async () => {
  const { send, at, service, product, stock } = openPlaces();
  await send([at('Koelcel', 5), at('Vriezer', 7)]);
  service.other.useStock(product, 3);
  const one = await send([at('Koelcel', 4, NOON)]);
  expect(one.rows[0]).toMatchObject({
    status: 'conflict',
    message: expect.stringContaining('Count every place'),
  });
  expect(stock()).toBe(9);
  const both = await send([at('Koelcel', 4, NOON), at('Vriezer', 6, NOON)]);
  expect([both.rows[0]?.status, stock()]).toEqual(['created', 10]);
});

test('a sheet is a place where others count the same product', async () => {
  const { importWorkbook, own, folder, counted, products, stock, service } = openPlaces([10, 10]);
  const [, other = 0] = products;
  const sheetOf = (rows: readonly Row[]) => [
    Object.keys(rows[0] ?? {}),
    ...rows.map((row) => Object.values(row)),
  ];
  const file = await makeWorkbook(`${folder}/koeling.xlsx`, {
    Koelcel: sheetOf([counted(5), { ...counted(4), ProductID: other }]),
    Vriezer: sheetOf([counted(7)]),
  });
  const { rows } = await importWorkbook(file, own);
  expect(rows.map(({ status, message }) => [status, message])).toEqual([
    ['created', '5 stuk (Koelcel) + 7 stuk (Vriezer) = 12 stuk, was 10 stuk: +2 stuk'],
    ['created', '10 stuk, counted 4 stuk: -6 stuk'],
    ['skipped', expect.stringContaining('row 2 of Koelcel')],
  ]);
  expect([stock(), service.stockTotal(other)]).toEqual([12, 4]);
});

test('what is repeated of a place that all rows have by --set is added up, beside the places of another sheet', async () => {
  const { importWorkbook, own, folder, counted, stock, send } = openPlaces();
  const [one, two, three] = [counted(5), counted(3), counted('0,5')] as [Row, Row, Row];
  const sheetOf = (...rows: readonly Row[]) => [
    Object.keys(rows[0] ?? {}),
    ...rows.map((row) => Object.values(row)),
  ];
  const file = await makeWorkbook(`${folder}/scan.xlsx`, {
    Kast: sheetOf({ ...one, '#plaats': 'Vriezer' }),
    Scan: sheetOf(two, three, two),
  });
  const set = { '#plaats': 'Koelcel' };
  const { rows } = await importWorkbook(file, { ...own, set });
  expect(rows[0]?.message).toContain('5 stuk (Vriezer) + 6.5 stuk (Koelcel) = 11.5 stuk');
  expect(rows.map(({ status }) => status)).toEqual(['created', 'skipped', 'skipped', 'skipped']);
  expect(stock()).toBe(11.5);
  // In a column a place stands once.
  const named = [2, 3].map((amount) => ({ ...counted(amount, NOON), '#plaats': 'Koelcel' }));
  expect(new Set(ends(await send(named, { set })))).toEqual(new Set(['invalid ProductID counted-twice']));
});

test('rules are held against the sum, whatever one of its parts would be', async () => {
  const { importWorkbook, own, folder, counted, send, at, stock } = openPlaces([500]);
  const rows = [counted(2), counted(600)].map((one) => [Object.keys(one), Object.values(one)]);
  const file = await makeWorkbook(`${folder}/rules.xlsx`, { Koelcel: rows[0] ?? [], Vriezer: rows[1] ?? [] });
  const done = await importWorkbook(file, { ...own, rules: ['GeteldRekeneenheid > 10 !'] });
  expect([ends(done), stock()]).toEqual([['created', 'skipped'], 602]);
  const low = await send([at('Koelcel', 2, NOON), at('Vriezer', 5, NOON)], {
    rules: ['GeteldRekeneenheid > 10 !'],
  });
  expect([low.rows.map(({ status }) => status), stock()]).toEqual([['conflict', 'invalid'], 602]);
});
