import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { type Kitchen, openKitchen } from '../../helpers/kitchen.ts';
import { makeWorkbook, packageRows, readBack } from '../../helpers/make-workbook.ts';

const RECIPES = [
  ['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID', 'Gewicht', 'OPK'],
  [500_000, 'Soep van de dag', 1, 201, 0.5, 4],
];

const NOTES = [['Niet voor de keuken'], ['bellen met de bakker']];

async function writes(kitchen: Kitchen): Promise<number> {
  const { counts } = await kitchen.log();
  return (counts['packages.create'] ?? 0) + (counts['recipes.create'] ?? 0);
}

describe('a target that can’t be written stops the run before anything is sent', () => {
  test.each(['/dev/full', 'weg/uit.xlsx', 'uit.pdf', 'map.xlsx', 'in.xlsx'])('%s', async (out) => {
    const kitchen = await openKitchen();
    mkdirSync(join(kitchen.folder, 'map.xlsx'));
    const file = await makeWorkbook(join(kitchen.folder, 'in.xlsx'), { Pakketten: packageRows(3) });
    const { code, stdout } = await kitchen.run(['import', file, '--yes', '--out', out]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(await writes(kitchen)).toBe(0);
  });
});

describe('a result that can’t be written after all', () => {
  const takeItsPlace = async (kitchen: Kitchen, out: string, rows = packageRows(40)) => {
    const file = await makeWorkbook(join(kitchen.folder, 'in.xlsx'), { Pakketten: rows });
    const running = kitchen.run(['import', file, '--yes', '--json', '--out', out]);
    while ((await writes(kitchen)) < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    mkdirSync(join(kitchen.folder, out));
    return await running;
  };

  test('leaves the counts, then says so and ends as a wrong target does', async () => {
    const kitchen = await openKitchen({ faults: { latencyMs: 30 } });
    const { code, stdout, stderr } = await takeItsPlace(kitchen, 'uit.xlsx');
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { read: 40, created: 40 },
      result: null,
      resultError: expect.stringContaining('it is a folder'),
    });
    expect(stderr).toContain('it is a folder');
    expect(stderr).toContain('rows that are done come out unchanged');
    expect(code).toBe(2);
  });

  test('does not hide that rows are wrong', async () => {
    const kitchen = await openKitchen({ faults: { latencyMs: 30 } });
    const rows = [...packageRows(40), [700_000, 'Zonder prijs', 1, 'abc', true]];
    const { code, stdout } = await takeItsPlace(kitchen, 'uit.xlsx', rows);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { created: 40, invalid: 1 }, result: null });
    expect(code).toBe(5);
  });

  test('is in what integrators get, with all rows', async () => {
    const kitchen = await openKitchen();
    const out = join(kitchen.folder, 'uit.xlsx');
    const file = await makeWorkbook(join(kitchen.folder, 'in.xlsx'), { Pakketten: packageRows(3) });
    const done = await importWorkbook(file, {
      baseUrl: kitchen.url,
      token: kitchen.token,
      ledger: join(kitchen.folder, 'ledger.db'),
      log: join(kitchen.folder, 'run.log'),
      out,
      allRows: true,
      onProgress: ({ stage }) => {
        if (stage === 'writing') mkdirSync(out);
      },
    });
    expect(done).toMatchObject({ result: null, counts: { created: 3 } });
    expect(done.resultError).toContain('it is a folder');
    expect(done.rows).toHaveLength(3);
  });
});

describe('a workbook whose result is to be a CSV', () => {
  const workbook = (kitchen: Kitchen) =>
    makeWorkbook(join(kitchen.folder, 'in.xlsx'), {
      Notities: NOTES,
      Pakketten: packageRows(2),
      Recepten: RECIPES,
    });

  test('is refused while it holds more than one sheet to import', async () => {
    const kitchen = await openKitchen();
    const args = ['import', await workbook(kitchen), '--yes', '--out', 'uit.csv'];
    const { code, stderr } = await kitchen.run(args);
    expect(code).toBe(2);
    expect(stderr).toContain('Pakketten, Recepten');
    expect(stderr).toContain('--sheet');
    expect(await writes(kitchen)).toBe(0);
    expect(existsSync(join(kitchen.folder, 'uit.csv'))).toBe(false);
  });

  test('gives the sheet that was imported, not the first one', async () => {
    const kitchen = await openKitchen();
    const args = ['import', await workbook(kitchen), '--yes', '--sheet', 'Recepten', '--out', 'uit.csv'];
    const { code } = await kitchen.run(args);
    expect(code).toBe(0);
    const [header, soup] = readFileSync(join(kitchen.folder, 'uit.csv'), 'utf8').split('\r\n');
    expect(header).toContain('OPK;#status');
    expect(soup).toContain('Soep van de dag;1;201;0.5;4;created');
  });
});

test('a result is corrected and imported again, as often as needed', async () => {
  const kitchen = await openKitchen();
  const bad = (price: string | number) => [...packageRows(2), [700_000, 'Soep', 1, price, true]];
  await makeWorkbook(join(kitchen.folder, 'week12.xlsx'), { Pakketten: bad('abc') });
  const first = await kitchen.runJson(['import', 'week12.xlsx', '--yes']);
  expect(first.document).toMatchObject({ result: 'week12.result.xlsx', counts: { created: 2, invalid: 1 } });
  const second = await kitchen.runJson(['import', 'week12.result.xlsx', '--yes']);
  expect(second.document).toMatchObject({
    result: 'week12.result-2.xlsx',
    counts: { unchanged: 2, invalid: 1 },
  });
  const third = await kitchen.runJson(['import', 'week12.result-2.xlsx', '--yes']);
  expect(third.document.result).toBe('week12.result-3.xlsx');
  const headers = (await readBack(join(kitchen.folder, 'week12.result-3.xlsx'))).get('Pakketten')?.get(1);
  expect([...(headers?.values() ?? [])].filter((header) => header === '#status')).toHaveLength(1);
});
