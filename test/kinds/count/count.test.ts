import { describe, expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import {
  type Cells,
  codesOf,
  importSheet,
  MORNING,
  MUTATION_HEADER,
  mutate,
  mutationsOf,
  recipeIds,
  stockOf,
  workbookOf,
} from '../posting/stock-fixtures.ts';

const SHEET = 'Voorraadtelling';
const REST = ['WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'];
const HEADER = ['ProductID', 'GeteldRekeneenheid', 'GeteldProducteenheid', ...REST];
const count = (id: number | null, units: number | null, products: number | null = null): Cells => [
  ...[id, units, products, 12, MORNING, 'Telling', 'Weektelling'],
];

describe('a count', () => {
  it('posts the difference to the current total, and is unchanged afterwards', async () => {
    const service = await openTestService();
    const [one = 0, two = 0, three = 0] = await recipeIds(service, 3);
    await mutate(service, one, 0.1 - (await stockOf(service, one)));
    const asIs = await stockOf(service, three);
    const rows = [HEADER, count(one, 0.3), count(two, null, 2), count(three, asIs)];
    const { length } = await mutationsOf(service);
    const plan = await planImport(await workbookOf(service, { [SHEET]: rows }), optionsFor(service));
    expect(plan.counts).toMatchObject({ created: 2, unchanged: 1 });
    for await (const row of plan.rows())
      if (row.row === 2) expect(row.message).toBe('total 0.1, counted 0.3: difference +0.2');
    const done = await applyPlan(plan, optionsFor(service));
    expect(done.counts).toMatchObject({ created: 2, unchanged: 1 });
    const posted = (await mutationsOf(service)).slice(length);
    expect(posted.find(({ ProductID }) => ProductID === one)).toMatchObject({ AantalRekeneenheid: 0.2 });
    expect(posted.find(({ ProductID }) => ProductID === two)).not.toHaveProperty('AantalRekeneenheid');
    expect(await stockOf(service, one)).toBe(0.3);
    const recipe = (await service.records('recipe')).find(({ id }) => id === two);
    expect(await stockOf(service, two)).toBeCloseTo(2 * Number(recipe?.OPK), 4);
    const again = await importSheet(service, SHEET, rows);
    expect(again.counts).toMatchObject({ unchanged: 3, created: 0 });
  });

  it('costs two reads and a posting a product, and no read once it was told', async () => {
    const service = await openTestService();
    const ids = await recipeIds(service, 10);
    const rows = [HEADER, ...ids.map((id) => count(id, 777))];
    await service.clearLog();
    await importSheet(service, SHEET, rows);
    const first = await service.log();
    expect(first.counts).toMatchObject({ 'stock.currenttotal': 20, 'stock.create': 10 });
    await service.clearLog();
    await importSheet(service, SHEET, rows);
    const { 'stock.currenttotal': reads, 'stock.create': posts } = (await service.log()).counts;
    expect([reads, posts]).toEqual([undefined, undefined]);
  });

  it('is a conflict when the total moved since the plan', async () => {
    const service = await openTestService();
    const [one = 0, two = 0] = await recipeIds(service, 2);
    const start = await stockOf(service, one);
    const file = await workbookOf(service, { [SHEET]: [HEADER, count(one, 99), count(two, 99)] });
    const plan = await planImport(file, optionsFor(service));
    await mutate(service, one, 1.5);
    const done = await applyPlan(plan, optionsFor(service));
    expect(done.rows.map(({ status }) => status)).toEqual(['conflict', 'created']);
    expect(done.rows[0]?.message).toContain(`it was ${start}, it is ${start + 1.5} now`);
    expect(await stockOf(service, one)).toBe(start + 1.5);
  });

  it('that was posted is not posted again once stock has moved on', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    const rows = [HEADER, count(id, 50)];
    const first = await importSheet(service, SHEET, rows);
    await mutate(service, id, -8);
    const again = await importSheet(service, SHEET, rows);
    expect(again.counts).toMatchObject({ conflict: 0, unchanged: 1 });
    expect(again.rows[0]?.message).toContain(`imported before, in run ${first.run}`);
    expect(await stockOf(service, id)).toBe(42);
  });
});

