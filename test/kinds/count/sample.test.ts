import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recogniseSheets } from '../../../src/import/map/recognise.ts';
import { importWorkbook } from '../../../src/index.ts';
import { resources } from '../../../src/resources/registry.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { csvOf, MUTATION_HEADER, stockOf, workbookOf } from '../posting/stock-fixtures.ts';

const sample = (name: string): string =>
  fileURLToPath(new URL(`../../../fixtures/samples/${name}`, import.meta.url));

/** The cold room's count without the names beside its keys. */
function nameless(folder: string): string {
  const lines = readFileSync(sample('telling-koelcel.csv'), 'latin1').split('\r\n');
  const file = `${folder}/telling-koelcel.csv`;
  writeFileSync(file, lines.map((line) => line.replace(/;[^;]*/, '')).join('\r\n'), 'latin1');
  return file;
}

it('the cold room’s count names other products than the catalogue has by its keys, and nothing of those is posted', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  await importWorkbook(sample('catalogus-voorjaar.xlsx'), options);
  const done = await importWorkbook(sample('telling-koelcel.csv'), options);
  expect(done.counts).toMatchObject({ read: 80, created: 2, conflict: 78 });
  expect(done.rows[0]?.message).toMatch(/^the row says "Tiramisù", and ProductID \d+ is "Spareribs/);
});

it('the cold room’s count is imported after the catalogue, and is unchanged the second time', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const file = nameless(service.folder);
  await importWorkbook(sample('catalogus-voorjaar.xlsx'), options);
  await service.clearLog();
  const first = await importWorkbook(file, options);
  expect(first.sheets).toMatchObject([{ sheet: 'telling-koelcel', resource: 'stock-count' }]);
  expect(first.counts).toMatchObject({ read: 80, created: 80 });
  expect((await service.log()).counts).toEqual({
    'packages.allModified': 2,
    'recipes.allModified': 2,
    'stock.currenttotal': 162,
    'lookups.dropdownvalue': 1,
    'stock.create': 80,
  });
  const pannacotta = (await service.records('recipe')).find(({ ExternalID }) => ExternalID === 51_007);
  expect(await stockOf(service, Number(pannacotta?.id))).toBe(1250);
  await service.clearLog();
  const second = await importWorkbook(file, options);
  expect(second.counts).toMatchObject({ read: 80, unchanged: 80 });
  expect((await service.log()).counts).toEqual({
    'packages.allModified': 2,
    'recipes.allModified': 2,
  });
  // A ledger that has never seen these products asks for the list, not for each of them.
  await service.clearLog();
  const fresh = await importWorkbook(file, {
    ...options,
    ledger: `${service.folder}/l2.db`,
  });
  expect(fresh.counts).toMatchObject({ unchanged: 80 });
  const {
    'recipes.allModified': pages = 0,
    'packages.allModified': more = 0,
    ...others
  } = (await service.log()).counts;
  expect(others).toEqual({ 'stock.currenttotal': 80 });
  expect(pages + more).toBeLessThan(10);
});

it('a count takes a product that the same workbook creates for one with nothing in stock', async () => {
  const service = await openTestService();
  const header = [
    'ExternalID',
    'OmschrijvingIntern',
    'ProductCategorieID',
    'ProductEenheidWaardeID',
    'Gewicht',
    'OPK',
  ];
  const count = [
    'Product.ExternalID',
    'GeteldRekeneenheid',
    'WerknemerID',
    'DatumTijd',
    'MutatieCategorieID',
    'MutatieReden',
  ];
  const rest = [12, '2026-03-31 07:45', 4901, 'Telling'];
  const file = await workbookOf(service, {
    Voorraadtelling: [count, [620_001, 12.5, ...rest], [620_002, 0, ...rest]],
    Recepten: [header, [620_001, 'Erwtensoep', 1, 201, 0.5, 4], [620_002, 'Bonensoep', 1, 201, 0.5, 4]],
  });
  const done = await importWorkbook(file, optionsFor(service));
  expect(done.counts).toMatchObject({ read: 4, created: 3, unchanged: 1 });
  const soup = (await service.records('recipe')).find(({ ExternalID }) => ExternalID === 620_001);
  expect(await stockOf(service, Number(soup?.id))).toBe(12.5);
  expect((await importWorkbook(file, optionsFor(service))).counts).toMatchObject({ unchanged: 4 });
});

describe('a CSV is recognised by its columns', () => {
  const recipe = ['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'Gewicht', 'OPK'];
  it.each([
    [
      'stock-count',
      ['Product.ExternalID', 'GeteldProducteenheid', 'WerknemerID', 'DatumTijd', 'MutatieReden'],
    ],
    ['stock-mutations', MUTATION_HEADER],
    ['stock-mutations', ['Product.ExternalID', 'AantalProducteenheid', 'DatumTijd', 'Opmerking']],
    ['recipes', recipe],
    ['packages', ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs']],
  ])('as %s', async (name, header) => {
    const service = { folder: tempFolder() };
    const file = csvOf(service, [header, header.map(() => '1')]);
    const [found] = await recogniseSheets(await readWorkbook(file), { resources, only: [], set: [] });
    expect(found?.kind === 'import' ? found.mapping.resource.name : found?.kind).toBe(name);
  });
});
