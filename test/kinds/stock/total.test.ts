import { expect, test } from 'vitest';
import { stockEndpoints } from '../../../src/resources/stock.ts';
import type { Failure } from '../../second-service/knobs.ts';
import { MORNING, openShelf } from './shelf.ts';

const isTotal = ({ endpoint }: { readonly endpoint: string }): boolean => endpoint === 'stock.currentTotal';
const answer = (body: unknown): Failure => ({ kind: 'answer', when: 'before', status: 200, body });
const only = { Aantal: 24, RekenEenheid: 'kg' };

test.each<[string, unknown]>([
  ['in data', { data: { total: [only] } }],
  ['as a list of one', [{ total: [only] }]],
  ['as the list itself', [only]],
  ['as the list itself in data', { success: true, data: [only] }],
  ['as one record in place of a list', { total: only, success: true }],
  ['with other capitals', { Total: [{ Aantal: 24 }] }],
])('a total is read %s', (_, body) => {
  expect(stockEndpoints.currentTotal.answer.parse(body)).toMatchObject({ total: [{ Aantal: 24 }] });
});

/** Totals that nobody can count from, and what the row of the count says of them. */
const STRANGE: readonly [unknown, string][] = [
  [{ success: true }, '{success: true}'],
  [{ total: null, success: true }, '{total: null, success: true}'],
  [{ total: 24 }, '{total: 24}'],
  [{ total: [{ RekenEenheid: 'kg' }] }, '{total: [{RekenEenheid: "…"}]}'],
  [{ data: [{ Aantal: 3 }], last_page: 2 }, '{data: [{Aantal: 3}], last_page: 2}'],
  [{ success: false, total: [{ Aantal: 24 }] }, 'nothing came in place of a total'],
  [{}, 'nothing came in place of a total'],
  [null, 'nothing came in place of a total'],
  [{ total: [{ Aantal: null, AantalProductEenheid: 2 }] }, 'no Aantal of this product'],
  [{ total: [{ Aantal: '', RekenEenheid: 'kg' }] }, '(null kg)'],
  [{ total: [{ AantalProductEenheid: 2 }] }, '(–)'],
  [{ total: [{ Aantal: 'veel' }] }, '("veel")'],
  [{ total: [{ Aantal: '12,5' }] }, '("12,5")'],
  [{ total: [{ Aantal: true }] }, '(true)'],
  [{ total: [{ Aantal: 1e12 }] }, '(1000000000000)'],
  [{ total: [only, { Aantal: null }] }, '(24 kg, null)'],
  [{ total: [only, { Aantal: 3, RekenEenheid: 'l' }] }, '(24 kg, 3 l)'],
  ['<html><body>Inloggen</body></html>', 'no total that is understood'],
];

test('a total that is not understood posts nothing: the row of its count is a conflict that shows what came, and the others are posted', async () => {
  const { service, send, counted, products } = openShelf({}, [24, ...STRANGE.map(() => 24)]);
  service.set({
    failures: {
      choose({ endpoint, path }) {
        const strange = STRANGE[products.indexOf(Number(path.split('/').at(-1))) - 1];
        return endpoint === 'stock.currentTotal' && strange !== undefined ? answer(strange[0]) : undefined;
      },
    },
  });
  const { rows } = await send(products.map((ProductID) => counted(20, MORNING, { ProductID })));
  expect(rows.map(({ status }) => status)).toEqual(['created', ...STRANGE.map(() => 'conflict')]);
  for (const [at, [, said]] of STRANGE.entries()) expect(rows[at + 1]?.message).toContain(said);
  expect(service.mutations.size).toBe(1);
});

test.each<[string, object, string]>([
  ['is no longer understood', { success: true }, 'conflict'],
  ['is none', { total: [] }, 'conflict'],
  ['has another sixth decimal', { total: [{ Aantal: 24.000001 }] }, 'created'],
])(
  'a total that %s right before the difference is posted is held against that of the plan',
  async (_, body, status) => {
    const { service, count } = openShelf();
    let reads = 0;
    service.set({
      failures: { choose: (request) => (isTotal(request) && ++reads === 2 ? answer(body) : undefined) },
    });
    expect(await count(20)).toMatchObject({ status });
    expect(service.mutations.size).toBe(status === 'created' ? 1 : 0);
  },
);

test('an empty list is a total of 0 of a product that is there, and an issue of one that is not', async () => {
  const { service, send, counted, products } = openShelf();
  service.set({
    failures: { choose: (request) => (isTotal(request) ? answer({ total: [] }) : undefined) },
  });
  const { rows } = await send([...products, 777_777].map((ProductID) => counted(20, MORNING, { ProductID })));
  expect(rows.map(({ status }) => status)).toEqual(['created', 'invalid']);
  expect(rows[0]?.message).toBe('0, counted 20: +20');
});
