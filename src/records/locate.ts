import { type Bilingual, t } from '../core/language.ts';
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
  readonly clash: Bilingual | null;
}

/** No record, and nothing that stands in the way of making one. */
export const NOT_FOUND: RowTarget = { existing: null, clash: null };

/** What the ledger knows of an ExternalID. */
export interface RememberedKey {
  readonly known: KnownRecord | undefined;
  /** The service does not keep ExternalID: a record without one may still be the row's. */
  readonly keepsNone: boolean;
}

type Row = MappedRow<KeyedResource>;

/** Finds the record that a row names: by id, by ExternalID on the service, else by the ledger. */
export async function locate(row: Row, source: Records, memory: RememberedKey): Promise<RowTarget> {
  const { resource } = row.mapping;
  const id = row.values[resource.id];
  const external = row.values[resource.external];
  const existing = typeof id === 'number' ? await source.byId(id) : null;
  // A row that a result names by an id that is gone may have a key of its own.
  const isNamed = typeof id === 'number' && row.evidence?.names !== true;
  if (typeof external !== 'number' || (existing === null && isNamed)) return { existing, clash: null };
  if (existing === null) return await byKey(source, row, external, memory);
  const owner = existing.external === external ? null : await source.byExternal(external);
  const isOthers = owner !== null && owner.id !== null && owner.id !== id;
  return {
    existing: withKey(existing, external, memory),
    clash: isOthers ? ownedText(resource, external, `${owner.id}`, `${id}`) : null,
  };
}

/** The same of a row whose record was read by itself; what that says nothing of stays. */
export async function locateOne(
  row: Row,
  one: ExistingRecord | null,
  clash: RowTarget['clash'],
  memory: RememberedKey,
): Promise<RowTarget> {
  if (clash !== null) return { existing: one, clash };
  const byExternal = async (external: number) => (one?.external === external ? one : null);
  const source = { byId: async () => one, byExternal, lacks: () => false, twin: () => null };
  return await locate(row, source, memory);
}

type ByKeys = Pick<Records, 'byId' | 'byExternal' | 'twin'>;

/**
 * The record with an ExternalID, on the service, else the one that the ledger remembers for it while that has
 * none: not every service keeps it. `ids`: all that have it.
 */
async function byKey(
  source: ByKeys,
  {
    mapping: { resource },
    values,
  }: Pick<Row, 'values'> & { readonly mapping: Pick<Row['mapping'], 'resource'> },
  external: number,
  memory: RememberedKey,
): Promise<RowTarget & { readonly ids: readonly number[] }> {
  const { known } = memory;
  const found = await source.byExternal(external);
  if (found !== null) {
    const twin = await twinOf(source, external, found, known);
    const ids = [twin, found.id].filter((id) => id !== null);
    return { existing: found, clash: twin === null ? null : twinsText(resource, external, ids), ids };
  }
  const existing = known === undefined ? null : await source.byId(known.id);
  if (known === undefined || existing === null || !mayShow(external, existing.external))
    return { ...NOT_FOUND, ids: [] };
  const name = existing.values[resource.label] ?? null;
  const names = [known.label, values[resource.label] ?? null];
  // An id that was given out anew, after a reset of the service, must not make this row overwrite a stranger.
  const isOurs =
    existing.external === external || known.label === null || names.some((one) => sameValue(name, one));
  if (!isOurs) return { existing, clash: strangerText(resource, external, known.id, `${name}`), ids: [] };
  return { existing: withKey(existing, external, memory), clash: null, ids: [known.id] };
}

/** Another record with an ExternalID: one that was read, else the one that the ledger remembers. */
async function twinOf(
  source: ByKeys,
  external: number,
  { id }: ExistingRecord,
  known: KnownRecord | undefined,
): Promise<number | null> {
  const twin = source.twin(external);
  if (twin !== null || known === undefined || known.id === id) return twin;
  return (await source.byId(known.id))?.external === external ? known.id : null;
}

/** A record with the ExternalID that the ledger remembers for it, where the service does not keep it as it was sent. */
function withKey(
  existing: ExistingRecord,
  external: number,
  { known, keepsNone }: RememberedKey,
): ExistingRecord {
  const shown = existing.external;
  const isKept = known?.id === existing.id && mayShow(external, shown) && (keepsNone || shown !== null);
  return isKept ? { ...existing, external } : existing;
}

/** What is larger a service that keeps smaller numbers shows as another one. */
const LARGEST_KEPT = 2 ** 31 - 1;

/** Whether a record made with an ExternalID may show this one: none, or what is left of a large one. */
export const mayShow = (external: number | null, shown: number | null): boolean =>
  shown === null || shown === external || (external !== null && external > LARGEST_KEPT);

/** The records with this ExternalID: none where neither service nor ledger tells; more than one are named. */
export async function locateReferred(
  source: ByKeys,
  resource: KeyedResource,
  external: number,
  known: KnownRecord | undefined,
): Promise<readonly number[]> {
  const row = { mapping: { resource }, values: {} };
  return (await byKey(source, row, external, { known, keepsNone: true })).ids;
}

const twinsText = ({ id, external }: KeyedResource, key: number, ids: readonly number[]): Bilingual =>
  t(
    `more than one record has ${external} ${key} (${id} ${ids.join(', ')}); name the one you mean by its ${id}`,
    `meer dan één record heeft ${external} ${key} (${id} ${ids.join(', ')}); noem het bedoelde met zijn ${id}`,
  );

const ownedText = ({ id, external }: KeyedResource, key: number, owner: string, named: string): Bilingual =>
  t(
    `${external} ${key} belongs to ${id} ${owner}, not to ${id} ${named}`,
    `${external} ${key} hoort bij ${id} ${owner}, niet bij ${id} ${named}`,
  );

const strangerText = ({ id, external }: KeyedResource, key: number, known: number, name: string): Bilingual =>
  t(
    `${external} ${key} was ${id} ${known} before, but that record is now "${name}" and has no ${external}; name the record by its ${id}`,
    `${external} ${key} was eerder ${id} ${known}, maar dat record heet nu "${name}" en heeft geen ${external}; noem het record met zijn ${id}`,
  );
