import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changePackage, packageOf, serviceOf, withBaseline } from '../import/baseline/fixtures.ts';
import { openDesk, paramsOf } from './open-desk.ts';

test('one decision is offered for all conflicts that are open, and decides them in one go', async () => {
  const desk = await openDesk();
  const { service } = desk;
  const ids = (await service.records('package')).slice(0, 3).map(({ id }) => Number(id));
  const records = [];
  for (const id of ids) {
    const values = await packageOf(service, id);
    records.push({ resource: 'packages', key: `id:${id}`, lmt: String(values.LMT), values });
  }
  const file = join(service.folder, 'export.xlsx');
  const rows = [['ProductID', 'Verkoopprijs'], ...ids.map((id) => [id, 5000])];
  await withBaseline(file, { Pakketten: rows }, serviceOf(service), records);
  for (const id of ids) await changePackage(service, id, { Verkoopprijs: 4000 });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  const params = paramsOf(draft);
  const decisions = [{ sheet: 'Pakketten', row: 2, decide: 'theirs' }];
  const { offer } = await desk.ask('correct', { ...params, decisions });
  expect(offer?.decisions).toMatchObject([{ decide: 'theirs' }, { decide: 'theirs' }]);
  const others = offer?.decisions.map((place) => ({ ...place, decide: 'mine' }));
  expect((await desk.ask('correct', { ...params, decisions: others })).offer).toBeNull();
  const { rows: shown, counts } = await desk.rows(draft);
  expect(counts).toMatchObject({ conflict: 0, updated: 2 });
  expect(shown.map(({ decided }) => decided)).toEqual(['theirs', 'mine', 'mine']);
});
