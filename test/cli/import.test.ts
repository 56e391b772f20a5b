import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER, packageRows, readBack } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';

const CATALOGUE = fileURLToPath(new URL('../../fixtures/samples/catalogus-voorjaar.xlsx', import.meta.url));

describe('import of a real catalogue', () => {
  it('creates every row once, returns it with its outcome, and finds it unchanged the second time', async () => {
    const service = await openTestService();
    const before = {
      packages: (await service.records('package')).length,
      recipes: (await service.records('recipe')).length,
    };
    const first = await service.runJson(['import', CATALOGUE, '--yes', '--out', 'first.xlsx']);
    expect(first.code).toBe(0);
    expect(first.document.counts).toMatchObject({ read: 270, created: 270, invalid: 0, failed: 0 });
    const packages = await service.records('package');
    expect(packages.length - before.packages).toBe(150);
    expect((await service.records('recipe')).length - before.recipes).toBe(120);
    const barbecue = packages.find((record) => record.ExternalID === 31003);
    expect(barbecue).toMatchObject({
      OmschrijvingIntern: 'Barbecue Seizoens',
      Verkoopprijs: 17.95,
      Actief: true,
      Offertetekst: 'Vanaf 25 gasten – “op maat”',
    });
    const result = await readBack(`${service.folder}/first.xlsx`);
    expect([...result.keys()]).toEqual(['Result', 'Pakketten', 'Recepten', 'Notities', 'catersheet posted']);
    const recipes = result.get('Recepten');
    expect(recipes?.get(1)?.get(1)).toBe('Receptenlijst voorjaar 2027');
    expect([...(recipes?.get(3)?.values() ?? [])].slice(-5)).toEqual([
      '#status',
      '#id',
      '#message',
      '#changes',
      '#at',
    ]);
    expect(recipes?.get(4)?.get(11)).toBe('created');
    expect(recipes?.get(4)?.get(12)).toBeTypeOf('number');
    expect(recipes?.get(4)?.get(5)).toBe('0,25');

    await service.clearLog();
    const second = await service.runJson(['import', CATALOGUE, '--yes', '--out', 'second.xlsx']);
    expect(second.code).toBe(0);
    expect(second.document.counts).toMatchObject({ read: 270, unchanged: 270 });
    const { counts } = await service.log();
    // Recipes hold the categories of updates by now: their two lists tell that these are the same.
    const lists = ['lookups.productactiecategory', 'lookups.productcategory'];
    expect(Object.keys(counts).sort()).toEqual([...lists, 'packages.allModified', 'recipes.allModified']);
  });
});

