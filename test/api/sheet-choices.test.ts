import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorld } from '../promises/world.ts';

const FIELDS = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', null, 'Verkoopprijs'];

test('what is chosen for a sheet is kept with the plan: another process sends it so, and marks the sheet as it was read', async () => {
  const { sheet, machine, planImport, applyPlan, service } = openWorld();
  const file = sheet([
    ['Prijslijst voorjaar'],
    [],
    ['Code', 'Wat', 'Soort', 'Oud', 'Bedrag'],
    [600_001, 'Lunchbuffet', 1, 11, '12,5'],
    [600_002, 'Borrelplank', 2, 8, 9],
  ]);
  const columns = FIELDS.map((field, at) => ({ column: at + 1, field }));
  const choices = [{ sheet: 'week-1', as: 'packages', headerRow: 3, columns }];
  const { allRows: _, ...options } = machine();
  const out = `${options.out}.csv`;
  const { run } = await planImport(file, { ...options, choices });
  const { rows } = await applyPlan(run, { ...options, out, allRows: true });
  expect(rows.map(({ row, status }) => `${row} ${status}`)).toEqual(['4 created', '5 created']);
  const prices = new Map([...service.packages.all()].map((one) => [one.ExternalID, one.Verkoopprijs]));
  expect([prices.get(600_001), prices.get(600_002)]).toEqual([12.5, 9]);
  expect(readFileSync(out, 'utf8')).toMatch(/\nCode;Wat;Soort;Oud;Bedrag;#status;/);
});
