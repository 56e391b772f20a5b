import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changePackage, packageOf, serviceOf, withBaseline } from '../import/baseline/fixtures.ts';
import { openDesk } from './open-desk.ts';

test.each([
  ['nl', { was: '34,50', now: '1.040,00', mine: '50,00' }],
  ['en', { was: '34.50', now: '1,040.00', mine: '50.00' }],
] as const)('a conflict shows money with its cents, in the language of the page: %s', async (lang, shown) => {
  const desk = await openDesk({}, { lang });
  const { service } = desk;
  const id = Number((await service.records('package'))[0]?.id);
  await changePackage(service, id, { Verkoopprijs: 34.5 });
  const values = await packageOf(service, id);
  const record = { resource: 'packages', key: `id:${id}`, lmt: String(values.LMT), values };
  const file = join(service.folder, 'export.xlsx');
  const rows = [
    ['ProductID', 'Verkoopprijs'],
    [id, 50],
  ];
  await withBaseline(file, { Pakketten: rows }, serviceOf(service), [record]);
  await changePackage(service, id, { Verkoopprijs: 1040 });
  const draft = await desk.bring(file);
  const params = { draft };
  await desk.planned(draft);
  const query = { sheet: 'Pakketten', row: 2 };
  const conflict = [{ field: 'Verkoopprijs', ...shown }];
  expect((await desk.ask('planRow', { params, query })).conflict).toEqual(conflict);
  const plan = await desk.ask('plan', { params });
  expect(plan.sheets[0]?.money).toContain('Verkoopprijs');
  expect(plan.sheets[0]?.money).not.toContain('ProductID');
  const decisions = [{ ...query, decide: 'mine' }];
  await desk.ask('correct', { params, body: { decisions } });
  expect((await desk.ask('planRow', { params, query })).conflict).toEqual(conflict);
  const run = await desk.ask('runRow', { params: { run: plan.run }, query });
  expect(run.conflict).toEqual(conflict);
});

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
  const params = { draft };
  await desk.planned(draft);
  const decisions = [{ sheet: 'Pakketten', row: 2, decide: 'theirs' }];
  expect(await desk.ask('correct', { params, body: { decisions } })).toMatchObject({ conflicts: 2 });
  const all = await desk.ask('decideAll', { params, body: { decide: 'mine' } });
  expect(all).toMatchObject({ decided: 2, counts: { conflict: 0, updated: 2 } });
  const { rows: shown } = await desk.ask('planRows', { params, body: {} });
  expect(shown.map(({ decided }) => decided)).toEqual(['theirs', 'mine', 'mine']);
});
