import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook, readRun } from '../../src/index.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { plannerService } from '../export/planner-service.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { rewriteSheet } from '../import/baseline/fixtures.ts';
import { importSheet, MORNING, MUTATION_HEADER, recipeIds, workbookOf } from './posting/stock-fixtures.ts';

/** The name of a recipe of the sandbox. */
const nameOf = async (service: Awaited<ReturnType<typeof openTestService>>, id: number): Promise<string> => {
  const record = (await service.request('GET', `api/v1/product/recept/detail/${id}`)) as Record<
    string,
    unknown
  >;
  return String(record.OmschrijvingIntern);
};

test('rows of stock say the name of their product, in the answer, the changes and the run, also where they are wrong', async () => {
  const service = await openTestService();
  const [id = 0, wrong = 0] = await recipeIds(service, 2);
  const [name, other] = [await nameOf(service, id), await nameOf(service, wrong)];
  const file = await workbookOf(service, {
    Voorraadmutaties: [
      MUTATION_HEADER,
      [id, 12, MORNING, -2, 4901, 'Bederf'],
      [wrong, 12, MORNING, 'veel', 4901, 'Bederf'],
      [99_999, 12, MORNING, -2, 4901, 'Bederf'],
    ],
  });
  const done = await importWorkbook(file, {
    ...optionsFor(service),
    report: `${service.folder}/verslag.html`,
  });
  expect(done.rows.map(({ status, label }) => [status, label])).toEqual([
    ['created', name],
    ['invalid', other],
    ['failed', undefined],
  ]);
  expect(done.rows[0]?.changes?.[0]).toMatchObject({ field: 'ProductID', to: id, toName: name });
  const { rows } = await readRun(done.run, serviceOnly(optionsFor(service)));
  expect(rows.map(({ label }) => label)).toEqual([name, other, undefined]);
  const page = readFileSync(`${service.folder}/verslag.html`, 'utf8');
  for (const text of [name, other]) expect(page).toContain(text);
});

test('products that are named by ExternalID were read for that, and cost no request for their name', async () => {
  const service = await openTestService();
  const [id = 0] = await recipeIds(service, 1);
  const detail = (await service.request('GET', `api/v1/product/recept/detail/${id}`)) as Record<
    string,
    unknown
  >;
  const [, ...header] = MUTATION_HEADER;
  await service.clearLog();
  const done = await importSheet(service, 'Voorraadmutaties', [
    ['Product.ExternalID', ...header],
    [Number(detail.ExternalID), 12, MORNING, -2, 4901, 'Bederf'],
  ]);
  expect(done.rows[0]).toMatchObject({ status: 'created', label: detail.OmschrijvingIntern });
  expect((await service.log()).counts).not.toHaveProperty('lookups.product');
});

test('a count that was exported says its product by the name in the workbook, without asking', async () => {
  const service = await plannerService();
  service.products = [
    { ProductID: 7, OmschrijvingIntern: 'Tomatensoep', ExternalID: 507, VoorraadProduct: true },
  ];
  service.totals = {
    7: [{ Aantal: 4, RekenEenheid: 'kg', AantalProductEenheid: 2, ProductEenheid: 'emmer' }],
  };
  const out = `${service.folder}/telling.xlsx`;
  await exportRecords(stockCount, { ...service.options, out });
  await rewriteSheet(out, 'Voorraadtelling', (rows) =>
    rows.map((row) => ({
      ...row,
      GeteldRekeneenheid: 5,
      WerknemerID: 12,
      MutatieCategorieID: 1,
      MutatieReden: 'x',
    })),
  );
  service.asked.length = 0;
  const done = await importWorkbook(out, { ...service.options, dryRun: true });
  expect(done.rows[0]).toMatchObject({ key: { ProductID: 7 }, label: 'Tomatensoep' });
  expect(service.asked.map(({ path }) => path)).not.toContain('product/detail/7');
});

test('the names of no more than 300 products are asked for, which a note says', async () => {
  const service = await plannerService();
  service.onRequest = (path) =>
    path.startsWith('product/detail/')
      ? {
          status: 200,
          body: { ProductID: Number(path.slice(15)), OmschrijvingIntern: `Soep ${path.slice(15)}` },
        }
      : undefined;
  const rows = Array.from({ length: 310 }, (_, at) => [at + 1, 12, MORNING, -2, 1, 'Bederf']);
  const file = await makeWorkbook(`${service.folder}/veel.xlsx`, {
    Voorraadmutaties: [MUTATION_HEADER, ...rows],
  });
  const done = await importWorkbook(file, { ...service.options, dryRun: true, allRows: true });
  expect(service.asked.filter(({ path }) => path.startsWith('product/detail/'))).toHaveLength(300);
  expect(done.rows.filter(({ label }) => label?.startsWith('Soep '))).toHaveLength(300);
  expect(done.notes?.join()).toContain('names of products: only the first 300');
});
