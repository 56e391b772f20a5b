import { type Finding, issueAt, shorten } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import type { Lookup, LookupEntry } from '../../schema/field.ts';
import type { UnreadableLookup } from '../../service/lookups.ts';
import { isBlank, isClear, isName, noValue } from './cell-sense.ts';

type Names = { readonly entries: readonly LookupEntry[]; readonly find: NameFinder } | UnreadableLookup;

/**
 * Resolves the names in a row's lookup columns to ids. Throws RequestError where a list can't be read for
 * now.
 */
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

function resolveName(row: MappedRow, pending: MappedRow['names'][number], names: Names): void {
  const { field, name, address } = pending;
  const same = 'find' in names ? names.find(name) : [];
  const [first, second] = same;
  if (first !== undefined && second === undefined) {
    row.values[field] = first.id;
    return;
  }
  const finding: Finding =
    'hint' in names
      ? { code: 'lookup-unreadable', found: name, hint: names.hint }
      : first === undefined
        ? { code: 'lookup-unknown', found: name, hint: nearText(name, names.entries) }
        : { code: 'lookup-ambiguous', found: name, hint: same.map(numberedName).join(', ') };
  row.issues.push(issueAt(finding, { field, address }));
}

/** Most names that are all listed; of more only those that look like the one found. */
const FEW = 10;

function nearText(name: string, entries: readonly LookupEntry[]): Bilingual {
  if (entries.length > 0 && entries.length <= FEW) {
    const texts = choicesOf(entries).map(({ text }) => shorten(text));
    const all = texts.join(', ');
    return t(`the names are: ${all}`, `de namen zijn: ${all}`);
  }
  const near = nearest(name, new Set(entries.map((entry) => entry.label))).join(', ');
  if (near !== '') return t(`nearest names: ${near}`, `namen die erop lijken: ${near}`);
  return t(
    `the service knows ${entries.length} names here, none that looks like it`,
    `de dienst kent hier ${entries.length} namen, geen die erop lijkt`,
  );
}

type NameFinder = (name: string) => readonly LookupEntry[];

/**
 * Finds the entries that a name can mean: all of that name, else the one with the id behind it, `Dranken
 * (12)`.
 */
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

const numberedName = ({ id, label }: LookupEntry): string => `${label} (${id})`;

/** One entry of a lookup as the text that people choose. */
export interface Choice {
  readonly id: number;
  readonly text: string;
}

/**
 * The choices of a lookup, each text once, which the import reads as the entry they were made from: its name,
 * with the id behind it where the name is not enough, else the id.
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
