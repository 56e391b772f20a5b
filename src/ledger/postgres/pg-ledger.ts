import type { StopError } from '../../core/errors.ts';
import type { Time } from '../../core/time.ts';
import { guarded } from '../guarded.ts';
import type { Ledger } from '../ledger.ts';
import { storesOn } from '../stores/stores.ts';
import type { SendingRight } from '../team.ts';
import { type Database, openDatabase } from './database.ts';

export { withDatabaseEnd } from './database-end.ts';
export { lookIntoDatabase } from './look-into.ts';
export { queueDatabase } from './queue-database.ts';

import { openGroupWriter, patiently } from './group-writer.ts';
import { isLeased, joinLease, type Lease, tryLease } from './lease.ts';
import { makeReady } from './migrate.ts';
import { joinPace, type PaceMember } from './pace.ts';
import { postgresSql } from './pg-sql.ts';
import { databaseStop, openingStop } from './stops.ts';

/** A ledger in a database, and the right to send with it. */
export interface DatabaseLedger {
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
    ledger: guarded(storesOn(postgresSql(database, writer, stopOf), close), stopOf),
    tryLock: async () => (lease === undefined ? await held(tryLease(database)) : null),
    join: async (run) => (lease === undefined ? await held(joinLease(database, run)) : null),
    isLocked: async () => await isLeased(database),
    joinPace: async (member) => await joinPace(database, member),
  };
}
