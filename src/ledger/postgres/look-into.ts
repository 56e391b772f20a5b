import type { StopError } from '../../core/errors.ts';
import { systemTime } from '../../core/time.ts';
import { unpackChunk } from '../chunks.ts';
import { HOLDS, type Holds, NEXT_CHUNKS } from '../holds.ts';
import { MOVED_TO, movedStop } from '../moved.ts';
import type { StoredPlace } from '../sql.ts';
import { ask, openDatabase } from './database.ts';
import { refuseNewer, versionOf } from './migrate.ts';
import { damagedRows, openingStop } from './stops.ts';

/** Chunks that are looked at together. */
const BATCH = 20;

/**
 * What a ledger in a database holds, all rows of plans read, or the stop for what is wrong with it, or says where it
 * was moved to; undefined
 * where there is none. Nothing is changed.
 */
export async function lookIntoDatabase(
  address: string,
): Promise<{ readonly holds?: Holds; readonly moved?: StopError; readonly stop?: StopError } | undefined> {
  const { pool, place, close } = openDatabase(address, systemTime);
  try {
    const version = await versionOf(pool);
    refuseNewer(version, place);
    if (version === 0) return undefined;
    for (let after: StoredPlace | undefined = { run: '', first: -1, last: -1 }; after !== undefined; ) {
      const { run, last }: StoredPlace = after;
      const rows: (StoredPlace & { readonly rows: Buffer })[] = await ask(
        pool,
        NEXT_CHUNKS,
        run,
        last,
        BATCH,
      );
      for (const chunk of rows) {
        try {
          unpackChunk(chunk.rows);
        } catch (error) {
          throw damagedRows(place, chunk, error);
        }
      }
      after = rows.at(-1);
    }
    const [moved] = await ask<{ value: string }>(pool, MOVED_TO);
    return {
      holds: (await ask<Holds>(pool, HOLDS))[0] as Holds,
      ...(moved && { moved: movedStop(place, moved.value) }),
    };
  } catch (error) {
    return { stop: openingStop(place, error) };
  } finally {
    await close();
  }
}
