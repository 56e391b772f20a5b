import { expect, test } from 'vitest';
import { draftOn, openDesk } from './open-desk.ts';

test('what a user wrote comes through whole, also where it looks like a command', async () => {
  const [name, label, value] = [
    'use catersheet apply (--yes); or not.csv',
    'See catersheet export (--out file), then eat.',
    '--map x',
  ];
  const desk = await openDesk();
  const { ask, draft, planned } = await draftOn(desk, name, [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs;--since last',
    `71001;Buffet;${label};${value};x`,
  ]);
  const { file, sheets } = await ask('sheets');
  expect(file).toBe(name);
  const [sheet] = sheets;
  expect(sheet?.columns.map(({ header }) => header)).toContain('--since last');
  await planned();
  const detail = await desk.look(draft, { sheet: sheet?.sheet, row: 2 });
  const cell = detail.cells.find(({ field }) => field === 'Verkoopprijs');
  expect(cell?.text).toBe(value);
  expect(cell?.issues[0]?.message).toContain(value);
  expect(detail.row).toMatchObject({ label, message: expect.stringContaining(value) });
  const plan = await desk.plan(draft);
  expect(plan.of.file).toBe(name);
  expect(plan.groups.find(({ field }) => field === 'Verkoopprijs')?.message).toContain(value);
});
