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
