import { describe, expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport, StopError } from '../../src/index.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { openProxy } from '../helpers/proxy.ts';
import { openTestService, type TestService } from '../helpers/test-service.ts';

function optionsFor(service: TestService) {
  const { folder } = service;
  return {
    baseUrl: service.url,
    doubt: 1,
    token: service.token,
    ledger: `${folder}/ledger.db`,
    log: `${folder}/run.log`,
    out: `${folder}/r.xlsx`,
    lang: 'en',
  } as const;
}

const cheaper = (rows: ReturnType<typeof packageRows>) =>
  rows.map((row, index) => (index === 0 ? row : [...row.slice(0, 3), 1.5, row[4] ?? null]));

async function changePrice(service: TestService, external: number, price: number): Promise<void> {
  const [record] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === external);
  await service.request('POST', 'api/v1/product/pakket/update', {
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
    const service = await openTestService({ pageSize, extraPackages: 200 });
    const options = optionsFor(service);
    const all = packageRows(rows);
    await importWorkbook(await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: all }), options);
    const plan = await planImport(
      await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: cheaper(all) }),
      options,
    );
    expect(plan.counts).toMatchObject({ read: rows, updated: rows });
    await changePrice(service, 600_002, 77);
    const done = await applyPlan(plan, options);
    expect(done.counts).toMatchObject({ updated: rows - 1, conflict: 1 });
    expect(done.rows).toHaveLength(1);
    expect(done.rows[0]).toMatchObject({
      row: 4,
      status: 'conflict',
      message: expect.stringContaining('changed on the service'),
      issues: [expect.objectContaining({ code: 'changed-meanwhile', field: 'Verkoopprijs' })],
    });
    // What the plan read, what the service holds and what the sheet says.
    expect(done.rows[0]?.message).toMatch(
      /D4 Verkoopprijs: found "1,5".* it was 10,5, is now 77 on the service/,
    );
    const [after] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 600_002);
    expect(after).toMatchObject({ Verkoopprijs: 77 });
  });

  it('is a conflict too when it was deleted', async () => {
    const service = await openTestService({ pageSize: 20, extraPackages: 200 });
    const options = optionsFor(service);
    const all = packageRows(4);
    await importWorkbook(await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: all }), options);
    const plan = await planImport(
      await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: cheaper(all) }),
      options,
    );
    const [victim] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 600_001);
    await service.request('DELETE', 'api/v1/product/pakket/delete', { ProductID: victim?.id });
    const done = await applyPlan(plan, options);
    expect(done.counts).toMatchObject({ updated: 3, conflict: 1 });
  });
});

describe('a create of which it is not known whether it took effect', () => {
  it('is sent by the next import when it never arrived', async () => {
    const service = await openTestService();
    const options = { ...optionsFor(service), retries: 0 };
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(4) });
    const plan = await planImport(file, options);
    await service.faults({ reset: 1, onlyWrites: false });
    await applyPlan(plan, options);
    await service.faults({ reset: 0 });
    const second = await importWorkbook(file, options);
    expect(second.counts).toMatchObject({ created: 4 });
  });

  it('without a key is created once, however often it is imported', async () => {
    const service = await openTestService();
    const options = { ...optionsFor(service), allRows: true };
    const row = ['create', 'Zonder sleutel', 1, 5, true];
    const rows = [['#action', ...(packageRows(0)[0]?.slice(1) ?? [])], row, row];
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: rows });
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 2 });
    const again = await importWorkbook(file, options);
    expect(again.counts).toMatchObject({ created: 0, unchanged: 2 });
    expect(again.rows[0]?.message).toMatch(/created before, in run/);
  });
});

