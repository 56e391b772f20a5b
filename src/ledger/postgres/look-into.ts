import { sql } from 'kysely';
import type { StopError } from '../../core/errors.ts';
import { unpackChunk } from '../chunks.ts';
import { openDatabase } from './database.ts';
import { refuseNewer, versionOf } from './migrate.ts';
import { damagedRows, openingStop } from './stops.ts';
import { SCHEMA, type Tables } from './tables.ts';

/** How much a ledger holds. */
export interface Holds {
  readonly runs: number;
  readonly rows: number;
  readonly records: number;
  readonly postings: number;
}

/** Chunks that are looked at together. */
const BATCH = 20;

/**
 * What a ledger in a database holds, all rows of plans read, or the stop for what is wrong with it; undefined
 * where there is none. Nothing is changed.
 */
export async function lookIntoDatabase(
  address: string,
): Promise<{ readonly holds?: Holds; readonly stop?: StopError } | undefined> {
  const { db, place, close } = openDatabase(address, process.env);
  const count = async (table: keyof Tables, where = sql`true`): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(`${SCHEMA}.${table}`)} where ${where}`.execute(db);
    return rows[0]?.count ?? 0;
  };
  try {
    const version = await versionOf(db);
    refuseNewer(version, place);
    if (version === 0) return undefined;
    for (let after = { run: '', last: -1 }; ; ) {
      const chunks = await db
        .selectFrom('chunks')
        .select(['run', 'first', 'last', 'rows'])
        .where(sql<boolean>`(run, last) > (${after.run}, ${after.last})`)
        .orderBy('run')
        .orderBy('last')
        .limit(BATCH)
        .execute();
      for (const chunk of chunks) {
        try {
          unpackChunk(chunk.rows);
        } catch (error) {
          throw damagedRows(place, chunk, error);
        }
      }
      const end = chunks.at(-1);
      if (end === undefined) break;
      after = end;
    }
    return {
      holds: {
        runs: await count('runs'),
        rows: await count('states'),
        records: await count('keys'),
        postings: await count('postings', sql`alias_of is null`),
      },
    };
  } catch (error) {
    return { stop: openingStop(place, error) };
  } finally {
    await close();
  }
}
