import { expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { openRows, writeRows } from '../../records/keyed-rows.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';

const rounding = (...roundedFields: string[]): KnobChanges => ({
  values: { rounding: 'half up', places: 2, roundedFields },
});
const [MONDAY, TUESDAY, WEDNESDAY] = ['05', '06', '07'].map((day) => `2026-10-${day} 08:00:00`);

/** Products with so much in stock each, and the counting of all of them at a moment. */
async function shelf(knobs: KnobChanges, stock: readonly number[]) {
  const { service, folder, options } = await openRows(knobs);
  const products = stock.map((amount) => {
    const product = service.add.product();
    service.add.stock(product, amount);
    return product;
  });
  let made = 0;
  const rest = { WerknemerID: 12, MutatieCategorieID: 4901, MutatieReden: 'Week' };
  return {
    ...{ service, products },
    async count(amounts: readonly (string | number)[], DatumTijd = MONDAY ?? '') {
      const rows = amounts.map((GeteldRekeneenheid, at) => ({
        ...{ ProductID: products[at] ?? 0, GeteldRekeneenheid, DatumTijd },
        ...rest,
      }));
      const file = writeRows(`${folder}/${++made}.csv`, rows);
      const before = service.journal.requests.length;
      const done = await importWorkbook(file, { ...options, as: stockCount });
      const asked = service.journal.requests.slice(before).map(({ endpoint }) => endpoint);
      return {
        statuses: done.rows.map(({ status }) => status),
        notes: (done.notes ?? []).join('\n'),
        reads: asked.filter((endpoint) => endpoint === 'stock.currentTotal').length,
      };
    },
    posted: () => service.mutations.size,
  };
}

it.each<[string, KnobChanges]>([
  ['what is posted', rounding('AantalRekeneenheid')],
  ['what it shows alone', {}],
])(
  'a service that rounds %s: counting the same again posts no rest, whatever the product',
  async (what, knobs) => {
    const { service, count, posted } = await shelf(knobs, [24, 30, 9]);
    if (what === 'what it shows alone')
      service.set({
        failures: {
          choose: ({ endpoint, path }) => {
            if (endpoint !== 'stock.currentTotal') return undefined;
            const Aantal = Math.round(service.stockTotal(Number(path.split('/').at(-1))) * 100) / 100;
            const body = { total: [{ Aantal, RekenEenheid: 'l' }], success: true };
            return { kind: 'answer', when: 'before', status: 200, body };
          },
        },
      });
    const amounts = ['19,333', '22,3456', '7,1249'];
    const first = await count(amounts);
    expect(first).toMatchObject({ statuses: ['created', 'created', 'created'] });
    expect(first.notes).toContain('on this service that counts as the same');
    expect(await count(amounts)).toMatchObject({ statuses: ['unchanged', 'unchanged', 'unchanged'] });
    expect(await count(amounts, TUESDAY)).toMatchObject({
      statuses: ['unchanged', 'unchanged', 'unchanged'],
    });
    expect(posted()).toBe(3);
  },
);

it('a rest that a rounded total never shows is posted once, and by no later count', async () => {
  const { count, posted } = await shelf(rounding('AantalRekeneenheid'), [22.35]);
  expect(await count(['22,3456'])).toMatchObject({ statuses: ['created'] });
  expect(await count(['22,3456'], TUESDAY)).toMatchObject({ statuses: ['unchanged'] });
  expect(posted()).toBe(1);
});

it('what a rounded total shows more or less is posted all the same', async () => {
  const { count, posted } = await shelf(rounding('AantalRekeneenheid'), [24, 30]);
  await count(['19,333', '22,3456']);
  expect(await count(['19,343', '22,3356'], TUESDAY)).toMatchObject({ statuses: ['created', 'created'] });
  expect(posted()).toBe(4);
});

it('a service that rounds nothing is posted the smallest difference', async () => {
  const { count } = await shelf({}, [24, 30]);
  await count(['19,333', '22,3456']);
  expect(await count(['19,33', '22,35'], TUESDAY)).toMatchObject({ statuses: ['created', 'created'] });
  expect(await count(['19,333', '22,3456'], WEDNESDAY)).toMatchObject({ statuses: ['created', 'created'] });
});

it.each([
  ['one count', ['22,4']],
  ['two counts, of one', ['22,4', '19,3']],
])('what somebody uses of the stock right after %s is not taken for rounding', async (_, amounts) => {
  const { service, products, count } = await shelf({}, [24, 30]);
  service.at(amounts.length, () => service.other.useStock(products[0] ?? 0, 0.4));
  expect((await count(amounts)).statuses).toEqual(amounts.map(() => 'created'));
  expect(service.stockTotal(products[0] ?? 0)).toBe(22);
  expect((await count(['22,4'], TUESDAY)).statuses).toEqual(['created']);
});

it('at most two totals are read once more, of counts with decimals, and not in the next run', async () => {
  const { count } = await shelf({}, [24, 30, 9]);
  expect(await count([20, 31, 8])).toMatchObject({ reads: 6 });
  expect(await count(['19,333', '22,346', '7,124'], TUESDAY)).toMatchObject({ reads: 8 });
  expect(await count(['18,333', '21,346', '6,124'], WEDNESDAY)).toMatchObject({ reads: 6 });
});