describe('one record per ExternalID', () => {
  it('is kept over two sheets of one kind', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const sheets = { Pakketten: packageRows(2), 'Pakketten extra': packageRows(2) };
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, sheets);
    const { counts } = await importWorkbook(file, { ...options, sheets: Object.keys(sheets) });
    expect(counts).toMatchObject({ created: 2, unchanged: 2 });
  });

  it('is kept when an earlier row gives it to an existing record', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    await importWorkbook(
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(1) }),
      options,
    );
    const [record] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 600_000);
    const rows = [
      ['#action', 'ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
      [null, record?.id as number, 611_111, 'Lunchbuffet', 1, 7],
      ['update', null, 611_111, 'Lunchbuffet', 1, 8],
    ];
    const { counts } = await importWorkbook(
      await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: rows }),
      options,
    );
    expect(counts).toMatchObject({ created: 0, updated: 2 });
  });

  it('makes the row a conflict where the service has two', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    await importWorkbook(
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(4) }),
      options,
    );
    const records = await service.records('package');
    const [one, other] = [600_000, 600_001].map((external) =>
      records.find(({ ExternalID }) => ExternalID === external),
    );
    const twin = {
      ProductID: other?.id,
      ExternalID: 600_000,
      ProductTypeID: 1,
      OmschrijvingIntern: String(one?.OmschrijvingIntern),
      Verkoopprijs: 3,
    };
    await service.request('POST', 'api/v1/product/pakket/update', twin);
    const again = await importWorkbook(
      await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: cheaper(packageRows(4)) }),
      { ...options, allRows: true },
    );
    expect(again.rows[0]).toMatchObject({
      status: 'conflict',
      message: expect.stringContaining('more than one record'),
    });
  });

  it('fails on its own row alone where the service refuses a key', async () => {
    const service = await openTestService();
    const baseUrl = await openProxy(service.url, ({ path, body }) =>
      path.endsWith('pakket/update') && body.includes('600000')
        ? { status: 422, body: { message: 'bezet', errors: {} } }
        : undefined,
    );
    const options = { ...optionsFor(service), baseUrl, allRows: true };
    const done = await importWorkbook(
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(30) }),
      options,
    );
    expect(done.counts).toMatchObject({ created: 30 });
    expect(done.rows.filter(({ message }) => message !== undefined).map(({ row }) => row)).toEqual([2]);
    const keyed = (await service.records('package')).filter(
      ({ ExternalID }) => Number(ExternalID) >= 600_000,
    );
    expect(keyed).toHaveLength(29);
  });

  it('is stored by the next import where it could not be stored before', async () => {
    const service = await openTestService();
    let broken = true;
    const baseUrl = await openProxy(service.url, ({ path }) =>
      broken && path.endsWith('pakket/update') ? { status: 500, body: { message: 'stuk' } } : undefined,
    );
    const options = { ...optionsFor(service), baseUrl, retries: 0 };
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(3) });
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 3 });
    broken = false;
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 0, updated: 3 });
    const keyed = (await service.records('package')).filter(
      ({ ExternalID }) => Number(ExternalID) >= 600_000,
    );
    expect(keyed).toHaveLength(3);
  });

  it('is kept by two programs at once, which take turns on one ledger', async () => {
    const service = await openTestService({ faults: { latencyMs: 10 } });
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(60) });
    const runs = ['r1.xlsx', 'r2.xlsx'].map((out) =>
      importWorkbook(file, { ...optionsFor(service), out: `${service.folder}/${out}` }),
    );
    const [one, two] = await Promise.all(runs);
    expect((one?.counts.created ?? 0) + (two?.counts.created ?? 0)).toBe(60);
    expect((one?.counts.unchanged ?? 0) + (two?.counts.unchanged ?? 0)).toBe(60);
  });

  it('protects a record that took over an old id', async () => {
    const service = await openTestService({ dialect: { externalId: 'never' } });
    const options = optionsFor(service);
    const rows = packageRows(1);
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: rows });
    await importWorkbook(file, options);
    const [record] = (await service.records('package')).filter(
      ({ OmschrijvingIntern }) => OmschrijvingIntern === 'Lunchbuffet 600000',
    );
    await service.request('POST', 'api/v1/product/pakket/update', {
      ProductID: record?.id,
      ProductTypeID: 1,
      OmschrijvingIntern: 'Van een ander',
      Verkoopprijs: 3,
    });
    const again = await importWorkbook(file, options);
    expect(again.counts).toMatchObject({ conflict: 1, updated: 0 });
  });
});

