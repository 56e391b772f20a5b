import { expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';

it('the sample workbook of events is imported, and needs nothing the second time', async () => {
  const service = await openTestService();
  const options = { ...optionsFor(service), sheets: ['Evenementen'] };
  const file = 'fixtures/samples/planning-kwartaal.xlsx';
  const first = await importWorkbook(file, options);
  expect(first.counts).toMatchObject({ read: 60, created: 60 });
  await service.clearLog();
  const second = await importWorkbook(file, options);
  expect(second.counts).toMatchObject({ read: 60, unchanged: 60 });
  expect((await service.log()).counts).toEqual({ 'events.all': 1 });
});
