import pg from 'pg';
import type { Time } from '../../core/time.ts';
import type { Param, Row } from '../sql.ts';
import { rendered } from './rendered.ts';

/** What answers statements: any connection of a program, or that of one transaction. */
export interface Asked {
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>;
}

/** A database that is open; `place` is how it is named in messages: without a password. */
export interface Database {
  readonly pool: pg.Pool;
  readonly time: Time;
  /** Any connection, each statement within `limit`. */
  readonly asked: Asked;
  /** The same for what is asked again by itself, or need not be told: of no use later. */
  readonly soon: Asked;
  /** How long the answer to a statement of a run's work is waited for now, ms: no longer than for the database itself. */
  limit(): number;
  /** Until when it is waited for, by `time.steady`; `patience`: so long, ms, since it last answered. */
  waitsUntil(patience?: number): number;
  /** Whether it was waited for so long that nobody waits for it any more. */
  isGivenUp(): boolean;
  /** Does what asks it, and keeps since when it does not answer. */
  watched<T>(work: () => Promise<T>): Promise<T>;
  readonly place: string;
  close(): Promise<void>;
}

/** Connections of one program: one writes, the others read. A pooler in transaction mode may be between. */
const CONNECTIONS = 6;
/** How long a connection is waited for, ms. */
const CONNECT = 5_000;
/** A connection that is cut without a word tells nothing: what it does not answer for so long, ms, is asked again. */
const LIMIT = 30_000;
/** What is asked again and again by itself is of no use later. */
const SOON = 4_000;
/** A database that restarts is back within a minute; longer, ms, and the user is told. */
const PATIENCE = 60_000;
/** Who asks of one that was waited for, and who asked to stop, waits so long, ms, as it may only restart. */
export const AT_LAST = 3_000;
/** What came to nothing after all that waiting is not tried for so long, ms, by each who comes after it. */
const HOPELESS = 10_000;

/**
 * To be asked with a transaction's first statement: where its program stands still for so long, ms, it ends,
 * so that nobody waits for what it locked. Less than a right to send lasts.
 */
export const LIMITED = `set_config('idle_in_transaction_session_timeout', '10000', true) as limited`;

/** Whole numbers are small enough for JavaScript's: the embedded ledger holds no others. */
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format),
} as pg.CustomTypesConfig;

/** A database's address as it may be shown: without password and settings. */
export function shownPlace(address: string): string {
  const url = new URL(address);
  const user = url.username === '' ? '' : `${decodeURIComponent(url.username)}@`;
  return `postgres://${user}${url.host}${decodeURIComponent(url.pathname)}`;
}

/**
 * Opens a database; nothing is asked of it yet. The password comes from CATERSHEET_LEDGER_PASSWORD, else as
 * for every PostgreSQL program: PGPASSWORD, PGPASSFILE or ~/.pgpass.
 */
export function openDatabase(
  address: string,
  time: Time,
  environment: NodeJS.ProcessEnv = process.env,
  longest = LIMIT,
): Database {
  const password = environment.CATERSHEET_LEDGER_PASSWORD;
  const pool = new pg.Pool({
    connectionString: address,
    ...(password ? { password } : {}),
    ...{ max: CONNECTIONS, connectionTimeoutMillis: CONNECT, keepAlive: true, types },
    application_name: 'catersheet',
    // What is left open must not keep the program from ending.
    allowExitOnIdle: true,
  });
  // A connection that breaks while nobody uses it; the next use makes another.
  pool.on('error', () => {});
  // One that breaks while it is used: what it was asked fails, and the error needs no other ear.
  pool.on('connect', (client) => client.on('error', () => {}));
  let closing: Promise<void> | undefined;
  /** Since when it does not answer, and how that was last told. */
  let away: { readonly since: number; readonly at: number; readonly error: unknown } | undefined;
  /** What nobody asked after for so long may have been back meanwhile. */
  const lately = () => (away !== undefined && time.steady() - away.at <= PATIENCE ? away : undefined);
  const isGivenUp = (): boolean => time.steady() >= (lately()?.since ?? Number.POSITIVE_INFINITY) + PATIENCE;
  const isHopeless = (): boolean => isGivenUp() && time.steady() < (away?.at ?? 0) + HOPELESS;
  const waitsUntil = (patience = PATIENCE): number => {
    const now = time.steady();
    return isHopeless() ? now : Math.max((lately()?.since ?? now) + patience, now + AT_LAST);
  };
  const limit = (): number => Math.min(longest, Math.max(AT_LAST, waitsUntil() - time.steady()));
  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isHopeless()) throw away?.error;
    const began = time.steady();
    try {
      const done = await work();
      away = undefined;
      return done;
    } catch (error) {
      away = isLost(error) ? { since: lately()?.since ?? began, at: time.steady(), error } : undefined;
      throw error;
    }
  };
  const asking = (most: () => number): Asked => {
    const { query } = within(pool, most);
    return { query: (text, values) => watched(() => query(text, values)) };
  };
  return {
    ...{ pool, time, limit, waitsUntil, isGivenUp, watched },
    ...{ asked: asking(limit), soon: asking(() => Math.min(limit(), SOON)) },
    place: shownPlace(address),
    close: () => (closing ??= pool.end()),
  };
}

/** The rows that a statement of a ledger answers. */
export const ask = async <R = Row>(asked: Asked, text: string, ...params: readonly Param[]): Promise<R[]> =>
  (await asked.query(rendered(text, params))).rows;

/** The same, where each statement is answered within so long, ms, or its connection counts as broken. */
const within = (asked: pg.Pool | pg.PoolClient, limit: (() => number) | undefined): Asked => ({
  query: (text, values) =>
    asked.query({
      text,
      ...(values && { values: [...values] }),
      ...(limit && { query_timeout: limit() }),
    }),
});

/** Does work within one transaction, each statement within `limit`: all that it writes is there, or nothing. */
export async function inTransaction<T>(
  { pool, watched }: Pick<Database, 'pool' | 'watched'>,
  level: 'read committed' | 'repeatable read',
  work: (tx: Asked) => Promise<T>,
  limit?: Database['limit'],
): Promise<T> {
  return await watched(async () => {
    const client = await pool.connect();
    const tx = within(client, limit);
    let broken: Error | undefined;
    try {
      await tx.query(`begin isolation level ${level}`);
      const done = await work(tx);
      await tx.query('commit');
      return done;
    } catch (error) {
      // One that does not answer would not answer that either.
      if (isPassing(error)) broken = error as Error;
      else await tx.query('rollback').catch((cause: Error) => (broken = cause));
      throw error;
    } finally {
      client.release(broken);
    }
  });
}

/** Errors of Node and PostgreSQL that say that there is no connection: the same may work in a moment. */
const LOST: ReadonlySet<string> = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'ENOENT',
    'EAI_AGAIN',
  ],
  // Shut down, crashed, starting, and no connection left.
  ...['57P01', '57P02', '57P03', '57P05', '53300'],
  // A transaction stood still for too long: its program was stopped.
  '25P03',
]);

/** Another transaction was in the way: at once again. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['40001', '40P01']);

/** The code of an error of Node or PostgreSQL; empty where it has none. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** Whether the same may work in a moment, as the database was not reached or was busy with another. */
export const isPassing = (error: unknown): boolean => IN_THE_WAY.has(codeOf(error)) || isLost(error);

function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST.has(code) || code.startsWith('08')) return true;
  // The driver gives what it finds out itself no code.
  return (
    error instanceof Error &&
    /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/i.test(
      error.message,
    )
  );
}
