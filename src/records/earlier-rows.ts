import { HashSet, hashOf } from '../ledger/hash-index.ts';
import type { Context } from '../run/context.ts';
import { changedValues, type ExistingRecord, plainValues } from './existing-record.ts';
import type { UnplacedRow } from './planning.ts';

/** Rows of one plan on the same record: a later one is planned against what earlier ones leave. */
export interface EarlierRows {
  /** The key of the record to which an earlier row gave this ExternalID. */
  renamed(external: number): string | undefined;
  /** Whether an earlier row may name this record: false is certain, and costs next to nothing. */
  maybe(key: string | null): boolean;
  /** Whether an earlier row writes this record. */
  has(key: string): Promise<boolean>;
  /** The last earlier row that names this record, whatever becomes of it; not one that is marked skip. */
  named(key: string): Promise<UnplacedRow | undefined>;
  /** The record after the earlier rows with this key; `existing` itself when there are none. */
  after(key: string | null, existing: ExistingRecord | null): Promise<ExistingRecord | null>;
  /** To be told of every planned row, before it is saved; hands it on. */
  add(row: UnplacedRow): UnplacedRow;
  /** To be called when the rows added so far are in the ledger. */
  saved(): void;
}

/** Keeps hashes of keys in memory, and reads rows back from the ledger. One serves a resource in a run. */
export function createEarlierRows(context: Context, run: string, resource: string): EarlierRows {
  const seen = new HashSet();
  const renames = new Map<number, string>();
  let unsaved: UnplacedRow[] = [];
  // A row's key is asked for before it is added.
  let last: { readonly key: string; readonly hash: number } = { key: '', hash: hashOf('') };
  const hashed = (key: string): number => {
    if (key !== last.key) last = { key, hash: hashOf(key) };
    return last.hash;
  };
  const maybe = (key: string | null): boolean => key !== null && seen.has(hashed(key));
  const rowsOf = async (key: string): Promise<UnplacedRow[]> => {
    const stored: UnplacedRow[] = await context.ledger.plannedFor(run, resource, key);
    return [...stored, ...unsaved.filter((row) => row.key === key)];
  };
  return {
    renamed: (external) => renames.get(external),
    maybe,
    has: async (key) => maybe(key) && (await rowsOf(key)).some(({ steps }) => steps.length > 0),
    named: async (key) =>
      maybe(key) ? (await rowsOf(key)).findLast(({ action }) => action !== 'skip') : undefined,
    async after(key, existing) {
      if (key === null || !maybe(key)) return existing;
      return (await rowsOf(key)).reduce(afterRow, existing);
    },
    add(row) {
      if (row.key !== null && row.action !== 'skip') {
        seen.add(hashed(row.key));
        if (row.steps.length > 0 && row.external !== null && row.key !== `external:${row.external}`)
          renames.set(row.external, row.key);
      }
      unsaved.push(row);
      return row;
    },
    saved() {
      unsaved = [];
    },
  };
}

/** The record as a planned row leaves it. */
function afterRow(existing: ExistingRecord | null, row: UnplacedRow): ExistingRecord | null {
  const [first] = row.steps;
  if (first === undefined) return existing;
  if (first.purpose === 'delete') return null;
  if (first.purpose === 'create') {
    const body = Object.assign({}, ...row.steps.map((step) => step.body));
    return { id: null, external: row.external, lmt: null, values: plainValues(body) };
  }
  const values = { ...existing?.values, ...changedValues(row.changes) };
  return { id: row.id, external: row.external, lmt: existing?.lmt ?? null, values };
}
