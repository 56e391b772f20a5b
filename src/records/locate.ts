import type { KnownRecord } from '../ledger/ledger.ts';
import { type ExistingRecord, type KeyedResource, sameValue } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';

/** What the service holds, by either key. */
export interface Records {
  byId(id: number): Promise<ExistingRecord | null>;
  byExternal(external: number): Promise<ExistingRecord | null>;
  /** Whether there certainly is no record with this ExternalID; false too where that takes asking. */
  lacks(external: number): boolean;
  /**
   * Where that is told by a list, which may leave records out: looks beside it for rows with a key that
   * nothing else knows. Undefined where there is no more to look for.
   */
  readonly prove?: ((externals: readonly number[]) => Promise<void>) | undefined;
  /** Another record with the same ExternalID, where that can be seen: which one is meant can't be told. */
  twin(external: number): number | null;
}

/** What is known of the record that a row names. */
export interface RowTarget {
  readonly existing: ExistingRecord | null;
  /** Why it can't be decided which record the row names; null where it can. */
  readonly clash: KeyClash | null;
  /** Its ExternalID is known by a result alone, as the record shows none. */
  readonly isEvident?: true;
}

/** Two keys of a row, or the ledger and the service, disagree about which record it is. */
export type KeyClash =
  | { readonly why: 'two records'; readonly owner: number }
  | { readonly why: 'twins'; readonly ids: readonly (number | null)[] }
  | { readonly why: 'another record'; readonly id: number; readonly label: string };

/** No record, and nothing that stands in the way of making one. */
export const NOT_FOUND: RowTarget = { existing: null, clash: null };

type Row = MappedRow<KeyedResource>;

/** What is known of the record of an ExternalID. */
export interface RememberedKey {
  readonly known: KnownRecord | undefined;
  /** The service does not keep ExternalID: a record without one may still be the row's. */
  readonly keepsNone: boolean;
}

/** Finds the record that a row names: by id, by ExternalID on the service, else by the ledger. */
export async function locate(row: Row, source: Records, memory: RememberedKey): Promise<RowTarget> {
  const { resource } = row.mapping;
  const id = row.values[resource.id];
  const external = row.values[resource.external];
  if (typeof id === 'number' && !(await hasOwnRecord(row, source))) {
    const named = await byId(source, id, external, memory);
    // A row that a result names by an id that is gone has a key of its own.
    if (row.evidence?.names !== true || named.existing !== null) return named;
  }
  if (typeof external !== 'number') return NOT_FOUND;
  const existing = await source.byExternal(external);
  if (existing === null) return await fromLedger(row, source, external, memory);
  const twin = source.twin(external) ?? (await rememberedTwin(source, external, existing, memory.known));
  if (twin === null) return { existing, clash: null };
  return { existing, clash: { why: 'twins', ids: [twin, existing.id] } };
}

/** Whether a row's ExternalID is known, and its id stands in a result that may be of another service. */
async function hasOwnRecord({ evidence, mapping, values }: Row, source: Records): Promise<boolean> {
  const external = values[mapping.resource.external];
  if (evidence?.names !== true || evidence.isHere || typeof external !== 'number') return false;
  return (await source.byExternal(external)) !== null;
}

/** The same of a row whose record was read by itself. */
export async function locateOne(
  row: Row,
  one: ExistingRecord | null,
  clash: KeyClash | null,
  memory: RememberedKey,
): Promise<RowTarget> {
  // What `one` alone says nothing of.
  if (clash !== null && clash.why !== 'another record') return { existing: one, clash };
  const byExternal = async (external: number) => (one?.external === external ? one : null);
  return await locate(
    row,
    { byId: async () => one, byExternal, lacks: () => false, twin: () => null },
    memory,
  );
}

/** Where no list was read: the record that the ledger remembers, if that has the ExternalID too. */
async function rememberedTwin(
  source: Pick<Records, 'byId'>,
  external: number,
  { id }: ExistingRecord,
  known: KnownRecord | undefined,
): Promise<number | null> {
  if (known === undefined || known.id === id) return null;
  return (await source.byId(known.id))?.external === external ? known.id : null;
}

async function byId(
  source: Records,
  id: number,
  external: unknown,
  memory: RememberedKey,
): Promise<RowTarget> {
  const existing = await source.byId(id);
  if (existing === null || typeof external !== 'number' || existing.external === external)
    return { existing, clash: null };
  const owner = await source.byExternal(external);
  if (owner !== null && owner.id !== null && owner.id !== id)
    return { existing, clash: { why: 'two records', owner: owner.id } };
  const isKept = existing.external !== null && !isNarrowed(external, existing.external);
  const known = (memory.keepsNone || existing.external !== null) && !isKept && memory.known?.id === id;
  return { existing: known ? { ...existing, external } : existing, clash: null };
}

/** The record that the ledger remembers for an ExternalID, while it has none: not every service keeps it. */
async function fromLedger(
  row: Row,
  source: Records,
  external: number,
  { known, keepsNone }: RememberedKey,
): Promise<RowTarget> {
  if (known === undefined) return NOT_FOUND;
  const existing = await source.byId(known.id);
  const shown = existing?.external ?? null;
  if (existing === null || (shown !== null && !isNarrowed(external, shown))) return NOT_FOUND;
  const { label } = row.mapping.resource;
  const name = existing.values[label] ?? null;
  // An id that was given out anew, after a reset of the service, must not make this row overwrite a stranger.
  const ours =
    known.label === null || [known.label, row.values[label] ?? null].some((said) => sameValue(name, said));
  if (!ours) return { existing, clash: { why: 'another record', id: known.id, label: String(name) } };
  return { existing: keepsNone || shown !== null ? { ...existing, external } : existing, clash: null };
}

/** Whether a record made with an ExternalID may show this one: none, or what is left of a larger one. */
export const mayShow = (external: number | null, shown: number | null): boolean =>
  shown === null || shown === external || (external !== null && isNarrowed(external, shown));

/** Whether a service that keeps smaller numbers may show one for the other. */
function isNarrowed(external: number, shown: number): boolean {
  const most = [2 ** 31 - 1, 2 ** 32 - 1].filter((limit) => external > limit);
  return most.length > 0 && [...most, external | 0, external >>> 0, Math.fround(external)].includes(shown);
}

/** The records with this ExternalID: none where neither service nor ledger tells; more than one are named. */
export async function locateReferred(
  source: Pick<Records, 'byId' | 'byExternal' | 'twin'>,
  { label }: KeyedResource,
  external: number,
  known: KnownRecord | undefined,
): Promise<readonly number[]> {
  const existing = await source.byExternal(external);
  if (existing !== null) {
    const twin = source.twin(external) ?? (await rememberedTwin(source, external, existing, known));
    return (twin === null ? [existing.id] : [twin, existing.id]).flatMap((id) => id ?? []);
  }
  const remembered = known === undefined ? null : await source.byId(known.id);
  if (known === undefined || remembered === null) return [];
  // It has that key, or none (not every service keeps them) and the same name.
  const isStill =
    remembered.external === null
      ? known.label === null || sameValue(remembered.values[label], known.label)
      : remembered.external === external || isNarrowed(external, remembered.external);
  return isStill ? [known.id] : [];
}