describe('import changes what the sheet says and nothing else', () => {
  it('sends exactly one update a changed row', async () => {
    const service = await openTestService();
    const rows = packageRows(120);
    await service.run([
      'import',
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: rows }),
      '--yes',
    ]);
    const changed = rows.map((row, index) =>
      index >= 1 && index <= 20 ? [...row.slice(0, 3), 999.5, row[4] ?? null] : row,
    );
    await service.clearLog();
    const { code, document } = await service.runJson([
      'import',
      await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: changed }),
      '--yes',
    ]);
    expect(code).toBe(0);
    expect(document.counts).toMatchObject({ read: 120, updated: 20, unchanged: 100 });
    const { counts } = await service.log();
    expect(counts['packages.update']).toBe(20);
    expect(counts['packages.create']).toBeUndefined();
  });

  it('leaves fields alone that the sheet leaves empty or lacks, and clears with #CLEAR', async () => {
    const service = await openTestService();
    const header = [
      'ExternalID',
      'OmschrijvingIntern',
      'ProductTypeID',
      'Verkoopprijs',
      'InterneOpmerking',
      'Volume',
    ];
    const full = [header, [600_001, 'Brunch', 1, 20, 'nakijken', 2.5]];
    await service.run([
      'import',
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: full }),
      '--yes',
    ]);
    const sparse = [
      ['ExternalID', 'Verkoopprijs', 'InterneOpmerking', 'Volume'],
      [600_001, 21, '', '#CLEAR'],
    ];
    const { document } = await service.runJson([
      'import',
      await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: sparse }),
      '--yes',
    ]);
    expect(document.counts).toMatchObject({ updated: 1 });
    const [record] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 600_001);
    expect(record).toMatchObject({
      OmschrijvingIntern: 'Brunch',
      Verkoopprijs: 21,
      InterneOpmerking: 'nakijken',
      Volume: null,
    });
  });

  it('runs rows on one record in file order', async () => {
    const service = await openTestService({ faults: { latencyMs: 5 } });
    const rows = [
      ['#action', ...PACKAGE_HEADER],
      [null, 600_001, 'een', 1, 1, true],
      [null, 600_002, 'ander', 1, 1, true],
      ['update', 600_001, 'twee', 1, 2, true],
      ['update', 600_001, 'drie', 1, 3, false],
    ];
    const { code, document } = await service.runJson([
      'import',
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: rows }),
      '--yes',
    ]);
    expect(code).toBe(0);
    expect(document.rows.map(({ status }) => status)).toEqual(['created', 'created', 'updated', 'updated']);
    const records = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 600_001);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ OmschrijvingIntern: 'drie', Verkoopprijs: 3, Actief: false });
  });

  it('deletes only with leave, and finds the deleted row gone the next time', async () => {
    const service = await openTestService();
    await service.run([
      'import',
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(2) }),
      '--yes',
    ]);
    const file = await makeWorkbook(`${service.folder}/b.xlsx`, {
      Pakketten: [
        ['ExternalID', '#action'],
        [600_000, 'delete'],
      ],
    });
    const refused = await service.runJson(['import', file, '--yes']);
    expect(refused.code).toBe(5);
    expect(refused.document.rows[0]?.issues?.[0]).toMatchObject({ code: 'delete-not-allowed', cell: 'B2' });
    const allowed = await service.runJson(['import', file, '--yes', '--allow-delete']);
    expect(allowed.document.counts).toMatchObject({ deleted: 1 });
    const again = await service.runJson(['import', file, '--yes', '--allow-delete']);
    expect(again.document.counts).toMatchObject({ unchanged: 1 });
    expect((await service.records('package')).some(({ ExternalID }) => ExternalID === 600_000)).toBe(false);
  });
});

describe('a dry run', () => {
  it('says what would be and writes nothing', async () => {
    const service = await openTestService();
    const { code, document } = await service.runJson([
      'import',
      CATALOGUE,
      '--dry-run',
      '--out',
      'plan.xlsx',
    ]);
    expect(code).toBe(0);
    expect(document.counts).toMatchObject({ read: 270, created: 270 });
    expect(document.rows[0]?.status).toBe('create');
    const { requests } = await service.log();
    expect(requests.filter(({ method, path }) => method !== 'GET' && !path.includes('allModified'))).toEqual(
      [],
    );
    const result = await readBack(`${service.folder}/plan.xlsx`);
    expect(result.get('Pakketten')?.get(2)?.get(14)).toBe('create');
  });

  it('without a terminal and --yes, a run that would write asks for --yes and sends nothing', async () => {
    const service = await openTestService();
    const { code, stderr } = await service.run(['import', CATALOGUE]);
    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
    expect((await service.log()).counts['packages.create']).toBeUndefined();
  });
});

