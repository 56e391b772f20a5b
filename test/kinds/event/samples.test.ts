import { expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { openKitchen } from '../../helpers/kitchen.ts';
import { optionsFor } from './stand.ts';

it('the planner’s own workbook is imported, and needs nothing the second time', async () => {
  const kitchen = await openKitchen();
  const options = { ...optionsFor(kitchen), sheets: ['Evenementen'] };
  const file = 'fixtures/samples/planning-kwartaal.xlsx';
  const first = await importWorkbook(file, options);
  expect(first.counts).toMatchObject({ read: 60, created: 60 });
  await kitchen.clearLog();
  const second = await importWorkbook(file, options);
  expect(second.counts).toMatchObject({ read: 60, unchanged: 60 });
  expect((await kitchen.log()).counts).toEqual({ 'events.all': 1 });
});
