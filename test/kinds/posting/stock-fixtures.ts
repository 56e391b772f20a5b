import { writeFileSync } from 'node:fs';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { optionsFor, type TestService } from '../../helpers/test-service.ts';

export type Cells = readonly (string | number | boolean | Date | null)[];

export const MUTATION_HEADER = [
  'ProductID',
  'WerknemerID',
  'DatumTijd',
  'AantalRekeneenheid',
  'MutatieCategorieID',
  'MutatieReden',
] as const;

export const MORNING = '2026-03-31 07:45:00';

/** Imports rows as the sheet of that name. */
export async function importSheet(
  service: TestService,
  sheet: string,
  rows: readonly Cells[],
  more: object = {},
) {
  return await importWorkbook(await workbookOf(service, { [sheet]: rows }), {
    ...optionsFor(service),
    ...more,
  });
}

let made = 0;

export async function workbookOf(service: TestService, sheets: Readonly<Record<string, readonly Cells[]>>) {
  return await makeWorkbook(`${service.folder}/in-${++made}.xlsx`, sheets);
}

/** The same rows as another program would save them. */
export function csvOf({ folder }: Pick<TestService, 'folder'>, rows: readonly (readonly string[])[]): string {
  const file = `${folder}/in-${++made}.csv`;
  writeFileSync(file, rows.map((row) => row.join(';')).join('\r\n'));
  return file;
}

/** Ids of recipes, in order. */
export async function recipeIds(service: TestService, count: number): Promise<number[]> {
  const ids = (await service.records('recipe')).map(({ id }) => Number(id));
  return ids.slice(0, count);
}

export async function mutationsOf(service: TestService) {
  return await service.records('mutation');
}

/** What is in stock of a product, in units of calculation. */
export async function stockOf(service: TestService, product: number): Promise<number> {
  const found = (await service.records('stock')).find(({ id }) => id === product);
  return Number(found?.Aantal ?? 0);
}

/** Someone else's mutation. */
export async function mutate(
  service: TestService,
  ProductID: number,
  AantalRekeneenheid: number,
): Promise<void> {
  const rest = {
    WerknemerID: 12,
    DatumTijd: MORNING,
    MutatieCategorieID: 4901,
    MutatieReden: 'Van een ander',
  };
  await service.request('PUT', 'api/v1/product/voorraadmutatie/create', {
    ProductID,
    AantalRekeneenheid,
    ...rest,
  });
}
