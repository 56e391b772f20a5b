import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { checkService, exportRecords, importWorkbook } from '../../../src/index.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { type Reshaped, startReshaping } from '../../answers/reshaping-service.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import { startSecondService } from '../../second-service/second-service.ts';

const HEADER = 'ProductID;WerknemerID;DatumTijd;GeteldRekeneenheid;MutatieCategorieID;MutatieReden';
const TOTAL = '/currenttotal/';

/** A recipe, an ingredient and a package with 24 each in stock, whose totals come in a shape of the test's own. */
async function open(shape?: (plain: { total: object[] }) => Reshaped) {
  const second = await startSecondService();
  const service = await startReshaping(second.url);
  onTestFinished(async () => {
    service.close();
    await second.close();
  });
  if (shape !== undefined)
    service.reshape = ({ path }, plain) =>
      path.includes(TOTAL) ? { status: 200, ...shape(plain as { total: object[] }) } : undefined;
  const folder = tempFolder();
  const products = [second.add.recipe(), second.add.product(), second.add.package()];
  for (const product of products) second.add.stock(product, 24);
  const options = {
    ...optionsFor({ folder, url: service.url, token: second.token }),
    ...{ as: stockCount, retries: 0, locale: 'en' as const },
  };
  const count = async (ids: readonly number[], counted = 20, column = 'GeteldRekeneenheid') => {
    const rows = ids.map((id) => `${id};12;2026-10-01 08:00:00;${counted};4901;Telling`);
    const header = HEADER.replace('GeteldRekeneenheid', column);
    writeFileSync(`${folder}/telling.csv`, [header, ...rows].join('\r\n'));
    const done = await importWorkbook(`${folder}/telling.csv`, options);
    return done.rows.map(({ status, message = '' }) => [status, message ?? ''] as const);
  };
  return { second, service, folder, options, products, count };
}

const json = (value: unknown) => ({ json: value });

it.each<[string, (plain: { total: object[] }) => Reshaped]>([
  ['in data', (data) => json({ data })],
  ['as a list of one', (plain) => json([plain])],
  ['as the list itself', ({ total }) => json(total)],
  ['as the list itself in data', ({ total }) => json({ success: true, data: total })],
  ['with one record in place of a list', ({ total: [only] }) => json({ total: only, success: true })],
  ['with other capitals', ({ total }) => json({ Total: total })],
  [
    'with members in other capitals',
    ({ total }) =>
      json({
        total: total.map((one) =>
          Object.fromEntries(Object.entries(one).map(([a, b]) => [a.toLowerCase(), b])),
        ),
      }),
  ],
])('a count posts the difference to a total that comes %s', async (_, shape) => {
  const { count, products, second } = await open(shape);
  expect((await count(products)).map(([status]) => status)).toEqual(['created', 'created', 'created']);
  expect(products.map((id) => second.stockTotal(id))).toEqual([20, 20, 20]);
});

