import type { Context } from '../../run/context.ts';
import type { RecordPage } from '../../schema/page.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { type Existing, LISTED, readExisting } from './existing.ts';
import { readDetail } from './read-detail.ts';

/** What the service holds, by either key. */
export interface Records {
  byId(id: number): Promise<Existing | null>;
  byExternal(external: number): Promise<Existing | null>;
  /** Whether there certainly is no record with this ExternalID; false too where that takes asking. */
  lacks(external: number): boolean;
  /** Another record with the same ExternalID, where that can be seen: which one is meant can't be told. */
  twin(external: number): number | null;
}

/** Where a plan reads what the service holds: the whole list once, or one record at a time. */
export interface RecordSource extends Records {
  readonly strategy: 'list' | 'rows';
  /** The newest LMT among what was read; null when no record had one. */
  newest(): string | null;
}

/** Reads records one by one, each at most once. */
export function rowSource(context: Context, resource: CatalogueResource): RecordSource {
  const known = new Map<string, Promise<Existing | null>>();
  let newest: string | null = null;
  const read = async (key: number, by: 'id' | 'external'): Promise<Existing | null> => {
    const existing = await readDetail(context, resource, key, by);
    if (existing?.lmt != null && (newest === null || existing.lmt > newest)) newest = existing.lmt;
    return existing;
  };
  const once = (key: string, load: () => Promise<Existing | null>): Promise<Existing | null> => {
    const loading = known.get(key) ?? load();
    known.set(key, loading);
    return loading;
  };
  return {
    strategy: 'rows',
    newest: () => newest,
    byId: (id) => once(`id:${id}`, () => read(id, 'id')),
    byExternal: (external) => once(`external:${external}`, () => read(external, 'external')),
    lacks: () => false,
    // A detail read answers one record, whether or not there are two.
    twin: () => null,
  };
}

/** Holds what the pages of a list say, in the resource's own fields only. */
export async function listSource(
  resource: CatalogueResource,
  pages: AsyncIterable<RecordPage>,
): Promise<RecordSource & { readonly size: number }> {
  const byId = new Map<number, Existing>();
  const byExternal = new Map<number, Existing>();
  const twins = new Map<number, number>();
  let newest: string | null = null;
  for await (const page of pages) {
    for (const record of page.data) {
      const existing = readExisting(resource, record, LISTED);
      if (existing?.id == null) continue;
      byId.set(existing.id, existing);
      if (existing.external !== null) {
        // The same record again, as the list moved while it was read, is no second one.
        const other = byExternal.get(existing.external)?.id ?? existing.id;
        if (other !== existing.id) twins.set(existing.external, other);
        byExternal.set(existing.external, existing);
      }
      if (existing.lmt !== null && (newest === null || existing.lmt > newest)) newest = existing.lmt;
    }
  }
  return {
    strategy: 'list',
    size: byId.size,
    newest: () => newest,
    byId: async (id) => byId.get(id) ?? null,
    byExternal: async (external) => byExternal.get(external) ?? null,
    lacks: (external) => !byExternal.has(external),
    twin: (external) => twins.get(external) ?? null,
  };
}
