import type { StopError } from '../../core/errors.ts';
import type { Time } from '../../core/time.ts';
import { guarded } from '../guarded.ts';
import type { Ledger } from '../ledger.ts';
import type { JoinedRight, SendingRight } from '../team.ts';
import { type Database, openDatabase, type TimedDatabase } from './database.ts';

export { withDatabaseEnd } from './database-end.ts';
export { lookIntoDatabase } from './look-into.ts';
export { queueDatabase } from './queue-database.ts';

import { openGroupWriter, patiently } from './group-writer.ts';
import { isLeased, joinLease, type Lease, tryLease } from './lease.ts';
import { makeReady } from './migrate.ts';
import { joinPace, type PaceMember } from './pace.ts';
import { planStore } from './plan-store.ts';
import { postingStore } from './posting-store.ts';
import { pruneStore } from './prune-store.ts';
import {
  appliedStore,
  conflictStore,
  factStore,
  keyStore,
  resendStore,
  unsettledStore,
  writeStore,
} from './record-store.ts';
import { rowStore } from './row-store.ts';
import { runStore } from './run-store.ts';
import { databaseStop, openingStop } from './stops.ts';

/** A ledger in a database, and the right to send with it. */
export interface DatabaseLedger {
  readonly database: Database;
  readonly ledger: Ledger;
  /** Takes the right to send when no program has it, else null. */
  tryLock(): Promise<SendingRight | null>;
  /** Joins the programs that send a run; null where it is sent by one alone, or by none. */
  join(run: string): Promise<JoinedRight | null>;
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
): Promise<DatabaseLedger> {
  const database = { ...openDatabase(address, environment), time };
  try {
    const stopOf = (cause: unknown): StopError => openingStop(database.place, cause);
    await patiently(time, async () => await makeReady(database), stopOf, { patience: AT_OPENING });
    return ledgerOn(database);
  } catch (error) {
    await database.close();
    throw openingStop(database.place, error);
  }
}

/** Methods that only read: they can be asked again. */
const READS = /^(?:find|list|read|rowsAt$|plannedFor$|countBegun$)/;

/** The ledger, whose reads wait for a database that is away as its writes do. */
function withPatientReads(
  time: Time,
  ledger: Ledger,
  stopOf: (cause: unknown) => StopError | undefined,
): Ledger {
  const methods = Object.entries(ledger).map(
    ([name, method]: [string, (...given: unknown[]) => Promise<unknown>]) => [
      name,
      READS.test(name) ? (...given: unknown[]) => patiently(time, () => method(...given), stopOf) : method,
    ],
  );
  return Object.fromEntries(methods) as Ledger;
}

function ledgerOn(database: TimedDatabase): DatabaseLedger {
  const { db, place, time } = database;
  let lease: Lease | undefined;
  const stopOf = (cause: unknown): StopError | undefined => databaseStop(place, cause);
  const writer = openGroupWriter(database, () => lease, stopOf);
  const plans = planStore(db, writer, place);
  const { settled, reader, forget, ...planned } = plans;
  const close = async (): Promise<void> => {
    await settled();
    await writer.settled();
    await lease?.release();
    lease = undefined;
    await database.close();
  };
  const stores: Ledger = {
    ...runStore(db, writer),
    ...planned,
    ...rowStore(db, writer, reader),
    ...postingStore(db, writer),
    ...keyStore(db, writer),
    ...factStore(db, writer),
    ...appliedStore(db, writer),
    ...conflictStore(db, writer),
    ...resendStore(db, writer),
    ...unsettledStore(db, writer),
    ...writeStore(db, writer, reader),
    ...pruneStore(db, writer, { reader, forget }),
    close,
  };
  const held = (taken: Lease): SendingRight => {
    lease = taken;
    return {
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
    ledger: guarded(withPatientReads(time, stores, stopOf), stopOf),
    async tryLock() {
      if (lease !== undefined) return null;
      const taken = await tryLease(database);
      return taken && { ...held(taken), share: async (run, parts) => await taken.share(run, parts) };
    },
    async join(run) {
      if (lease !== undefined) return null;
      const joined = await joinLease(database, run);
      return joined && { ...held(joined.lease), team: joined.team };
    },
    isLocked: async () => await isLeased(database),
    joinPace: async (member) => await joinPace(database, member),
  };
}
