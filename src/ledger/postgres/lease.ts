import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { StopError } from '../../core/errors.ts';
import type { Database, Tx } from './database.ts';
import { patiently } from './group-writer.ts';
import { newerStop } from './migrate.ts';
import { databaseStop, takenOver } from './stops.ts';

/** How long a program that is not heard of keeps the right to send, ms. */
const TTL = 15_000;
/** How often it is heard of, ms. */
const BEAT = 4_000;
/** So long before its end, ms, nothing more is sent: a request that is written takes a while to leave. */
const MARGIN = 3_000;

/** The right to send with a ledger, which one program has at a time, on whatever machine. */
export interface Lease {
  /** Throws StopError where it may be another's by now: asked as a request's bytes are about to leave. */
  check(): void;
  /** Throws StopError where it is another's; until the transaction ends nobody can take it. */
  fence(tx: Tx): Promise<void>;
  release(): Promise<void>;
}

const LEASES = sql.table('catersheet.leases');
/** The version of the tables, as a column of what is asked. */
const VERSION_NOW = sql`(select version from ${sql.table('catersheet.meta')}) as version`;

interface Held {
  readonly version: number;
}

/** Time that went by: by the clock that stops with the machine, or the one that people set. The longer. */
interface Moment {
  readonly wall: number;
  readonly steady: number;
}

const now = (): Moment => ({ wall: Date.now(), steady: performance.now() });
const since = ({ wall, steady }: Moment): number => Math.max(Date.now() - wall, performance.now() - steady);

/** Takes the lease when nobody has it; else null. The clock is the database's. */
export async function tryLease(database: Database, name: string): Promise<Lease | null> {
  const { db, place } = database;
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  const stopOf = (cause: unknown): StopError | undefined => databaseStop(place, cause);
  let heard = now();
  const taken = await patiently(async () => {
    heard = now();
    // The same holder where the answer of a first try was lost.
    const { rows } = await sql<{ token: number }>`
      insert into ${LEASES} as l (name, holder, token, until)
      values (${name}, ${holder}, 1, clock_timestamp() + ${TTL} * interval '1 millisecond')
      on conflict (name) do update
        set holder = excluded.holder, token = l.token + 1, until = excluded.until
        where l.until < clock_timestamp() or l.holder = excluded.holder
      returning token`.execute(db);
    return rows[0];
  }, stopOf);
  if (taken === undefined) return null;
  const { token } = taken;
  let lost: StopError | undefined;
  const own = sql`name = ${name} and token = ${token} and holder = ${holder}`;

  /** Why nothing more may be sent, by the lease as it stands; undefined while it is held. */
  function look(held: Held | undefined): StopError | undefined {
    // A newer program may have changed the tables while this one sends.
    lost ??= held === undefined ? takenOver(place) : newerStop(held.version, place);
    return lost;
  }

  async function beat(): Promise<void> {
    const asked = now();
    const { rows } = await sql<Held>`
      update ${LEASES} set until = clock_timestamp() + ${TTL} * interval '1 millisecond'
      where ${own} returning ${VERSION_NOW}`.execute(db);
    if (look(rows[0]) === undefined) heard = asked;
  }

  // One that fails is followed by the next; what is not heard of in time is checked before each request.
  const timer = setInterval(() => void beat().catch(() => {}), BEAT);
  timer.unref();
  return {
    check() {
      if (lost !== undefined || since(heard) > TTL - MARGIN) throw lost ?? takenOver(place);
    },
    async fence(tx) {
      const held = sql<Held>`select ${VERSION_NOW} from ${LEASES} where ${own} for share`;
      const stop = look((await held.execute(tx)).rows[0]);
      if (stop !== undefined) throw stop;
    },
    async release() {
      clearInterval(timer);
      const end = sql`update ${LEASES} set until = clock_timestamp() - interval '1 second' where ${own}`;
      // Where it can't be told, it ends by itself.
      await end.execute(db).catch(() => {});
    },
  };
}

/** Whether some program has the lease. */
export async function isLeased({ db }: Database, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${LEASES} where name = ${name} and until >= clock_timestamp()`.execute(db);
  return rows.length > 0;
}
