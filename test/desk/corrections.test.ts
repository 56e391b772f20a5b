import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

const HEADERS = [
  'ExternalID',
  'ProductTypeID',
  'OmschrijvingIntern',
  'Verkoopprijs',
  'ProductCategorieID',
  'Actief',
];

/** A catalogue of packages: prices that can't be read in three rows, an unknown type in another. */
async function broughtCatalogue(desk: TestDesk): Promise<string> {
  const file = join(desk.service.folder, 'catalogus.xlsx');
  await makeWorkbook(file, {
    Pakketten: [
      HEADERS,
      [71001, 'Buffet', 'Lentebuffet', 'nnb', 'Feestdagen', 'Ja'],
      [71002, 'Buffet', 'Zomerbuffet', 'nnb', 'Feestdagen', 'Ja'],
      [71003, 'Bufet', 'Herfstbuffet', 19.5, 'Feestdagen', 'Ja'],
      [71004, 'Buffet', 'Winterbuffet', 'nnb', 'Feestdagen', 'Ja'],
      [71005, 'Buffet', 'Paasbuffet', 21, 'Feestdagen', 'Ja'],
    ],
  });
  return await desk.bring(file);
}

const query = { sheet: 'Pakketten', row: 2 };

test('a bad cell is corrected in place, the same is offered for the others, and what comes back holds it', async () => {
  const desk = await openDesk();
  const draft = await broughtCatalogue(desk);
  const params = { draft };
  expect((await desk.planned(draft)).state).toBe('done');
  const before = await desk.ask('planRows', { params, body: { work: true } });
  expect(before.rows.map(({ row, status }) => [row, status])).toEqual(
    [2, 3, 4, 5].map((row) => [row, 'invalid']),
  );

  const bad = await desk.ask('planRow', { params, query });
  const cell = bad.cells.find(({ field }) => field === 'Verkoopprijs');
  expect(cell).toMatchObject({ letters: 'D', text: 'nnb', before: null, same: 3 });
  expect(cell?.issues).toHaveLength(1);

  const column = cell?.column ?? 0;
  const answered = await desk.ask('correct', {
    params,
    body: { corrections: [{ sheet: 'Pakketten', row: 2, column, text: '12,50' }] },
  });
  expect(answered.rows).toMatchObject([{ row: 2, status: 'create', corrected: true }]);
  expect(answered.counts).toMatchObject({ created: 2, invalid: 3 });
  expect(answered.same).toMatchObject({ count: 2, text: '12,50', column });

  const groupOf = async () =>
    (await desk.ask('plan', { params })).groups.find(({ field }) => field === 'Verkoopprijs');
  expect((await groupOf())?.count).toBe(2);
  const { count: _, ...same } = answered.same as NonNullable<typeof answered.same>;
  const all = await desk.ask('correctSame', { params, body: same });
  expect(all).toMatchObject({ corrected: 2, counts: { created: 4, invalid: 1 } });

  expect(await groupOf()).toBeUndefined();
  const type = await desk.ask('planRow', { params, query: { sheet: 'Pakketten', row: 4 } });
  const typeColumn = type.cells.find(({ field }) => field === 'ProductTypeID');
  expect(typeColumn?.list).toBe(true);
  const suggested = await desk.ask('suggest', {
    params,
    query: { sheet: 'Pakketten', column: typeColumn?.column, search: 'buf' },
  });
  expect(suggested.kind).toBe('names');
  expect(suggested.entries.map(({ text }) => text)).toContain('Buffet');
  await desk.ask('correct', {
    params,
    body: { corrections: [{ sheet: 'Pakketten', row: 4, column: typeColumn?.column, text: 'Buffet' }] },
  });

  // What was shown is made anew with the whole file before anything is sent.
  const stale = await desk.ask('plan', { params });
  expect(stale.stale).toBe(true);
  expect((await desk.fetch('send', { params, body: { run: stale.run, deletes: 0 } })).status).toBe(409);
  await desk.planned(draft);
  const plan = await desk.ask('plan', { params });
  expect(plan).toMatchObject({ stale: false, counts: { created: 5, invalid: 0 } });
  const { job } = await desk.ask('send', { params, body: { run: plan.run, deletes: 0 } });
  const sent = await desk.ended(job);
  expect(sent).toMatchObject({ state: 'done', outcomes: { created: 5 } });

  const response = await desk.fetch('result', { params: { run: plan.run } });
  expect(response.headers.get('content-disposition')).toContain(
    'attachment; filename="catalogus.result.xlsx"',
  );
  const result = join(desk.service.folder, 'back.xlsx');
  writeFileSync(result, new Uint8Array(await response.arrayBuffer()));
  const prices: unknown[] = [];
  for (const sheet of await readWorkbook(result))
    if (sheet.name === 'Pakketten')
      for await (const { number, cells } of sheet.rows)
        if (number > 1) prices.push(cells.find((one) => one.column === column)?.value);
  expect(prices).toEqual([12.5, 12.5, 19.5, 12.5, 21]);
  const packages = await desk.service.records('package');
  expect(packages.filter(({ OmschrijvingIntern }) => OmschrijvingIntern === 'Lentebuffet')).toHaveLength(1);
});
