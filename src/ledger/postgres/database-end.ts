import type { MovedLedger } from '../move-tables.ts';
import { tableEnd } from '../table-end.ts';
import { ask, type Database, inTransaction } from './database.ts';
import { rendered } from './rendered.ts';

/** A ledger in a database as an end of a move, read as it is at one moment; all that is written is, or nothing. */
export const withDatabaseEnd = async <T>(
  database: Database,
  work: (end: MovedLedger) => Promise<T>,
): Promise<T> =>
  await inTransaction(database, 'repeatable read', async (tx) => {
    const sql = {
      read: async (text, ...params) => await ask(tx, text, ...params),
      async write(statements) {
        await tx.query(statements.map(({ text, params }) => rendered(text, params)).join(';\n'));
        return [];
      },
    } as Parameters<typeof tableEnd>[0];
    return await work(tableEnd(sql, database.place));
  });
