import { foldName } from '../core/header.ts';
import { shorten } from '../core/issue.ts';
import type { Lookup, LookupEntry } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';
import { lookupList } from '../service/lookups.ts';
import { RequestError } from '../service/request-error.ts';
import type { Context } from './context.ts';

/** A lookup and the columns that take its names. */
export interface UsedLookup {
  readonly lookup: Lookup;
  readonly columns: readonly string[];
}

/** The lookups of some resources, each once; with `updates` also those that only updates take ids of. */
export function lookupsOf(resources: readonly Resource[], { updates = false } = {}): UsedLookup[] {
  const used = new Map<string, { lookup: Lookup; columns: Set<string> }>();
  const columnsOf = ({ fields }: Resource): [string, Lookup | undefined][] =>
    Object.entries(fields).flatMap(([column, { lookup, updateLookup }]) => [
      [column, lookup],
      [column, updates ? updateLookup : undefined],
    ]);
  for (const resource of resources) {
    for (const [column, lookup] of columnsOf(resource)) {
      if (lookup === undefined) continue;
      const entry = used.get(lookup.name) ?? { lookup, columns: new Set() };
      used.set(lookup.name, entry);
      entry.columns.add(column);
    }
  }
  return [...used.values()].map(({ lookup, columns }) => ({ lookup, columns: [...columns] }));
}

/**
 * Reads a lookup's list by the dialect's number and names.
 * @throws as `Service.send` when the service is away.
 */
export async function readLookup({ service, dialect }: Pick<Context, 'service' | 'dialect'>, lookup: Lookup) {
  const dropdown = lookup.dropdown ?? dialect.dropdowns[lookup.name];
  const numbered = dropdown === undefined ? lookup : { ...lookup, dropdown };
  return await lookupList(service, numbered, dialect.lookups[lookup.name]);
}

/** A list that could not be read as the service was away; who needs it throws `failure`. */
interface FailedLookup {
  readonly failure: RequestError;
}

/** The lookups of a run, each read once, when it is first needed. */
export interface LookupLists {
  read(lookup: Lookup): Promise<Awaited<ReturnType<typeof lookupList>> | FailedLookup>;
  /** The names by id of a list that was read already; undefined for any other: nothing is asked. */
  known(lookup: Lookup): ReadonlyMap<number, string> | undefined;
  /** What was made of lists under a name, or is made now. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** The lookups of a run that has read none. */
export function openLookupLists(context: Pick<Context, 'service' | 'dialect'>): LookupLists {
  const lists = new Map<string, ReturnType<LookupLists['read']>>();
  const names = new Map<string, ReadonlyMap<number, string>>();
  const made = new Map<string, Promise<unknown>>();
  const remembered = (name: string) => (list: Awaited<ReturnType<LookupLists['read']>>) => {
    if ('entries' in list)
      names.set(name, new Map(list.entries.map(({ id, label }) => [id, shorten(label)])));
    return list;
  };
  return {
    read(lookup) {
      const { name } = lookup;
      const list = lists.get(name) ?? readLookup(context, lookup).catch(asFailed).then(remembered(name));
      lists.set(name, list);
      return list;
    },
    known: ({ name }) => names.get(name),
    once<T>(name: string, make: () => Promise<T>): Promise<T> {
      const known = (made.get(name) ?? make()) as Promise<T>;
      made.set(name, known);
      return known;
    },
  };
}

function asFailed(failure: unknown): FailedLookup {
  if (failure instanceof RequestError) return { failure };
  throw failure;
}

/** Finds the entries of a lookup that a name can mean. */
export type NameFinder = (name: string) => readonly LookupEntry[];

/**
 * Finds the entries that a name can mean: all of that name, else the one with the id behind it, `Dranken
 * (12)`.
 */
export function createNameFinder(entries: readonly LookupEntry[]): NameFinder {
  const byName = new Map<string, LookupEntry[]>();
  for (const entry of entries) {
    const name = foldName(entry.label);
    byName.set(name, [...(byName.get(name) ?? []), entry]);
  }
  return (name) => {
    const same = byName.get(foldName(name));
    if (same !== undefined) return same;
    const [, label = '', id] = /^(.+)\((\d+)\)$/s.exec(foldName(name)) ?? [];
    return (byName.get(label.trim()) ?? []).filter((entry) => String(entry.id) === id);
  };
}