it.each<[string, Reshaped, string]>([
  ['{success: true}', json({ success: true }), '{success: true}'],
  ['a total that is null', json({ total: null, success: true }), '{total: null, success: true}'],
  ['a total that is a number', json({ total: 24 }), '{total: 24}'],
  ['a record without amounts', json({ ProductID: 5, Actief: true }), '{ProductID: 5, Actief: true}'],
  ['totals without amounts', json({ total: [{ RekenEenheid: 'kg' }] }), '{total: [{RekenEenheid: "…"}]}'],
  ['a list inside an unknown member', json({ voorraad: [{ Aantal: 24 }] }), '{voorraad: [{Aantal: 24}]}'],
  [
    'the first of several pages',
    json({ data: [{ Aantal: 3 }], last_page: 2 }),
    '{data: [{Aantal: 3}], last_page: 2}',
  ],
  [
    'success false beside a list',
    json({ success: false, total: [{ Aantal: 24 }] }),
    'nothing came in place of a total',
  ],
  ['{}', json({}), 'nothing came in place of a total'],
  ['null', json(null), 'nothing came in place of a total'],
  [
    'an amount in the other unit alone',
    json({ total: [{ Aantal: null, AantalProductEenheid: 2 }] }),
    'no Aantal of this product that can be understood (it is empty)',
  ],
  ['an amount that is null', json({ total: [{ Aantal: null }], success: true }), '(it is empty)'],
  [
    'amounts that are all null',
    json({ total: [{ Aantal: null, AantalProductEenheid: null }] }),
    '(it is empty)',
  ],
  ['an amount of empty text', json({ total: [{ Aantal: '', RekenEenheid: 'kg' }] }), '(it is empty)'],
  ['no amount in this unit', json({ total: [{ AantalProductEenheid: 2 }] }), '(it is missing)'],
  ['words for an amount', json({ total: [{ Aantal: 'veel' }] }), '(Aantal: "veel")'],
  ['an amount with a comma', json({ total: [{ Aantal: '12,5' }] }), '(Aantal: "12,5")'],
  ['a flag for an amount', json({ total: [{ Aantal: true }] }), '(Aantal: true)'],
  ['an amount past all stock', json({ total: [{ Aantal: 1e12 }] }), '(Aantal: 1000000000000)'],
  ['an amount at one of two places', json({ total: [{ Aantal: 24 }, { Aantal: null }] }), '(it is empty)'],
  [
    'two units',
    json({
      total: [
        { Aantal: 2, RekenEenheid: 'kg' },
        { Aantal: 3, RekenEenheid: 'l' },
      ],
    }),
    '(kg, l)',
  ],
  ['text', { text: 'alles in orde' }, 'cut off or not JSON'],
  ['a page', { text: '<html><body>Inloggen</body></html>' }, 'a page came instead of an answer'],
])(
  'a count of which the total comes as %s posts nothing: its row is a conflict that shows what came',
  async (_, answer, said) => {
    const { count, products, second } = await open(() => answer);
    const rows = await count(products);
    expect(rows.map(([status]) => status)).toEqual(['conflict', 'conflict', 'conflict']);
    for (const [, message] of rows) expect(message).toContain(said);
    expect(second.mutations.all()).toEqual([]);
  },
);

it('one total that is not understood is a conflict of its row, and the others are posted', async () => {
  const { count, products, service, second } = await open();
  const [, flour] = products;
  service.reshape = ({ path }, plain) =>
    path.endsWith(`${TOTAL}${flour}`)
      ? { status: 200, json: { data: 'geen', plain: typeof plain } }
      : undefined;
  expect((await count(products)).map(([status]) => status)).toEqual(['created', 'conflict', 'created']);
  expect(products.map((id) => second.stockTotal(id))).toEqual([20, 24, 20]);
});

it('a count in product units takes their amount alone, and no amount is a conflict there too', async () => {
  const { count, products, service, second } = await open(() =>
    json({ total: [{ Aantal: 24, AantalProductEenheid: null }] }),
  );
  const rows = await count(products, 20, 'GeteldProducteenheid');
  expect(rows.map(([status]) => status)).toEqual(['conflict', 'conflict', 'conflict']);
  expect(rows[0]?.[1]).toContain('no AantalProductEenheid of this product');
  expect(second.mutations.all()).toEqual([]);
  service.reshape = ({ path }) =>
    path.includes(TOTAL)
      ? { status: 200, json: { total: [{ Aantal: null, AantalProductEenheid: '12.5' }] } }
      : undefined;
  expect((await count(products, 13, 'GeteldProducteenheid'))[0]).toEqual([
    'created',
    'total 12.5, counted 13: difference +0.5',
  ]);
});

it.each<[string, object, string]>([
  ['that is no longer understood', { success: true }, '{success: true}'],
  ['without an amount', { total: [{ Aantal: null, AantalProductEenheid: null }] }, '(it is empty)'],
  ['of a product without stock on record', { total: [] }, 'it was 24, it is 0 now'],
])('a total %s right before the difference is posted is a conflict too', async (_, answer, said) => {
  const { count, products, service, second } = await open();
  let reads = 0;
  service.reshape = ({ path }) =>
    path.includes(TOTAL) && ++reads > products.length ? { status: 200, json: answer } : undefined;
  const rows = await count(products);
  expect(rows.map(([status]) => status)).toEqual(['conflict', 'conflict', 'conflict']);
  expect(rows[0]?.[1]).toContain(said);
  expect(second.mutations.all()).toEqual([]);
});

