import type { CatalogueResource } from '../../../schema/resource.ts';
import type { MappedRow } from '../../map/map-row.ts';
import type { Existing } from './existing.ts';
import type { Target } from './plan-row.ts';
import type { RecordSource } from './record-source.ts';

const NOTHING: Target = { existing: null, clash: null };

/**
 * The record that a row names: by id, else by ExternalID on the service, else by the id that the ledger remembers
 * for that ExternalID. Says so when id and ExternalID belong to two records.
 */
export async function locate(
  row: MappedRow<CatalogueResource>,
  source: RecordSource,
  remembered: number | undefined,
): Promise<Target> {
  const { resource } = row.mapping;
  const id = row.values[resource.id];
  const external = row.values[resource.external];
  if (typeof id === 'number') return await byId(source, id, external, remembered);
  if (typeof external !== 'number') return NOTHING;
  const existing = (await source.byExternal(external)) ?? (await fromLedger(source, external, remembered));
  return { existing, clash: null };
}

async function byId(
  source: RecordSource,
  id: number,
  external: unknown,
  remembered: number | undefined,
): Promise<Target> {
  const existing = await source.byId(id);
  if (existing === null || typeof external !== 'number' || existing.external === external)
    return { existing, clash: null };
  const owner = await source.byExternal(external);
  const clash = owner !== null && owner.id !== id ? owner.id : null;
  const kept = existing.external === null && remembered === id ? { ...existing, external } : existing;
  return { existing: kept, clash };
}

/** A service that does not store ExternalID still gets one record per ExternalID: the ledger knows which. */
async function fromLedger(
  source: RecordSource,
  external: number,
  remembered: number | undefined,
): Promise<Existing | null> {
  if (remembered === undefined) return null;
  const existing = await source.byId(remembered);
  if (existing === null || existing.external !== null) return null;
  return { ...existing, external };
}
