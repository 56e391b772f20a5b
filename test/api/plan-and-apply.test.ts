import { describe, expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport, StopError } from '../../src/index.ts';
import { type Kitchen, openKitchen } from '../helpers/kitchen.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';

function optionsFor(kitchen: Kitchen) {
  const { folder } = kitchen;
  return {
    baseUrl: kitchen.url,
    token: kitchen.token,
    ledger: `${folder}/ledger.db`,
    log: `${folder}/run.log`,
    out: `${folder}/r.xlsx`,
    lang: 'en',
  } as const;
}

const cheaper = (rows: ReturnType<typeof packageRows>) =>
  rows.map((row, index) => (index === 0 ? row : [...row.slice(0, 3), 1.5, row[4] ?? null]));

async function changePrice(kitchen: Kitchen, external: number, price: number): Promise<void> {
  const [record] = (await kitchen.records('package')).filter(({ ExternalID }) => ExternalID === external);
  await kitchen.request('POST', 'api/v1/product/pakket/update', {
    ProductID: record?.id,
    ProductTypeID: 1,
    OmschrijvingIntern: 'Van een ander',
    Verkoopprijs: price,
  });
}

describe('a record that changed between plan and apply', () => {
  it.each([
    ['the list', 120, 20],
    ['one by one', 5, 20],
  ])('is a conflict and is left alone, read by %s', async (_, rows, pageSize) => {
    const kitchen = await openKitchen({ pageSize, extraPackages: 200 });
    const options = optionsFor(kitchen);
    const all = packageRows(rows);
    await importWorkbook(await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Pakketten: all }), options);
    const plan = await planImport(
      await makeWorkbook(`${kitchen.folder}/b.xlsx`, { Pakketten: cheaper(all) }),
      options,
    );
    expect(plan.counts).toMatchObject({ read: rows, updated: rows });
    await changePrice(kitchen, 600_002, 77);
    const done = await applyPlan(plan, options);
    expect(done.counts).toMatchObject({ updated: rows - 1, conflict: 1 });
    expect(done.rows).toHaveLength(1);
    expect(done.rows[0]).toMatchObject({
      row: 4,
      status: 'conflict',
      message: expect.stringContaining('changed on the service'),
    });
    const [after] = (await kitchen.records('package')).filter(({ ExternalID }) => ExternalID === 600_002);
    expect(after).toMatchObject({ Verkoopprijs: 77 });
  });

  it('and a record that was deleted meanwhile is one too', async () => {
    const kitchen = await openKitchen({ pageSize: 20, extraPackages: 200 });
    const options = optionsFor(kitchen);
    const all = packageRows(4);
    await importWorkbook(await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Pakketten: all }), options);
    const plan = await planImport(
      await makeWorkbook(`${kitchen.folder}/b.xlsx`, { Pakketten: cheaper(all) }),
      options,
    );
    const [victim] = (await kitchen.records('package')).filter(({ ExternalID }) => ExternalID === 600_001);
    await kitchen.request('DELETE', 'api/v1/product/pakket/delete', { ProductID: victim?.id });
    const done = await applyPlan(plan, options);
    expect(done.counts).toMatchObject({ updated: 3, conflict: 1 });
  });
});

describe('the cheaper way to look records up', () => {
  it('asks row by row when the rows are fewer than the pages', async () => {
    const kitchen = await openKitchen({ pageSize: 10, extraPackages: 500 });
    const options = optionsFor(kitchen);
    await kitchen.clearLog();
    const plan = await planImport(
      await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Pakketten: packageRows(12) }),
      options,
    );
    expect(plan.counts).toMatchObject({ created: 12 });
    const { counts } = await kitchen.log();
    expect(counts['packages.detailExternal']).toBe(12);
    expect(counts['packages.allModified']).toBe(1);
  });

  it('reads the pages when they are fewer than the rows', async () => {
    const kitchen = await openKitchen({ pageSize: 50, extraPackages: 200 });
    const options = optionsFor(kitchen);
    const { length } = await kitchen.records('package');
    await kitchen.clearLog();
    await planImport(
      await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Pakketten: packageRows(100) }),
      options,
    );
    const { counts } = await kitchen.log();
    expect(counts).toEqual({ 'packages.allModified': Math.ceil(length / 50) });
  });

  it('reads the list when a column is used that only lists return', async () => {
    const kitchen = await openKitchen({ pageSize: 10, extraPackages: 0 });
    const options = optionsFor(kitchen);
    const header = [
      'ExternalID',
      'OmschrijvingIntern',
      'ProductCategorieID',
      'ProductEenheidWaardeID',
      'Gewicht',
      'OPK',
      'RekenEenheidID',
    ];
    const file = await makeWorkbook(`${kitchen.folder}/a.xlsx`, {
      Recepten: [header, [500_001, 'Soep', 1, 201, 0.5, 4, 'gram'], [500_002, 'Stamppot', 1, 201, 0.5, 4, 3]],
    });
    await importWorkbook(file, options);
    const again = await importWorkbook(file, options);
    expect(again.counts).toMatchObject({ unchanged: 2 });
  });
});

describe('integrators', () => {
  it('get an error with an exit code and a next step for what stops a run', async () => {
    const kitchen = await openKitchen();
    const failing = importWorkbook(`${kitchen.folder}/weg.xlsx`, optionsFor(kitchen));
    await expect(failing).rejects.toBeInstanceOf(StopError);
    await expect(failing).rejects.toMatchObject({ exitCode: 3, next: expect.any(String) });
  });

  it('cannot apply a plan to another service', async () => {
    const kitchen = await openKitchen();
    const other = await openKitchen();
    const file = await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Pakketten: packageRows(3) });
    const plan = await planImport(file, optionsFor(kitchen));
    await expect(applyPlan(plan, optionsFor(other))).rejects.toMatchObject({ exitCode: 2 });
  });

  it('see every planned row before anything is sent', async () => {
    const kitchen = await openKitchen();
    const file = await makeWorkbook(`${kitchen.folder}/a.xlsx`, { Pakketten: packageRows(3) });
    const plan = await planImport(file, optionsFor(kitchen));
    const rows = [];
    for await (const row of plan.rows()) rows.push(row.status);
    expect(rows).toEqual(['create', 'create', 'create']);
  });
});