describe('an import with wrong cells or columns', () => {
  it('names wrong cells by address, sends nothing for their rows and everything else', async () => {
    const service = await openTestService();
    const header = [
      'ExternalID',
      'OmschrijvingIntern',
      'ProductTypeID',
      'Verkoopprijs',
      'Actief',
      'ProductCategorieID',
    ];
    const rows = [
      header,
      [600_001, 'goed', 1, 12.5, 'Ja', 'Salades'],
      [600_002, 'fout', 1, 'abc', 'misschien', 'Salade'],
      [600_003, 'twijfel', 1, '1.234', 'x', 1],
      [null, 'zonder sleutel', 1, 3, '', null],
    ];
    const { code, document } = await service.runJson([
      'import',
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: rows }),
      '--yes',
    ]);
    expect(code).toBe(5);
    expect(document.counts).toMatchObject({ read: 4, created: 2, invalid: 2 });
    const issues = (row: number) =>
      document.rows
        .find((shown) => shown.row === row)
        ?.issues?.map(({ code: kind, cell }) => `${cell} ${kind}`);
    expect(issues(3)).toEqual(['D3 number-expected', 'E3 boolean-expected', 'F3 lookup-unknown']);
    expect(issues(4)).toEqual(['D4 number-grouping']);
    expect(issues(5)).toEqual(['A5 key-not-given']);
    expect((await service.log()).counts['lookups.productcategory']).toBe(1);
    const [good] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 600_001);
    expect(good).toMatchObject({ ProductCategorieID: 2 });
  });

  it('stops warned rows with --strict', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, {
      Pakketten: [[...PACKAGE_HEADER], [600_003, 'twijfel', 1, '1.234', 'x']],
    });
    const { code, document } = await service.runJson(['import', file, '--yes', '--strict']);
    expect(code).toBe(5);
    expect(document.counts).toMatchObject({ invalid: 1, created: 0 });
  });

  it('names a missing required column and the headers that look like it', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, {
      Pakketten: [
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoop prijs'],
        [600_003, 'x', 1, 5],
      ],
    });
    const { code, stderr } = await service.run(['import', file, '--yes']);
    expect(code).toBe(3);
    expect(stderr).toContain('Verkoopprijs');
    expect(stderr).toContain('Verkoop prijs');
    expect((await service.log()).counts['packages.create']).toBeUndefined();
  });

  it('fills a missing column with --set', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, {
      Lijst: [
        ['ExternalID', 'OmschrijvingIntern', 'Verkoopprijs'],
        [600_003, 'x', 5],
      ],
    });
    const { code, document } = await service.runJson([
      'import',
      file,
      '--yes',
      '--as',
      'packages',
      '--set',
      'ProductTypeID=2',
      '--set',
      'Actief=Nee',
    ]);
    expect(code).toBe(0);
    expect(document.counts).toMatchObject({ created: 1 });
    const [record] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 600_003);
    expect(record).toMatchObject({ ProductTypeID: 2, Actief: false });
  });
});

describe('an import of contradicting keys', () => {
  it('does not overwrite what the row’s keys contradict', async () => {
    const service = await openTestService();
    await service.run([
      'import',
      await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(2) }),
      '--yes',
    ]);
    const [one, two] = (await service.records('package')).filter(
      ({ ExternalID }) => Number(ExternalID) >= 600_000,
    );
    const rows = [
      ['ProductID', 'ExternalID', 'Verkoopprijs', '#action'],
      [one?.id as number, two?.ExternalID as number, 5, null],
      [null, one?.ExternalID as number, 5, 'create'],
      [99_999_999, null, 5, null],
      [null, 699_999, 5, 'update'],
    ];
    const { code, document } = await service.runJson([
      'import',
      await makeWorkbook(`${service.folder}/b.xlsx`, { Pakketten: rows }),
      '--yes',
    ]);
    expect(code).toBe(5);
    expect(document.rows.map(({ status }) => status)).toEqual(['conflict', 'conflict', 'invalid', 'invalid']);
    expect((await service.log()).counts['packages.update']).toBe(2);
  });
});

describe('the token', () => {
  it('is refused with exit 4 and appears nowhere', async () => {
    const service = await openTestService();
    const secret = 'geheim-token-7f3a9';
    const args = ['import', CATALOGUE, '--yes', '--verbose', '--log', 'run.log', '--out', 'r.xlsx'];
    const { code, stdout, stderr } = await service.run(args, { env: { CATERSHEET_TOKEN: secret } });
    expect(code).toBe(4);
    const log = readFileSync(`${service.folder}/run.log`, 'utf8');
    expect(log).toContain('packages.allModified');
    for (const text of [stdout, stderr, log]) expect(text).not.toContain(secret);
  });
});
