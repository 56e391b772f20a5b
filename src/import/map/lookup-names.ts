import { issueAt, shorten } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import type { MappedRow, PendingName } from '../../records/mapped-row.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import type { Lookup, LookupEntry } from '../../schema/field.ts';
import type { UnreadableLookup } from '../../service/lookups.ts';
import { isBlank, isClear, isName, noValue } from './cell-sense.ts';

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
    return t(`the names are: ${all}`, `de namen zijn: ${all}`);
  }
  const near = nearest(name, new Set(entries.map((entry) => entry.label))).join(', ');
  if (near !== '') return t(`nearest names: ${near}`, `namen die erop lijken: ${near}`);
  return t(
    `the service knows ${entries.length} names here, none that looks like it`,
    `de dienst kent hier ${entries.length} namen, geen die erop lijkt`,
  );
}

/** Finds the entries that a name can mean: those of that name, else the one whose number stands behind it, `Dranken (12)`. */
type NameFinder = (name: string) => readonly LookupEntry[];

/** A finder over the entries of one lookup. */
export function createNameFinder(entries: readonly LookupEntry[]): NameFinder {
  const byName = new Map<string, LookupEntry[]>();
  for (const entry of entries) {
    const name = fold(entry.label);
    byName.set(name, [...(byName.get(name) ?? []), entry]);
  }
  return (name) => {
    const same = byName.get(fold(name));
    if (same !== undefined) return same;
    const [, label = '', id] = /^(.+)\((\d+)\)$/s.exec(fold(name)) ?? [];
    return (byName.get(label.trim()) ?? []).filter((entry) => String(entry.id) === id);
  };
}

const fold = (label: string): string => label.normalize('NFKC').trim().toLowerCase();

/** A name with its number behind it, for entries that share a name. */
function numberedName({ id, label }: LookupEntry): string {
  return `${label} (${id})`;
}

/** One entry of a lookup as the text that people choose. */
export interface Choice {
  readonly id: number;
  readonly text: string;
}

/**
 * What people choose from for a lookup, each text once, such that the import reads every one of them as the entry it was
 * made from: its name, with its number behind it where the name alone would say too little, else the number.
 */
export function choicesOf(entries: readonly LookupEntry[]): Choice[] {
  const find = createNameFinder(entries);
  const means = (text: string, entry: LookupEntry): boolean => {
    const [first, second] = find(text);
    return first?.id === entry.id && second === undefined;
  };
  const choices = entries.map((entry): Choice => {
    const names = [entry.label.trim(), numberedName(entry)];
    const text = names.find((name) => readsAsName(name) && means(name, entry)) ?? String(entry.id);
    return { id: entry.id, text };
  });
  return [...new Map(choices.map((choice) => [choice.text, choice])).values()];
}

function readsAsName(text: string): boolean {
  const cell = { column: 0, type: 'text', value: text } as const;
  return !isBlank(cell) && noValue(cell) === undefined && !isClear(text) && isName(cell);
}
