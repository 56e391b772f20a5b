import type { StopError } from '../../core/errors.ts';
import { systemTime, type Time } from '../../core/time.ts';
import { unpackChunk } from '../chunks.ts';
import type { Ledger, SendingRight } from '../ledger.ts';
import { type MovedLedger, tableEnd } from '../move-tables.ts';
import type { Sql, StoredPlace } from '../sql.ts';
import { MOVED_TO, movedStop } from '../stops.ts';
import { storesOn } from '../stores/stores.ts';
import { HOLDS, type Holds, NEXT_CHUNKS } from '../tables.ts';
import { ask, type Database, inTransaction, isPassing, openDatabase } from './database.ts';
import { openGroupWriter, patiently } from './group-writer.ts';
import { isLeased, joinLease, type Lease, SHARED_RUN, tryLease } from './lease.ts';
import { makeReady, refuseNewer, versionOf } from './migrate.ts';
import { joinPace, type PaceMember } from './pace.ts';
import { kept, rendered } from './rendered.ts';
import { damagedRows, databaseStop, openingStop } from './stops.ts';

/** A ledger in a database, and the right to send with it. */
interface DatabaseLedger {
  readonly database: Database;
  readonly ledger: Ledger;
  /** Takes the right to send when no program has it, else null. */
  tryLock(): Promise<SendingRight | null>;
  /** Joins the programs that send a run; null where it is sent by one alone, or by none. */
  join(run: string): Promise<SendingRight | null>;
  /** Whether some program has it. */
  isLocked(): Promise<boolean>;
  /** Joins the programs that send to a service by this ledger. */
  joinPace(member: PaceMember): ReturnType<typeof joinPace>;
}

/** A database that restarts as a ledger is opened is waited for so long, ms: a wrong address is told soon. */
const AT_OPENING = 5_000;

/**
 * Opens the ledger in a PostgreSQL database, 15 or newer; makes or upgrades its tables. The address is as
 * `postgres://user@host:5432/database`, its password comes from elsewhere.
 * @throws StopError (usage) when it can't be used.
 */
export async function openDatabaseLedger(
  address: string,
  time: Time,
  environment: NodeJS.ProcessEnv = process.env,
  limit?: number,
): Promise<DatabaseLedger> {
  const database: Database = openDatabase(address, time, environment, limit);
  try {
    const stopOf = (cause: unknown): StopError => openingStop(database.place, cause);
    await patiently(database, async () => await makeReady(database), stopOf, { patience: AT_OPENING });
    return ledgerOn(database);
  } catch (error) {
    await database.close();
    throw openingStop(database.place, error);
  }
}

function ledgerOn(database: Database): DatabaseLedger {
  const { place } = database;
  let lease: Lease | undefined;
  const stopOf = (cause: unknown): StopError | undefined => databaseStop(place, cause);
  const writer = openGroupWriter(database, () => lease, stopOf);
  const close = async (): Promise<void> => {
    await writer.settled();
    await lease?.release();
    lease = undefined;
    await database.close();
  };
  const held = async (entering: Promise<Lease | null>): Promise<SendingRight | null> => {
    const taken = await entering;
    if (taken === null) return null;
    lease = taken;
    return {
      team: taken,
      check: () => taken.check(),
      async release() {
        await writer.settled();
        lease = undefined;
        await taken.release();
      },
    };
  };
  return {
    database,
    ledger: storesOn(postgresSql(database, writer.write, stopOf), close, stopOf),
    tryLock: async () => (lease === undefined ? await held(tryLease(database)) : null),
    join: async (run) => (lease === undefined ? await held(joinLease(database, run)) : null),
    isLocked: async () => await isLeased(database),
    joinPace: async (member) => await joinPace(database, member),
  };
}

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

/** A ledger's PostgreSQL database. */
function postgresSql(
  database: Database,
  write: Sql['write'],
  stopOf: (cause: unknown) => StopError | undefined,
): Sql {
  const { asked, place } = database;
  return {
    async read(text, ...params) {
      return (await patiently(database, () => ask(asked, text, ...params), stopOf)) as never[];
    },
    write,
    kept,
    damaged: (rows, cause) => damagedRows(place, rows, cause),
  };
}

/** Asks something of a database. */
type Query = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>;

/** A database as the queue of runs uses it. */
export interface QueueDatabase {
  /** How it is named in messages. */
  readonly place: string;
  query: Query;
  /** Does work until it is done, or the database could not be reached for long. Throws StopError then. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  /** A run of a service that several programs send, and of which a part is sent by none. */
  sharedRun(service: string): Promise<string | undefined>;
  /** Whether some program has the right to send. */
  isSending(): Promise<boolean>;
  /** Whether the same may work in a moment. */
  isPassing(error: unknown): boolean;
  stopOf(error: unknown): StopError | undefined;
  close(): Promise<void>;
}

/** The database of a ledger, for its queue; nothing is asked of it yet. */
export function queueDatabase(address: string, time: Time, signal?: AbortSignal): QueueDatabase {
  const database: Database = openDatabase(address, time);
  const { asked, place, close } = database;
  const stopOf = (cause: unknown): StopError | undefined => databaseStop(place, cause);
  return {
    ...{ place, isPassing, stopOf, close },
    query: async (text, values) => await asked.query(text, values),
    async sharedRun(service) {
      const { rows } = await asked.query(SHARED_RUN, [service]);
      return rows[0]?.run;
    },
    isSending: async () => await isLeased(database),
    patiently: (work) => patiently(database, work, stopOf, { signal }),
  };
}
