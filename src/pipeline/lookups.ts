import type { Lookup, LookupEntry } from '../schema/lookup.ts';
import type { Resource } from '../schema/resource.ts';
import { lookupEntries, type UnreadableLookup } from '../service/lookups.ts';
import type { Context } from './context.ts';

/** A lookup and the columns that take its names. */
export interface UsedLookup {
  readonly lookup: Lookup;
  readonly columns: readonly string[];
}

/** The lookups of some resources, each once. */
export function lookupsOf(resources: readonly Resource[]): UsedLookup[] {
  const used = new Map<string, { lookup: Lookup; columns: Set<string> }>();
  for (const { fields } of resources) {
    for (const [column, { lookup }] of Object.entries(fields)) {
      if (lookup === undefined) continue;
      const entry = used.get(lookup.name) ?? { lookup, columns: new Set() };
      used.set(lookup.name, entry);
      entry.columns.add(column);
    }
  }
  return [...used.values()].map(({ lookup, columns }) => ({ lookup, columns: [...columns] }));
}

/**
 * All entries of a lookup, by one request, under the number and names that the dialect gives it.
 * @throws as `Service.send` when the service is away.
 */
export async function readLookup(
  { service, dialect }: Pick<Context, 'service' | 'dialect'>,
  lookup: Lookup,
): Promise<LookupEntry[] | UnreadableLookup> {
  const dropdown = lookup.dropdown ?? dialect.dropdowns[lookup.name];
  const numbered = dropdown === undefined ? lookup : { ...lookup, dropdown };
  return await lookupEntries(service, numbered, dialect.lookups[lookup.name]);
}
