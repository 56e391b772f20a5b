import type { LookupEntry } from '../../schema/lookup.ts';
import { isBlank, isClear, isName, noValue } from './cell-sense.ts';

/** Finds the entries that a name can mean: those of that name, else the one whose number stands behind it, `Dranken (12)`. */
export type NameFinder = (name: string) => readonly LookupEntry[];

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
export function numberedName({ id, label }: LookupEntry): string {
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
