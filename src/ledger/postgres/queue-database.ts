import type { StopError } from '../../core/errors.ts';
import { isPassing, openDatabase } from './database.ts';
import { patiently } from './group-writer.ts';
import { databaseStop } from './stops.ts';

/** A database as the queue of runs uses it. */
export interface QueueDatabase {
  /** How it is named in messages. */
  readonly place: string;
  query(text: string, values: readonly unknown[]): Promise<{ rows: unknown[] }>;
  /** Does work until it is done, or the database could not be reached for long. Throws StopError then. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the same may work in a moment. */
  isPassing(error: unknown): boolean;
  stopOf(error: unknown): StopError | undefined;
  close(): Promise<void>;
}

/** The database of a ledger, for its queue; nothing is asked of it yet. */
export function queueDatabase(address: string, environment: NodeJS.ProcessEnv = process.env): QueueDatabase {
  const { pool, place, close } = openDatabase(address, environment);
  const stopOf = (cause: unknown): StopError | undefined => databaseStop(place, cause);
  return {
    ...{ place, isPassing, stopOf, close },
    query: async (text, values) => await pool.query(text, [...values]),
    patiently: (work) => patiently(work, stopOf),
  };
}
