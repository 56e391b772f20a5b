import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBack } from '../helpers/make-workbook.ts';
import { openDesk } from './open-desk.ts';

test('a row of a file without #action is left out from its panel: kept over a new start, in the result, and taken back', async () => {
  let desk = await openDesk();
  const file = join(desk.service.folder, 'Pakketten.csv');
  const rows = [
    '71001;Buffet;Lentebuffet;12',
    '71002;Buffet;Zomerbuffet;nnb',
    '71003;Buffet;Herfstbuffet;19;50',
  ];
  writeFileSync(file, `ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs\n${rows.join('\n')}\n`);
  const draft = await desk.bring(file);
  const params = { draft };
  await desk.planned(draft);
  const look = (row: number) => desk.ask('planRow', { params, query: { sheet: 'Pakketten', row } });
  const place = async (row: number) => (await look(row)).cells.find(({ field }) => field === '#action');
  const tell = async (row: number, text: string | null) => {
    const column = (await place(row))?.column ?? 0;
    return await desk.ask('correct', {
      params,
      body: { corrections: [{ sheet: 'Pakketten', row, column, text }] },
    });
  };
  expect((await look(3)).actions).toEqual(['create', 'update', 'delete', 'skip']);
  expect(await tell(3, 'skip')).toMatchObject({
    corrections: 1,
    counts: { created: 1, skipped: 1, invalid: 1 },
    rows: [{ row: 3, status: 'skipped', corrected: true }],
  });
  expect(await place(3)).toMatchObject({ text: 'skip', before: '' });
  desk = await desk.again();
  expect((await look(3)).row).toMatchObject({ status: 'skipped', corrected: true });
  expect(await tell(3, null)).toMatchObject({ corrections: 0, rows: [{ row: 3, status: 'invalid' }] });
  await tell(3, 'skip');
  await desk.planned(draft);
  // A value too many in another row stays an issue.
  expect((await look(4)).row.issues).toMatchObject([{ code: 'cell-beyond-header' }]);
  const { run } = await desk.ask('plan', { params });
  await desk.ended((await desk.ask('send', { params, body: { run, deletes: 0 } })).job);
  expect((await desk.ask('run', { params: { run } })).run.counts).toMatchObject({
    created: 1,
    skipped: 1,
    invalid: 1,
  });
  const result = join(desk.service.folder, 'result.csv');
  writeFileSync(result, Buffer.from(await (await desk.fetch('result', { params: { run } })).arrayBuffer()));
  const lines = (await readBack(result)).get('result');
  expect([...(lines?.get(1)?.values() ?? [])]).toContain('#action');
  expect([...(lines?.get(3)?.values() ?? [])]).toEqual(expect.arrayContaining(['skip', 'skipped']));
});
