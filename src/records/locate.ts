import type { Value } from '../core/value.ts';
import type { KnownRecord } from '../ledger/ledger.ts';
import { type ExistingRecord, type KeyedResource, sameValue } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import { createMark } from './mark.ts';

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

/** What lists showed, by either key. */
export class ListedRecords {
  readonly seen = createMark();
  readonly ids = new Map<number, ExistingRecord>();
  readonly keys = new Map<number, ExistingRecord>();
  private readonly twins = new Map<number, number>();

  add(existing: ExistingRecord | null): void {
    if (existing?.id == null) return;
    const { id, external } = existing;
    this.seen.saw(existing);
    this.ids.set(id, existing);
    if (external === null) return;
    // The same record again, as a list moved while it was read, is no second one.
    const other = this.keys.get(external)?.id ?? id;
    if (other !== id) this.twins.set(external, other);
    this.keys.set(external, existing);
  }

  /** Another record with the same ExternalID. */
  twin(external: number): number | null {
    return this.twins.get(external) ?? null;
  }
}

/** What is known of the record that a row names. */
export interface RowTarget {
  readonly existing: ExistingRecord | null;
  /** Why it can't be decided which record the row names; null where it can. */
  readonly clash: KeyClash | null;
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
  if (typeof id === 'number') {
    const named = await byId(source, id, external, memory);
    // A row that a result names by an id that is gone has a key of its own.
    if (row.evidence?.names !== true || named.existing !== null) return named;
  }
  if (typeof external !== 'number') return NOT_FOUND;
  return await byKey(source, resource, external, { ...memory, said: row.values[resource.label] });
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

/** Another record with an ExternalID: one that was read, else the one that the ledger remembers. */
async function twinOf(
  source: Pick<Records, 'byId' | 'twin'>,
  external: number,
  { id }: ExistingRecord,
  known: KnownRecord | undefined,
): Promise<number | null> {
  const twin = source.twin(external);
  if (twin !== null || known === undefined || known.id === id) return twin;
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
  const isOwn = memory.known?.id === id && mayShow(external, existing.external);
  const known = isOwn && (memory.keepsNone || existing.external !== null);
  return { existing: known ? { ...existing, external } : existing, clash: null };
}

/**
 * The record with an ExternalID, on the service, else the one that the ledger remembers for it while that has
 * none: not every service keeps it. `said`: what the row calls it.
 */
async function byKey(
  source: Pick<Records, 'byId' | 'byExternal' | 'twin'>,
  { label }: KeyedResource,
  external: number,
  { known, keepsNone, said }: RememberedKey & { readonly said?: Value | undefined },
): Promise<RowTarget> {
  const found = await source.byExternal(external);
  if (found !== null) {
    const twin = await twinOf(source, external, found, known);
    return { existing: found, clash: twin === null ? null : { why: 'twins', ids: [twin, found.id] } };
  }
  const existing = known === undefined ? null : await source.byId(known.id);
  const shown = existing?.external ?? null;
  if (known === undefined || existing === null || !mayShow(external, shown)) return NOT_FOUND;
  const name = existing.values[label] ?? null;
  // An id that was given out anew, after a reset of the service, must not make this row overwrite a stranger.
  const isOurs =
    shown === external ||
    known.label === null ||
    [known.label, said ?? null].some((called) => sameValue(name, called));
  if (!isOurs) return { existing, clash: { why: 'another record', id: known.id, label: String(name) } };
  return { existing: keepsNone || shown !== null ? { ...existing, external } : existing, clash: null };
}

/** What is larger a service that keeps smaller numbers shows as another one. */
const LARGEST_KEPT = 2 ** 31 - 1;

/** Whether a record made with an ExternalID may show this one: none, or what is left of a large one. */
export const mayShow = (external: number | null, shown: number | null): boolean =>
  shown === null || shown === external || (external !== null && external > LARGEST_KEPT);

/** The records with this ExternalID: none where neither service nor ledger tells; more than one are named. */
export async function locateReferred(
  source: Pick<Records, 'byId' | 'byExternal' | 'twin'>,
  resource: KeyedResource,
  external: number,
  known: KnownRecord | undefined,
): Promise<readonly number[]> {
  const { existing, clash } = await byKey(source, resource, external, { known, keepsNone: true });
  if (existing === null || clash?.why === 'another record') return [];
  return (clash?.why === 'twins' ? clash.ids : [existing.id]).flatMap((id) => id ?? []);
}