it('a count waits for the mutations of the same file, and leaves alone what took place after it', async () => {
  const service = await openTestService();
  const [one = 0, two = 0] = await recipeIds(service, 2);
  const start = await stockOf(service, one);
  await mutate(service, two, -(await stockOf(service, two)));
  const mutation = (id: number, time: string) => [id, 12, time, 5, 4904, 'Inkoop'];
  const file = await workbookOf(service, {
    Voorraadmutaties: [
      MUTATION_HEADER,
      mutation(one, '2026-03-30 16:00'),
      mutation(one, '2026-03-30 17:00'),
      mutation(two, '2026-03-31 12:00'),
    ],
    [SHEET]: [HEADER, count(one, start + 7), count(two, 1)],
  });
  const done = await importWorkbook(file, optionsFor(service));
  expect(done.counts).toMatchObject({ created: 5 });
  const counts = done.rows.filter(({ sheet }) => sheet === SHEET);
  expect(counts[0]?.message).toBe(`total ${start + 10}, counted ${start + 7}: difference -3`);
  expect(counts[1]?.message).toBe('total 0, counted 1: difference +1');
  expect(await Promise.all([one, two].map((id) => stockOf(service, id)))).toEqual([start + 7, 6]);
  const again = await importWorkbook(file, optionsFor(service));
  expect(again.rows.map(({ status }) => status)).toEqual(Array(5).fill('unchanged'));
});

it('wrong rows of a count say what is wrong on their cells', async () => {
  const service = await openTestService();
  const [one = 0, two = 0, three = 0] = await recipeIds(service, 3);
  const rows = [HEADER, count(one, 5), count(two, 5, 5), count(two, 6), count(one, null, 6)];
  rows.push(count(three, -1), count(999_999, 5), count(null, 5));
  await service.clearLog();
  const done = await importSheet(service, SHEET, rows);
  expect(done.counts).toMatchObject({ read: 7, invalid: 7 });
  expect(done.rows.map(codesOf)).toEqual([
    ['counted-twice'],
    ['amount-twice', 'amount-twice', 'counted-twice'],
    ['counted-twice'],
    ['counted-twice'],
    ['amount-not-countable'],
    ['record-missing'],
    ['key-missing'],
  ]);
  expect(done.rows[0]?.issues?.[0]?.message).toContain(`row 5 of ${SHEET}`);
  expect(done.rows[3]?.issues?.[0]?.message).toContain(`row 2 of ${SHEET}`);
  expect((await service.log()).counts['stock.currenttotal']).toBe(2);
});

describe('a product of the list that was not counted', () => {
  it('is skipped, and how many there were is said', async () => {
    const service = await openTestService();
    const [one = 0, two = 0, three = 0] = await recipeIds(service, 3);
    const rows = [HEADER, count(one, 5), count(two, null), count(three, null), count(one, null)];
    await service.clearLog();
    const done = await importSheet(service, SHEET, rows);
    expect(done.counts).toMatchObject({ read: 4, created: 1, skipped: 3, invalid: 0 });
    expect(done.notes).toContain('not counted: 3');
    expect((await service.log()).counts['stock.create']).toBe(1);
  });

  it.each<[string, readonly string[], Cells, string[]]>([
    ['with a word for nothing is told to leave the cell empty', HEADER, [7003, '-'], ['number-expected']],
    ['with another', HEADER, [7003, 'n.v.t.'], ['number-expected']],
    ['with NULL', HEADER, [7003, 'NULL'], ['number-expected']],
    [
      'on a sheet without amounts has no column to count in',
      ['ProductID', ...REST],
      [7003],
      ['amount-missing'],
    ],
    [
      'that has #action create is to be counted',
      [...HEADER, '#action'],
      [7003],
      ['amount-missing', 'amount-missing'],
    ],
    [
      'without a key is no product',
      HEADER,
      [null, null, null],
      ['key-missing', 'amount-missing', 'amount-missing'],
    ],
  ])('%s', async (_, header, cells, codes) => {
    const service = await openTestService();
    const rest = count(0, 0).slice(3);
    const width = header.indexOf('WerknemerID');
    const own = [...cells, ...Array<null>(width).fill(null)].slice(0, width);
    const action = header.includes('#action') ? ['create'] : [];
    const done = await importSheet(service, SHEET, [[...header], [...own, ...rest, ...action]]);
    expect(done.counts).toMatchObject({ read: 1, invalid: 1 });
    expect(done.rows.map(codesOf)).toEqual([codes]);
  });
});

