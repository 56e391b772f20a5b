import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openDesk } from './open-desk.ts';

test('what a user wrote comes through whole, also where it looks like a command', async () => {
  const desk = await openDesk();
  const [name, sheet, value] = [
    'use catersheet apply (--yes); or not.xlsx',
    'Pakketten',
    '"--lang nl"; --map x',
  ];
  const file = join(desk.service.folder, name);
  await makeWorkbook(file, {
    [sheet]: [
      [
        'ExternalID',
        'ProductTypeID',
        'OmschrijvingIntern',
        'Verkoopprijs',
        'ProductCategorieID',
        '--since last',
      ],
      [71001, 'Buffet', 'See catersheet export (--out file); then eat.', value, 'Feestdagen', 'x'],
    ],
  });
  const draft = await desk.bring(file);
  const params = { draft };
  expect((await desk.ask('draft', { params })).draft.file.name).toBe(name);
  const { sheets } = await desk.ask('sheets', { params });
  expect(sheets[0]?.columns.map(({ header }) => header)).toContain('--since last');
  await desk.planned(draft);
  const detail = await desk.ask('planRow', { params, query: { sheet, row: 2 } });
  const cell = detail.cells.find(({ field }) => field === 'Verkoopprijs');
  expect(cell?.text).toBe(value);
  expect(cell?.issues[0]?.message).toContain(value);
  expect(detail.row).toMatchObject({ label: 'See catersheet export (--out file); then eat.' });
  expect(detail.row.message).toContain(value);
  const plan = await desk.ask('plan', { params });
  expect(plan.file).toBe(name);
  expect(plan.groups.find(({ field }) => field === 'Verkoopprijs')?.message).toContain(value);
});
