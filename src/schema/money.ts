import type { Resource } from './resource.ts';

/** Tells which fields of these resources are amounts of money. */
export function moneyIn(resources: readonly Resource[]): (resource: string, field: string) => boolean {
  const fieldsOf = new Map(resources.map(({ name, fields }) => [name, fields]));
  return (resource, field) => fieldsOf.get(resource)?.[field]?.money === true;
}
