import { issueAt } from '../../schema/issue.ts';
import type { Lookup, LookupEntry } from '../../schema/lookup.ts';
import { nearest } from '../../schema/nearest.ts';
import { lookupEntries, type UnreadableLookup } from '../../service/lookups.ts';
import type { Context } from '../context.ts';
import type { MappedRow, PendingName } from './map-row.ts';

type Entries = LookupEntry[] | UnreadableLookup;

const fold = (label: string): string => label.normalize('NFKC').trim().toLowerCase();

/** Turns names in lookup columns into ids; each lookup is asked for once a run, and only when a name needs it. */
export function createNameResolver(context: Context): (row: MappedRow) => Promise<void> {
  const loaded = new Map<string, Promise<Entries>>();
  const load = (lookup: Lookup): Promise<Entries> => {
    const known = loaded.get(lookup.name) ?? readLookup(context, lookup);
    loaded.set(lookup.name, known);
    return known;
  };
  return async (row) => {
    for (const pending of row.names) resolveName(row, pending, await load(pending.lookup));
  };
}

async function readLookup(context: Context, lookup: Lookup): Promise<Entries> {
  const dropdown = lookup.dropdown ?? context.dialect.dropdowns[lookup.name];
  const numbered = dropdown === undefined ? lookup : { ...lookup, dropdown };
  return await lookupEntries(context.service, numbered, context.dialect.lookups[lookup.name]);
}

function resolveName(row: MappedRow, pending: PendingName, entries: Entries): void {
  const { field, name, address } = pending;
  const place = { field, address };
  if (!Array.isArray(entries)) {
    row.issues.push(issueAt({ code: 'lookup-unreadable', found: name, hint: entries.hint }, place));
    return;
  }
  const same = entries.filter((entry) => fold(entry.label) === fold(name));
  const [first, second] = same;
  if (first !== undefined && second === undefined) {
    row.values[field] = first.id;
    return;
  }
  if (first !== undefined) {
    const hint = same.map((entry) => entry.id).join(', ');
    row.issues.push(issueAt({ code: 'lookup-ambiguous', found: name, hint }, place));
    return;
  }
  row.issues.push(issueAt({ code: 'lookup-unknown', found: name, hint: nearText(name, entries) }, place));
}

function nearText(name: string, entries: readonly LookupEntry[]): { en: string; nl: string } {
  const near = nearest(name, new Set(entries.map((entry) => entry.label))).join(', ');
  if (near !== '') return { en: `nearest names: ${near}`, nl: `namen die erop lijken: ${near}` };
  return {
    en: `the service knows ${entries.length} names here`,
    nl: `de dienst kent hier ${entries.length} namen`,
  };
}
