import { unreadable } from './scan.ts';
import type { Db } from './schema.ts';
import type { Param, Sql, Statement, StoredPlace } from './sql.ts';
import type { Writer } from './writer.ts';

/** Lists stand in one text of JSON. */
const LIST = '(select value from json_each(?))';

/** Puts `text` as SQLite has it, and its values too. */
const bound = (param: Param): unknown => (Array.isArray(param) ? JSON.stringify(param) : param);

/** What runs statements on a connection, each compiled once. */
export function runnerOn(db: Db): (text: string, params: readonly Param[]) => unknown[] {
  const compiled = new Map<string, { readonly one: ReturnType<Db['prepare']>; readonly reads: boolean }>();
  return (text, params) => {
    let known = compiled.get(text);
    if (known === undefined) {
      const one = db.prepare(text.replaceAll('@', '').replaceAll('??', LIST));
      known = { one, reads: one.reader };
      compiled.set(text, known);
    }
    const values = params.map(bound);
    if (known.reads) return known.one.all(values);
    // To ask for rows takes longer than to write them.
    return Array.from({ length: known.one.run(values).changes }, () => ({}));
  };
}

/** The error for rows of a plan that can't be read, as SQLite would mark it. */
export const damagedChunk = ({ run, first, last }: StoredPlace, cause: unknown): Error =>
  unreadable(`rows ${first} to ${last} of run ${run}: ${(cause as Error).message}`, cause);

/** A ledger's SQLite file. */
export function sqliteSql(db: Db, { write, writeNow }: Pick<Writer, 'write' | 'writeNow'>): Sql {
  const run = runnerOn(db);
  const runAll = (statements: readonly Statement[]) =>
    statements.map(({ text, params }) => run(text, params));
  return {
    read: async (text, ...params) => run(text, params) as never[],
    async write(statements, durable) {
      let rows: unknown[][] = [];
      await write(() => {
        rows = runAll(statements);
      }, durable);
      return rows as Awaited<ReturnType<Sql['write']>>;
    },
    writeNow: (one) => writeNow(() => void runAll([one])),
    kept: (text) => text,
    damaged: damagedChunk,
  };
}
