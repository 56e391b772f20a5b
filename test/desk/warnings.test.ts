import { expect, test } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER } from '../helpers/make-workbook.ts';
import { openDesk } from './open-desk.ts';

const ROWS = [
  [...PACKAGE_HEADER],
  [650_001, 'Zomerbuffet', 1, '1.125', true],
  [650_002, 'Lentebuffet', 1, '1.250', true],
  [650_003, 'Herfstbuffet', 1, 12.5, true],
  // It has a warning too, and is not sent.
  [650_004, 'Winterbuffet', 1, '1.125', 'misschien'],
];

test('rows with warnings are counted and grouped as far as they are sent, and have a filter of their own', async () => {
  const desk = await openDesk();
  const draft = await desk.bring(await makeWorkbook(`${desk.service.folder}/a.xlsx`, { Pakketten: ROWS }));
  const params = { draft };
  await desk.planned(draft);
  const plan = await desk.ask('plan', { params });
  expect(plan.warned).toEqual({ rows: 3, sends: 2 });
  expect(plan.groups.filter(({ severity }) => severity === 'warning')).toMatchObject([
    { code: 'number-grouping', count: 3, sends: 2, places: ['D2', 'D3', 'D5'] },
  ]);
  const rowsWith = async () =>
    (await desk.ask('planRows', { params, body: { warned: true } })).rows.map(({ row }) => row);
  expect(await rowsWith()).toEqual([2, 3, 5]);

  // A correction takes its row out.
  const corrections = [{ sheet: 'Pakketten', row: 3, column: 4, text: '12,5' }];
  await desk.ask('correct', { params, body: { corrections } });
  expect(await rowsWith()).toEqual([2, 5]);
  await desk.planned(draft);
  const { run, warned } = await desk.ask('plan', { params });
  expect(warned).toEqual({ rows: 2, sends: 1 });

  await desk.ended((await desk.ask('send', { params, body: { run, deletes: 0 } })).job);
  expect((await desk.ask('run', { params: { run } })).plan?.warned).toEqual({ rows: 2, sends: 1 });
  const sent = await desk.ask('runRows', { params: { run }, body: { warned: true } });
  expect(sent.rows).toMatchObject([
    { row: 2, status: 'created' },
    { row: 5, status: 'invalid' },
  ]);
});
