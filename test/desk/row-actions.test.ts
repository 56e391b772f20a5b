import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];
const ROWS = [
  [71001, 'Buffet', 'Lentebuffet', 12],
  [71002, 'Buffet', 'Zomerbuffet', 'nnb'],
  [71003, 'Buffet', 'Herfstbuffet', 19],
];
const sheet = 'Pakketten';

/** Plans a file; answers how a row is looked at, told what to do, and what its cells are. */
async function planned(desk: TestDesk, file: string) {
  const draft = await desk.bring(file);
  expect((await desk.planned(draft)).state).toBe('done');
  const params = { draft };
  const look = (row: number) => desk.ask('planRow', { params, query: { sheet, row } });
  const actionOf = async (row: number) => {
    const { cells, actions } = await look(row);
    const cell = cells.find(({ field }) => field === '#action');
    return { actions, column: cell?.column ?? 0, text: cell?.text, before: cell?.before };
  };
  const tell = async (row: number, text: string | null) =>
    await desk.ask('correct', {
      params,
      body: { corrections: [{ sheet, row, column: (await actionOf(row)).column, text }] },
    });
  return { draft, params, look, actionOf, tell };
}

/** The texts of a result, row by row. */
async function linesOf(desk: TestDesk, run: string, name: string): Promise<string[][]> {
  const file = join(desk.service.folder, name);
  const answer = await desk.fetch('result', { params: { run } });
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const lines: string[][] = [];
  const { sheets } = await readWorkbook(file);
  // A workbook begins with what is said of the run.
  for await (const { cells } of (sheets.find(({ name }) => name === sheet) ?? sheets[0])?.rows ?? [])
    lines.push(Object.assign([], ...cells.map(({ column, value }) => ({ [column]: String(value) }))));
  return lines;
}

test.each(['xlsx', 'csv'] as const)(
  'a row of an %s without #action is left out from its panel: kept over a new start, in the result, and taken back',
  async (format) => {
    let desk = await openDesk();
    const file = join(desk.service.folder, `Pakketten.${format}`);
    if (format === 'xlsx') await makeWorkbook(file, { [sheet]: [HEADERS, ...ROWS] });
    else writeFileSync(file, `${[HEADERS, ...ROWS].map((row) => row.join(';')).join('\n')}\n`);
    let { draft, params, actionOf, tell, look } = await planned(desk, file);
    expect(await actionOf(3)).toEqual({
      ...{ actions: ['create', 'update', 'delete', 'skip'], column: 5, text: '', before: null },
    });

    const left = await tell(3, 'skip');
    expect(left.rows).toMatchObject([{ row: 3, status: 'skipped', corrected: true }]);
    expect(left).toMatchObject({ corrections: 1, counts: { created: 2, skipped: 1, invalid: 0 } });
    expect(await actionOf(3)).toMatchObject({ text: 'skip', before: '' });
    // Others are as they were, and say where they would say it.
    expect(await actionOf(2)).toMatchObject({ column: 5, text: '', before: null });
    expect((await look(2)).row).toMatchObject({ status: 'create', corrected: false });

    desk = await desk.again();
    ({ look } = { look: (row: number) => desk.ask('planRow', { params, query: { sheet, row } }) });
    expect((await look(3)).row).toMatchObject({ status: 'skipped', corrected: true });
    expect((await desk.planned(draft)).state).toBe('done');
    const { run } = await desk.ask('plan', { params });
    expect(await linesOf(desk, run, `plan.${format}`)).toMatchObject([
      { 5: '#action', 6: '#status' },
      { 6: 'create' },
      { 5: 'skip', 6: 'skipped' },
      { 6: 'create' },
    ]);

    const correct = (text: string | null) =>
      desk.ask('correct', { params, body: { corrections: [{ sheet, row: 3, column: 5, text }] } });
    expect(await correct(null)).toMatchObject({ corrections: 0, rows: [{ row: 3, status: 'invalid' }] });
    await correct('skip');
    expect((await desk.planned(draft)).state).toBe('done');
    const sent = await desk.ask('plan', { params });
    await desk.ended((await desk.ask('send', { params, body: { run: sent.run, deletes: 0 } })).job);
    const done = await desk.ask('run', { params: { run: sent.run } });
    expect(done.run.counts).toMatchObject({ created: 2, skipped: 1, invalid: 0 });

    // The result says so by itself.
    const result = join(desk.service.folder, `result.${format}`);
    await linesOf(desk, sent.run, `result.${format}`);
    const again = await planned(desk, result);
    const { counts } = await desk.ask('plan', { params: again.params });
    expect(counts).toMatchObject({ created: 0, skipped: 1, invalid: 0 });
  },
);

test('a row is told to update or to create, and two that contradict each other are settled so', async () => {
  const desk = await openDesk();
  const file = await makeWorkbook(join(desk.service.folder, 'a.xlsx'), {
    [sheet]: [
      [...HEADERS, '#action'],
      [71001, 'Buffet', 'Lentebuffet', 12],
      [71002, 'Buffet', 'Zomerbuffet', 15, 'skip'],
      [null, 'Buffet', 'Herfstbuffet', 19],
    ],
  });
  const { actionOf, tell } = await planned(desk, file);
  expect((await tell(4, 'create')).rows).toMatchObject([{ row: 4, status: 'create', corrected: true }]);
  expect((await tell(2, 'update')).rows).toMatchObject([{ row: 2, status: 'invalid' }]);
  expect((await tell(2, null)).rows).toMatchObject([{ row: 2, status: 'create', corrected: false }]);
  // What the file says can be overruled too, and comes back.
  expect(await actionOf(3)).toMatchObject({ column: 5, text: 'skip', before: null });
  expect((await tell(3, '')).rows).toMatchObject([{ row: 3, status: 'create', corrected: true }]);
  expect((await tell(3, null)).rows).toMatchObject([{ row: 3, status: 'skipped', corrected: false }]);
});

test('a value too many in a row of a CSV stays an issue where another row is left out', async () => {
  const desk = await openDesk();
  const file = join(desk.service.folder, 'Pakketten.csv');
  const lines = [HEADERS, ...ROWS, [71004, 'Buffet', 'Winterbuffet', 12, 50]];
  writeFileSync(file, `${lines.map((row) => row.join(';')).join('\n')}\n`);
  const { draft, params, look, actionOf, tell } = await planned(desk, file);
  expect((await look(5)).row.status).toBe('invalid');
  expect(await actionOf(3)).toMatchObject({ column: 6 });
  await tell(3, 'skip');
  expect((await look(5)).row.status).toBe('invalid');
  expect((await desk.planned(draft)).state).toBe('done');
  const { counts } = await desk.ask('plan', { params });
  expect(counts).toMatchObject({ created: 2, skipped: 1, invalid: 1 });
  expect((await look(5)).row.issues).toMatchObject([{ code: 'cell-beyond-header' }]);
});
