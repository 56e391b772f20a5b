import { describe, expect, it } from 'vitest';
import { importWorkbook, planImport, readSheets } from '../../src/index.ts';
import { makeWorkbook, readBack } from '../helpers/make-workbook.ts';
import { serviceOnly } from '../helpers/service-options.ts';
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

  it('is remembered by its headers: the next file is read so by itself', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const first = await makeWorkbook(`${service.folder}/a.xlsx`, { Blad1: SHOP });
    await importWorkbook(first, { ...options, choices: [CHOICE] });
    const dearer = SHOP.map((row) => row.map((cell) => (cell === 12.5 ? 14 : cell)));
    const next = await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: dearer });
    const plan = await planImport(next, options);
    expect(plan.counts).toMatchObject({ read: 2, updated: 1, unchanged: 1 });
    expect(plan.notes.map(({ text }) => text.en).join()).toContain(
      'Headers as remembered: Code = ExternalID, Wat = OmschrijvingIntern',
    );
  });

  it('is remembered too where a column is left unused from then on', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Blad1: SHOP });
    const next = await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: SHOP });
    const known = async () => {
      const { sheets } = await readSheets(next, serviceOnly(options));
      return sheets[0]?.columns.map(({ header, field, why }) => `${header} ${field} ${why}`);
    };
    const columns = CHOICE.columns.map((one) => (one.column === 4 ? { ...one, field: 'Volume' } : one));
    await planImport(file, { ...options, choices: [{ ...CHOICE, columns }] });
    expect(await known()).toContain('Oud Volume remembered');
    await planImport(file, { ...options, choices: [CHOICE] });
    expect(await known()).toEqual([
      'Code ExternalID remembered',
      'Wat OmschrijvingIntern remembered',
      'Soort ProductTypeID remembered',
      'Oud null remembered',
      'Bedrag Verkoopprijs remembered',
    ]);
  });

  it('goes for each of two sheets of one kind', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const other = [
      ['Nummer', 'Naam', 'Type', 'Prijs'],
      [600_003, 'Soep', 1, 4.5],
    ];
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Blad1: SHOP, Blad2: other });
    const columns = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
    const choices = [
      CHOICE,
      { sheet: 'Blad2', as: 'packages', columns: columns.map((field, at) => ({ column: at + 1, field })) },
    ];
    const done = await importWorkbook(file, { ...options, choices });
    expect(done.sheets).toMatchObject([
      { sheet: 'Blad1', counts: { created: 2 } },
      { sheet: 'Blad2', counts: { created: 1 } },
    ]);
  });

  it('that is none of an import’s kinds, or no choice at all, is refused before anything is read', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Blad1: SHOP });
    const planned = planImport(file, { ...options, choices: [{ sheet: 'Blad1', as: 'documents' }] });
    await expect(planned).rejects.toMatchObject({ exit: 2, message: expect.stringContaining('documents') });
    const wrong = planImport(file, { ...options, choices: [{ sheet: 'Blad1', headerRow: 0 }] });
    await expect(wrong).rejects.toMatchObject({ exit: 2, message: expect.stringContaining('headerRow') });
    const twins = CHOICE.columns.map(({ column }) => ({ column, field: 'Verkoopprijs' }));
    const twice = planImport(file, { ...options, choices: [{ ...CHOICE, columns: twins }] });
    await expect(twice).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining('more than one column is chosen for Verkoopprijs'),
    });
    expect((await service.log()).requests).toHaveLength(0);
  });
});
