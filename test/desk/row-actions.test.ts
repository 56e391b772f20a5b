import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBack } from '../helpers/make-workbook.ts';
import { draftOn, openDesk, paramsOf } from './open-desk.ts';

test('a row is left out in its cell of #action: kept over a new start, in the result, and taken back', async () => {
  let desk = await openDesk();
  const { draft, planned } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs;#action',
    '71001;Buffet;Lentebuffet;12;',
    '71002;Buffet;Zomerbuffet;nnb;',
    '71003;Buffet;Herfstbuffet;19;;50',
  ]);
  await planned();
  const look = (row: number) => desk.look(draft, { sheet: 'Pakketten', row });
  const place = async () => (await look(3)).cells.find(({ field }) => field === '#action');
  const tell = async (text: string | null) => {
    const { column } = (await place()) ?? {};
    const corrections = [{ sheet: 'Pakketten', row: 3, column, text }];
    await desk.ask('correct', { ...paramsOf(draft), corrections });
    return (await look(3)).row;
  };
  const { column } = (await place()) ?? {};
  // Deleting is asked for in the file alone.
  const { entries } = await desk.ask('suggest', { ...paramsOf(draft), sheet: 'Pakketten', column });
  expect(entries.map(({ text }) => text)).toEqual(['create', 'update', 'skip']);
  const counts = { created: 1, skipped: 1, invalid: 1 };
  expect(await tell('skip')).toMatchObject({ status: 'skipped', corrected: true });
  expect((await desk.rows(draft)).counts).toMatchObject(counts);
  expect(await place()).toMatchObject({ text: 'skip', before: '' });
  desk = await desk.again();
  expect((await look(3)).row).toMatchObject({ status: 'skipped', corrected: true });
  expect(await tell(null)).toMatchObject({ status: 'invalid', corrected: false });
  await tell('skip');
  await desk.planned(draft);
  // A value too many in another row stays an issue.
  expect((await look(4)).row.issues).toMatchObject([{ code: 'cell-beyond-header' }]);
  const { run } = await desk.plan(draft);
  await desk.ended((await desk.ask('send', { run, deletes: 0 })).job);
  expect((await desk.ask('run', { run })).run.counts).toMatchObject(counts);
  const result = join(desk.service.folder, 'result.csv');
  writeFileSync(result, Buffer.from(await (await desk.fetch('result', { run })).arrayBuffer()));
  const lines = (await readBack(result)).get('result');
  expect([...(lines?.get(1)?.values() ?? [])]).toContain('#action');
  expect([...(lines?.get(3)?.values() ?? [])]).toEqual(expect.arrayContaining(['skip', 'skipped']));
});
