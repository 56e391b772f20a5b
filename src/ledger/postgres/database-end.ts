import type { MovedLedger } from '../move-tables.ts';
import { tableEnd } from '../table-end.ts';
import type { Database } from './database.ts';
import { rendered } from './rendered.ts';

/** A ledger in a database as an end of a move, read as it is at one moment; all that is written is, or nothing. */
export async function withDatabaseEnd<T>(
  { pool, place }: Database,
  work: (end: MovedLedger) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read');
    const end = tableEnd(
      {
        read: async (text, ...params) => (await client.query(rendered(text, params))).rows,
        async write(statements) {
          await client.query(statements.map(({ text, params }) => rendered(text, params)).join(';\n'));
          return [];
        },
      },
      place,
    );
    const done = await work(end);
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => (broken = cause));
    throw error;
  } finally {
    client.release(broken);
  }
}
