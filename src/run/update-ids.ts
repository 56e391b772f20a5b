import type { Field, LookupEntry } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';
import type { LookupLists } from './lookup-lists.ts';
import { createNameFinder } from './name-finder.ts';

/** A field of which a create and an update take ids of different lists (interface 2.3). */
export type TwoListField = Required<Pick<Field, 'lookup' | 'updateLookup'>> & { readonly field: string };

/** Such fields of a resource. */
export function twoListFields({ fields }: Resource): TwoListField[] {
  return Object.entries(fields).flatMap(([field, { lookup, updateLookup }]) =>
    lookup === undefined || updateLookup === undefined ? [] : [{ field, lookup, updateLookup }],
  );
}

/** What an update sends for an id, by the names in both lists. */
export interface UpdateIds {
  /** The ids that an update takes. */
  readonly updated: ReadonlySet<number>;
  /** For an id that a create takes: that of the same name; itself where there is not just one. */
  ofCreate(id: number): number;
  /** For an id that may be of either list: itself where an update takes it, else as `ofCreate`. */
  ofEither(id: number): number;
}

const known = new WeakMap<LookupLists, Map<string, Promise<UpdateIds | null>>>();

/** Reads the two lists of a field, once; null where one can't be read, or is empty. */
export function updateIds(lists: LookupLists, two: TwoListField): Promise<UpdateIds | null> {
  const ofRun = known.get(lists) ?? new Map<string, Promise<UpdateIds | null>>();
  known.set(lists, ofRun);
  const name = two.updateLookup.name;
  const ids = ofRun.get(name) ?? readIds(lists, two);
  ofRun.set(name, ids);
  return ids;
}

async function readIds(
  lists: LookupLists,
  { lookup, updateLookup }: TwoListField,
): Promise<UpdateIds | null> {
  const [created, entries] = await Promise.all([entriesOf(lists, lookup), entriesOf(lists, updateLookup)]);
  if (created === null || entries === null) return null;
  const names = new Map(created.map(({ id, label }) => [id, label]));
  const updated = new Set(entries.map(({ id }) => id));
  const find = createNameFinder(entries);
  const ofCreate = (id: number): number => {
    const named = find(names.get(id) ?? '');
    const [first, second] = named;
    return first === undefined || second !== undefined || named.some((one) => one.id === id) ? id : first.id;
  };
  return { updated, ofCreate, ofEither: (id) => (updated.has(id) ? id : ofCreate(id)) };
}

async function entriesOf(
  lists: LookupLists,
  lookup: TwoListField['lookup'],
): Promise<readonly LookupEntry[] | null> {
  const list = await lists.read(lookup);
  return 'entries' in list && list.entries.length > 0 ? list.entries : null;
}
