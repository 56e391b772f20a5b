import { writeFileSync } from 'node:fs';
import { importWorkbook } from '../../../src/index.ts';
import type { Kitchen } from '../../helpers/kitchen.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';

export type Cells = readonly (string | number | boolean | Date | null)[];

export const MUTATION_HEADER = [
  'ProductID',
  'WerknemerID',
  'DatumTijd',
  'AantalRekeneenheid',
  'MutatieCategorieID',
  'MutatieReden',
] as const;

export const MORNING = '2027-03-31 07:45:00';

export function optionsFor({ folder, url, token }: Kitchen) {
  const files = { ledger: `${folder}/ledger.db`, log: `${folder}/run.log`, out: `${folder}/r.xlsx` };
  return { baseUrl: url, token, ...files, lang: 'en', allRows: true } as const;
}

/** Imports rows as the sheet of that name. */
export async function importSheet(
  kitchen: Kitchen,
  sheet: string,
  rows: readonly Cells[],
  more: object = {},
) {
  return await importWorkbook(await workbookOf(kitchen, { [sheet]: rows }), {
    ...optionsFor(kitchen),
    ...more,
  });
}

let made = 0;

export async function workbookOf(kitchen: Kitchen, sheets: Readonly<Record<string, readonly Cells[]>>) {
  return await makeWorkbook(`${kitchen.folder}/in-${++made}.xlsx`, sheets);
}

/** The same rows as another program would save them. */
export function csvOf({ folder }: Pick<Kitchen, 'folder'>, rows: readonly (readonly string[])[]): string {
  const file = `${folder}/in-${++made}.csv`;
  writeFileSync(file, rows.map((row) => row.join(';')).join('\r\n'));
  return file;
}

/** Ids of recipes, in order. */
export async function recipeIds(kitchen: Kitchen, count: number): Promise<number[]> {
  const ids = (await kitchen.records('recipe')).map(({ id }) => Number(id));
  return ids.slice(0, count);
}

export async function mutationsOf(kitchen: Kitchen) {
  return await kitchen.records('mutation');
}

/** What is in stock of a product, in units of calculation. */
export async function stockOf(kitchen: Kitchen, product: number): Promise<number> {
  const found = (await kitchen.records('stock')).find(({ id }) => id === product);
  return Number(found?.Aantal ?? 0);
}

/** Someone else's mutation. */
export async function mutate(kitchen: Kitchen, ProductID: number, AantalRekeneenheid: number): Promise<void> {
  const rest = {
    WerknemerID: 12,
    DatumTijd: MORNING,
    MutatieCategorieID: 4901,
    MutatieReden: 'Van een ander',
  };
  await kitchen.request('PUT', 'api/v1/product/voorraadmutatie/create', {
    ProductID,
    AantalRekeneenheid,
    ...rest,
  });
}

/** The issue codes of a row. */
export const codesOf = (
  row: { readonly issues?: readonly { readonly code: string }[] } | undefined,
): string[] => (row?.issues ?? []).map(({ code }) => code);
