import { issueAt, shorten } from '../../schema/issue.ts';
import type { Lookup, LookupEntry } from '../../schema/lookup.ts';
import { nearest } from '../../schema/nearest.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { UnreadableLookup } from '../../service/lookups.ts';
import type { LookupLists } from '../lookups.ts';
import { choicesOf, createNameFinder, type NameFinder, numberedName } from './lookup-names.ts';
import type { MappedRow, PendingName } from './map-row.ts';

type Names = { readonly entries: readonly LookupEntry[]; readonly find: NameFinder } | UnreadableLookup;

/** Turns names in lookup columns into ids. Throws RequestError where the service was away: that is no wrong name. */
export function createNameResolver(lists: LookupLists): (row: MappedRow) => Promise<void> {
  const loaded = new Map<string, Names>();
  const load = async (lookup: Lookup): Promise<Names> => {
    const names = loaded.get(lookup.name) ?? namesOf(await lists.read(lookup));
    loaded.set(lookup.name, names);
    return names;
  };
  return async (row) => {
    for (const pending of row.names) resolveName(row, pending, await load(pending.lookup));
  };
}

function namesOf(list: Awaited<ReturnType<LookupLists['read']>>): Names {
  if ('failure' in list) throw list.failure;
  return 'entries' in list ? { entries: list.entries, find: createNameFinder(list.entries) } : list;
}

function resolveName(row: MappedRow, pending: PendingName, names: Names): void {
  const { field, name, address } = pending;
  const place = { field, address };
  if (!('find' in names)) {
    row.issues.push(issueAt({ code: 'lookup-unreadable', found: name, hint: names.hint }, place));
    return;
  }
  const same = names.find(name);
  const [first, second] = same;
  if (first !== undefined && second === undefined) {
    row.values[field] = first.id;
    return;
  }
  if (first !== undefined) {
    const hint = same.map(numberedName).join(', ');
    row.issues.push(issueAt({ code: 'lookup-ambiguous', found: name, hint }, place));
    return;
  }
  row.issues.push(
    issueAt({ code: 'lookup-unknown', found: name, hint: nearText(name, names.entries) }, place),
  );
}

/** So many names are all listed; of more only those that look like the one that was found. */
const FEW = 10;

function nearText(name: string, entries: readonly LookupEntry[]): Bilingual {
  if (entries.length > 0 && entries.length <= FEW) {
    const all = choicesOf(entries)
      .map(({ text }) => shorten(text))
      .join(', ');
    return { en: `the names are: ${all}`, nl: `de namen zijn: ${all}` };
  }
  const near = nearest(name, new Set(entries.map((entry) => entry.label))).join(', ');
  if (near !== '') return { en: `nearest names: ${near}`, nl: `namen die erop lijken: ${near}` };
  return {
    en: `the service knows ${entries.length} names here, none that looks like it`,
    nl: `de dienst kent hier ${entries.length} namen, geen die erop lijkt`,
  };
}