describe('rows that count one product', () => {
  type Sheets = Record<string, readonly Cells[]>;
  const sheetsOf: readonly [string, (ids: readonly number[]) => Sheets, Record<string, string>][] = [
    [
      'on two sheets',
      ([one = 0, two = 0]) => ({ Koelcel: [count(one, 5), count(two, 3)], Vriezer: [count(one, 7)] }),
      {
        'Koelcel 2': 'row 2 of Vriezer',
        'Vriezer 2': 'row 2 of Koelcel',
      },
    ],
    [
      'on one sheet and the next, in two units, one of them below zero',
      ([one = 0, two = 0]) => ({
        Koelcel: [count(one, 5), count(one, null, 2), count(two, 3)],
        Vriezer: [count(one, -1)],
      }),
      {
        'Koelcel 2': 'row 3 of Koelcel / row 2 of Vriezer',
        'Koelcel 3': 'row 2 of Koelcel / row 2 of Vriezer',
        'Vriezer 2': 'row 2 of Koelcel, row 3 of Koelcel',
      },
    ],
    [
      'on three sheets, also with the same amount',
      ([one = 0, two = 0]) => ({
        Koelcel: [count(one, 5)],
        Vriezer: [count(two, 3), count(one, 5)],
        Schap: [count(one, 5)],
      }),
      {
        'Koelcel 2': 'row 3 of Vriezer / row 2 of Schap',
        'Vriezer 3': 'row 2 of Koelcel / row 2 of Schap',
        'Schap 2': 'row 2 of Koelcel, row 3 of Vriezer',
      },
    ],
  ];

  it.each(sheetsOf)(
    '%s are all invalid and name each other, and nothing of it is posted',
    async (...given) => {
      const [, of, named] = given;
      const service = await openTestService();
      const ids = await recipeIds(service, 2);
      const sheets = Object.fromEntries(
        Object.entries(of(ids)).map(([name, rows]) => [name, [HEADER, ...rows]]),
      );
      const before = await stockOf(service, ids[0] ?? 0);
      const file = await workbookOf(service, sheets);
      const options = optionsFor(service, { as: 'stock-count', allRows: true });
      const done = await importWorkbook(file, options);
      const wrong = done.rows.filter(({ status }) => status === 'invalid');
      const { length } = Object.keys(named);
      expect(done.counts).toMatchObject({ read: length + 1, created: 1, invalid: length });
      const places = wrong.map(({ sheet, row, issues = [] }) => {
        const twice = issues.filter(({ code }) => code === 'counted-twice');
        return [
          `${sheet} ${row}`,
          twice.map(({ message }) => /counted: (.*?);/.exec(message)?.[1]).join(' / '),
        ];
      });
      expect(Object.fromEntries(places)).toEqual(named);
      expect(await stockOf(service, ids[0] ?? 0)).toBe(before);
      // What was refused was not told either: summed in one row it is posted.
      const [id = 0] = ids;
      const summed = await importSheet(service, SHEET, [HEADER, count(id, 12)]);
      expect(summed.counts).toMatchObject({ created: 1 });
      expect(await stockOf(service, id)).toBe(12);
    },
  );
});

describe('a count whose answer was lost', () => {
  it('is unknown also where the total is as counted, which stock that moves may be too, and is posted once', async () => {
    const service = await openTestService();
    const ids = await recipeIds(service, 3);
    const rows = [HEADER, ...ids.map((id) => count(id, 61))];
    await service.faults({ lostAnswer: 1, onlyWrites: true });
    const done = await importSheet(service, SHEET, rows, { retries: 0 });
    expect(done.counts).toMatchObject({ unknown: 3 });
    await service.faults({ lostAnswer: 0 });
    const again = await importSheet(service, SHEET, rows, { retries: 0 });
    expect(again.counts).toMatchObject({ unchanged: 3 });
    expect(await Promise.all(ids.map((id) => stockOf(service, id)))).toEqual([61, 61, 61]);
  });

  it('is unknown whatever the total has become, also what it was, and is not sent again', async () => {
    const service = await openTestService();
    const [id = 0] = await recipeIds(service, 1);
    const start = await stockOf(service, id);
    const options = { ...optionsFor(service), retries: 0 };
    const file = await workbookOf(service, { [SHEET]: [HEADER, count(id, 70)] });
    const plan = await planImport(file, options);
    // From the posting on nothing can be read, so that nothing can settle it.
    let posted = false;
    const baseUrl = await openProxy(service.url, ({ path }) => {
      if (path.endsWith('voorraadmutatie/create')) posted = true;
      return posted ? { status: 500, body: { message: 'stuk' } } : undefined;
    });
    const lost = await applyPlan({ ...plan, service: baseUrl }, { ...options, baseUrl });
    expect(lost.counts).toMatchObject({ unknown: 1 });
    expect(lost.rows[0]?.message).toContain(`the total was ${start} before, and would be 70`);
    posted = false;
    await mutate(service, id, 3);
    const again = await importWorkbook(file, { ...options, baseUrl });
    expect(again.counts).toMatchObject({ unknown: 1 });
    expect(again.rows[0]?.message).toContain(`total ${start} before, ${start + 3} now`);
    await mutate(service, id, -3);
    expect((await importWorkbook(file, { ...options, baseUrl })).counts).toMatchObject({ unknown: 1 });
  });
});
