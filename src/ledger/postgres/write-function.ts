import { CompiledQuery } from 'kysely';
import type { Posting } from '../ledger.ts';
import type { Db, Tx } from './database.ts';
import { SCHEMA } from './tables.ts';

/** What the database's own function writes, list by list; each list names a row once. */
export interface Lists {
  readonly progress: { readonly run: string; readonly seq: number; readonly progress: string };
  readonly outcomes: {
    readonly run: string;
    readonly seq: number;
    readonly status: string;
    readonly outcome: string;
  };
  readonly keys: {
    readonly service: string;
    readonly resource: string;
    readonly external: number;
    readonly id: number;
    readonly label: string | null;
  };
  readonly writes: {
    readonly service: string;
    readonly resource: string;
    readonly key: string;
    readonly run: string;
    readonly seq: number;
    readonly at: string | null;
  };
  /** Postings that went through; `place` tells them apart. */
  readonly settled: {
    readonly place: number;
    readonly service: string;
    readonly resource: string;
    readonly name: string;
    readonly id: number | null;
  };
  /** One fingerprint each; those of one place are claimed together, or none of them. */
  readonly claims: Omit<Posting, 'fingerprint'> & {
    readonly place: number;
    readonly service: string;
    readonly resource: string;
    readonly fingerprint: string;
    readonly alias_of: string | null;
  };
}

/** A list, by its name. */
export type ListName = keyof Lists;

const NAMES: readonly ListName[] = ['progress', 'outcomes', 'keys', 'writes', 'settled', 'claims'];

/** Made once: a query builder would make it anew for each row that is sent. */
const STATEMENT = `select found_version as version, unknown_places as unknown, other_holders as holders
  from ${SCHEMA}.write_lists($1, $2, $3, $4, ${NAMES.map((_, at) => `$${at + 5}::json`).join(', ')})`;

/** What the function found. */
export interface Told {
  /** The version of the tables; null where the right to send is another's: nothing was written then. */
  readonly version: number | null;
  /** Places of settled postings that are not there. */
  readonly unknown: readonly number[];
  /** Postings that others hold, by the place that claimed one, and the fingerprint it was found by. */
  readonly holders: readonly (Posting & { readonly place: number; readonly name: string })[];
}

/** The right to send by which something is written. */
export interface WritingRight {
  readonly name: string;
  readonly token: number;
  readonly holder: string;
}

/**
 * Writes lists, all or none, with one statement: a round trip costs more than what is written. With a
 * `right`, nothing is written where it is another's by now, or a newer program changed the tables.
 */
export async function writeLists(
  db: Db | Tx,
  right: WritingRight | undefined,
  version: number,
  lists: { readonly [N in ListName]?: readonly Lists[N][] },
): Promise<Told> {
  const given = NAMES.map((name) => {
    const rows = lists[name] ?? [];
    return rows.length === 0 ? null : JSON.stringify(rows);
  });
  const { name = null, token = null, holder = null } = right ?? {};
  const { rows } = await db.executeQuery<{
    version: number | null;
    unknown: number[] | null;
    holders: Told['holders'] | null;
  }>(CompiledQuery.raw(STATEMENT, [name, token, holder, version, ...given]));
  const [told] = rows;
  return { version: told?.version ?? null, unknown: told?.unknown ?? [], holders: told?.holders ?? [] };
}
