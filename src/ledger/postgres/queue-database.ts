import type { StopError } from '../../core/errors.ts';
import type { Time } from '../../core/time.ts';
import { type Database, isPassing, openDatabase } from './database.ts';
import { patiently } from './group-writer.ts';
import { isLeased, SHARED_RUN } from './lease.ts';
import { databaseStop } from './stops.ts';

/** Asks something of a database. */
export type Query = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>;

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
