import { describe, expect, it } from 'vitest';
import { planImport } from '../../src/index.ts';
import { makeWorkbook, readBack } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';

const SHOP = [
  ['Prijslijst voorjaar', null, null, null, null],
  [null, null, null, null, null],
  ['Code', 'Wat', 'Soort', 'Oud', 'Bedrag'],
  [600_001, 'Lunchbuffet', 1, 11, 12.5],
  [600_002, 'Borrelplank', 2, 8, 9],
];

const CHOICE = {
  sheet: 'Blad1',
  as: 'packages',
  headerRow: 3,
  columns: [
    { column: 1, field: 'ExternalID' },
    { column: 2, field: 'OmschrijvingIntern' },
    { column: 3, field: 'ProductTypeID' },
    { column: 4, field: null },
    { column: 5, field: 'Verkoopprijs' },
  ],
};

describe('what is chosen for a sheet', () => {
  it('is kept with the plan: another process sends it so, and marks the sheet as it was read', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Blad1: SHOP, Oud: SHOP });
    const choices = [CHOICE, { ...CHOICE, sheet: 'Oud', as: null }];
    const plan = await planImport(file, { ...options, choices });
    expect(plan.counts).toMatchObject({ read: 2, created: 2 });
    const { code, stdout } = await service.run([
      ...['apply', plan.run, '--yes', '--json=all'],
      ...['--ledger', options.ledger, '--out', 'b.xlsx'],
    ]);
    const document = JSON.parse(stdout) as { rows: object[] };
    expect(code).toBe(0);
    expect(document.rows).toMatchObject([
      { sheet: 'Blad1', row: 4, status: 'created' },
      { sheet: 'Blad1', row: 5, status: 'created' },
    ]);
    const made = await service.records('package');
    const prices = made.flatMap((one) =>
      Number(one.ExternalID) > 600_000 ? [[one.ExternalID, one.Verkoopprijs]] : [],
    );
    expect(prices.sort()).toEqual([
      [600_001, 12.5],
      [600_002, 9],
    ]);
    const sheets = await readBack(`${service.folder}/b.xlsx`);
    expect([...(sheets.get('Blad1')?.get(3)?.values() ?? [])]).toContain('#status');
    expect([...(sheets.get('Oud')?.get(3)?.values() ?? [])]).not.toContain('#status');
  });
});
