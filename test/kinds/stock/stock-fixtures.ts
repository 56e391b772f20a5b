import type { TestService } from '../../helpers/test-service.ts';

export const MUTATION_HEADER = [
  'ProductID',
  'WerknemerID',
  'DatumTijd',
  'AantalRekeneenheid',
  'MutatieCategorieID',
  'MutatieReden',
] as const;

export const MORNING = '2026-03-31 07:45:00';

/** Ids of recipes, in order. */
export async function recipeIds(service: TestService, count: number): Promise<number[]> {
  const ids = (await service.records('recipe')).map(({ id }) => Number(id));
  return ids.slice(0, count);
}

/** What is in stock of a product, in units of calculation. */
export async function stockOf(service: TestService, product: number): Promise<number> {
  const found = (await service.records('stock')).find(({ id }) => id === product);
  return Number(found?.Aantal ?? 0);
}