it.each(['GeteldRekeneenheid', 'GeteldProducteenheid'])(
  'a total whose sixth decimal is another right before the difference in %s is posted did not move',
  async (column) => {
    const { count, products, service } = await open();
    let reads = 0;
    service.reshape = ({ path }) => {
      if (!path.includes(TOTAL)) return undefined;
      const amount = ++reads > products.length ? 46.578125 : 46.578126;
      return { status: 200, json: { total: [{ Aantal: amount, AantalProductEenheid: amount }] } };
    };
    expect((await count(products, 20, column)).map(([status]) => status)).toEqual([
      ...['created', 'created', 'created'],
    ]);
  },
);

/** Only these products can be read. */
async function openKnown(answer: object) {
  const opened = await open(() => json(answer));
  const { service, products } = opened;
  const plain = service.reshape;
  service.reshape = (request, came) => {
    const id = Number(request.path.split('/').at(-1));
    // The service behind has no read for products of every kind.
    if (!request.path.includes('/product/detail/')) return plain(request, came);
    return products.includes(id) ? { status: 200, json: { ProductID: id } } : { status: 404, json: {} };
  };
  return opened;
}

it('an empty list is a total of 0 that a row says for products that are known, of any kind, and an issue of the row of one that is not', async () => {
  const { count, products, second } = await openKnown({ total: [], success: true });
  const rows = await count([...products, 777_777]);
  expect(rows.map(([status]) => status)).toEqual(['created', 'created', 'created', 'invalid']);
  expect(rows[0]?.[1]).toBe('no stock on record yet: counted from 0; total 0, counted 20: difference +20');
  expect(second.mutations.all().map(({ AantalRekeneenheid }) => AantalRekeneenheid)).toEqual([20, 20, 20]);
});

it('a count of 0 of a product without stock on record says so, and posts nothing', async () => {
  const { count, products, second } = await openKnown({ total: [] });
  expect((await count(products, 0))[0]).toEqual(['unchanged', 'no stock on record yet: counted from 0']);
  expect(second.mutations.all()).toEqual([]);
});

it('amounts that are all null are an issue of the row of a product that is not known', async () => {
  const { count, products } = await openKnown({ total: [{ Aantal: null, AantalProductEenheid: null }] });
  expect((await count([...products, 777_777])).map(([status]) => status)).toEqual([
    ...['conflict', 'conflict', 'conflict', 'invalid'],
  ]);
});

it('the stock is exported without the products of which no amount came', async () => {
  const none = json({ total: [{ Aantal: '', AantalProductEenheid: null }] });
  const { options, folder, second } = await open(() => none);
  second.add.recipe({ VoorraadProduct: true });
  const { as: _, ...rest } = serviceOnly(options);
  const done = await exportRecords(stockCount, { ...rest, out: `${folder}/voorraad.csv` });
  expect(done.records).toBe(0);
  expect(JSON.stringify(done.notes)).toContain('the service gives no usable total for it');
});

it('for many products without a total their lists tell that they are known, in place of a read for each', async () => {
  const { count, service, second } = await open(() => json({ total: [] }));
  const many = Array.from({ length: 40 }, () => second.add.recipe());
  await count(many);
  const details = service.asked.filter((one) => /\/detail\//.test(one));
  expect(details.length).toBeLessThan(12);
  expect(second.mutations.all()).toHaveLength(40);
});

it('check tells in which shape a total comes, or what came in its place', async () => {
  const { options, service } = await open(({ total }) => json({ data: { total } }));
  const tell = async () => {
    const { as: _, ...rest } = serviceOnly(options);
    const { checks } = await checkService(rest);
    return checks.find(({ what }) => what === 'stock.currenttotal');
  };
  expect(await tell()).toMatchObject({ ok: true, found: expect.stringContaining('as {data: {total: […]}}') });
  service.reshape = ({ path }) =>
    path.includes(TOTAL) ? { status: 200, json: { success: true } } : undefined;
  expect(await tell()).toMatchObject({
    ok: false,
    found: expect.stringContaining('{success: true}'),
    advice: expect.stringContaining('conflicts'),
  });
});