it('what cannot be looked at once more before it is sent fails, creates too, and the run goes on', async () => {
  const service = await openTestService();
  let left = Number.POSITIVE_INFINITY;
  const baseUrl = await openProxy(service.url, ({ path }) =>
    path.includes('allModified') && --left < 0 ? { status: 500, body: { message: 'stuk' } } : undefined,
  );
  const all = packageRows(20);
  await importWorkbook(await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: all }), {
    ...optionsFor(service),
    baseUrl,
  });
  // The plan can be read.
  left = 1;
  const mixed = [...cheaper(all).slice(0, 3), ...packageRows(10, 700_000).slice(1)];
  const done = await importWorkbook(await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: mixed }), {
    ...optionsFor(service),
    baseUrl,
    retries: 0,
  });
  expect(done.counts).toMatchObject({ read: 12, created: 0, updated: 0, failed: 12 });
});

describe('the cheaper way to look records up', () => {
  it('asks for the list in one request when the rows are fewer than its pages', async () => {
    const service = await openTestService({ pageSize: 10, extraPackages: 500 });
    const options = optionsFor(service);
    await service.clearLog();
    const plan = await planImport(
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(12) }),
      options,
    );
    expect(plan.counts).toMatchObject({ created: 12 });
    const { counts } = await service.log();
    // Two that the list lacks are asked for by themselves, as lists may leave records out.
    const asked = { 'packages.allModified': 2, 'packages.detailExternal': 2 };
    expect(counts).toEqual({ ...asked, 'lookups.producttype': 1 });
  });

  it('reads the pages when they are fewer than the rows', async () => {
    const service = await openTestService({ pageSize: 50, extraPackages: 200 });
    const options = optionsFor(service);
    const { length } = await service.records('package');
    await service.clearLog();
    await planImport(
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(100) }),
      options,
    );
    const { counts } = await service.log();
    const asked = { 'packages.allModified': Math.ceil(length / 50), 'packages.detailExternal': 2 };
    expect(counts).toEqual({ ...asked, 'lookups.producttype': 1 });
  });

  it('reads the list when a column is used that only lists return', async () => {
    const service = await openTestService({ pageSize: 10, extraPackages: 0 });
    const options = optionsFor(service);
    const header = [
      'ExternalID',
      'OmschrijvingIntern',
      'ProductCategorieID',
      'ProductEenheidWaardeID',
      'Gewicht',
      'OPK',
      'RekenEenheidID',
    ];
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, {
      Recepten: [header, [500_001, 'Soep', 1, 201, 0.5, 4, 'gram'], [500_002, 'Stamppot', 1, 201, 0.5, 4, 3]],
    });
    await importWorkbook(file, options);
    const again = await importWorkbook(file, options);
    expect(again.counts).toMatchObject({ unchanged: 2 });
  });
});

describe('integrators of the library', () => {
  it('get an error with an exit code and a next step for what stops a run', async () => {
    const service = await openTestService();
    const failing = importWorkbook(`${service.folder}/weg.xlsx`, optionsFor(service));
    await expect(failing).rejects.toBeInstanceOf(StopError);
    await expect(failing).rejects.toMatchObject({ exit: 3, next: expect.any(String) });
  });

  it('cannot apply a plan to another service', async () => {
    const service = await openTestService();
    const other = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(3) });
    const plan = await planImport(file, optionsFor(service));
    await expect(applyPlan(plan, optionsFor(other))).rejects.toMatchObject({ exit: 2 });
  });

  it('see every planned row before anything is sent', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(3) });
    const plan = await planImport(file, optionsFor(service));
    const rows = [];
    for await (const row of plan.rows()) rows.push(row.status);
    expect(rows).toEqual(['create', 'create', 'create']);
  });
});
