import { foldName } from '../core/header.ts';
import type { LookupEntry } from '../schema/field.ts';

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
