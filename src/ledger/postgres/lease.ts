import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import { elapsed, type Moment, thisMoment } from '../../core/elapsed.ts';
import type { StopError } from '../../core/errors.ts';
import type { Part, PlaceRange, Team } from '../team.ts';
import { type Database, LIMITED, type TimedDatabase, type Tx } from './database.ts';
import { type Fence, patiently } from './group-writer.ts';
import { newerStop } from './migrate.ts';
import { databaseStop, takenOver } from './stops.ts';
import { SCHEMA } from './tables.ts';
import type { WritingRight } from './write-function.ts';

/** How long a program that is not heard of keeps the right to send, ms. */
const TTL = 15_000;
/** How often it is heard of, ms. */
const BEAT = 4_000;
/** So long before its end, ms, nothing more is sent: a request that is written takes a while to leave. */
const MARGIN = 3_000;

/** The right to send with a ledger, which one program has at a time, or several for one run. */
export interface Lease extends Fence {
  /** Throws StopError where it may be another's by now: asked as a request's bytes are about to leave. */
  check(): void;
  /** Lets others send parts of a run beside this program, each with a lease of its own. */
  share(run: string, parts: readonly Part[]): Promise<Team>;
  release(): Promise<void>;
}

/** The one right to send of a ledger. */
const SENDING = 'sending';
/** How the leases of those begin that send one run together. */
const MEMBER = 'member ';

const LEASES = sql.table(`${SCHEMA}.leases`);
const PARTS = sql.table(`${SCHEMA}.parts`);
/** The version of the tables, as a column of what is asked. */
const VERSION_NOW = sql`(select version from ${sql.table(`${SCHEMA}.meta`)}) as version`;
/** Until when who is heard of now has its lease. */
const LATER = sql`clock_timestamp() + ${TTL} * interval '1 millisecond'`;
const PAST = sql`clock_timestamp() - interval '1 second'`;

interface Held {
  readonly version: number;
}

const versionOf = (held: Held | undefined): number | null => held?.version ?? null;

/** The row of the table that says that this program may send. */
interface Own {
  readonly name: string;
  readonly token: number;
  /** The run that it sends together with others; null where it is alone. */
  readonly run: string | null;
}

const newHolder = (): string => `${hostname()} ${process.pid} ${randomUUID()}`;

/** Takes the right to send when nobody has it; else null. The clock is the database's. */
export async function tryLease(database: TimedDatabase): Promise<Lease | null> {
  const holder = newHolder();
  let asked = thisMoment(database.time);
  const taken = await inTransaction(database, async (tx) => {
    asked = thisMoment(database.time);
    // The same holder where the answer of a first try was lost.
    const { rows } = await sql<{ token: number }>`
      insert into ${LEASES} as l (name, holder, token, until)
      values (${SENDING}, ${holder}, 1, ${LATER})
      on conflict (name) do update
        set holder = excluded.holder, token = l.token + 1, until = excluded.until, run = null
        where l.until < clock_timestamp() or l.holder = excluded.holder
      returning token, ${LIMITED}`.execute(tx);
    // Each of those who sent together is heard of less lately than their common lease.
    if (rows.length > 0) await sql`delete from ${LEASES} where name like ${`${MEMBER}%`}`.execute(tx);
    return rows[0];
  });
  if (taken === undefined) return null;
  return new HeldLease(database, holder, { name: SENDING, token: taken.token, run: null }, asked);
}

/** Joins the programs that send a run; null where it is sent by one alone, or by none. */
export async function joinLease(
  database: TimedDatabase,
  run: string,
): Promise<{ readonly lease: Lease; readonly team: Team } | null> {
  const holder = newHolder();
  const name = `${MEMBER}${randomUUID()}`;
  let asked = thisMoment(database.time);
  const joined = await inTransaction(database, async (tx) => {
    asked = thisMoment(database.time);
    if (!(await stay(tx, run, 'and until >= clock_timestamp()'))) return false;
    await addMember(tx, name, holder);
    return true;
  });
  if (!joined) return null;
  const lease = new HeldLease(database, holder, { name, token: 1, run }, asked);
  return { lease, team: lease };
}

/** Whether some program has the right to send. */
export async function isLeased({ db }: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${LEASES} where name = ${SENDING} and until >= clock_timestamp()`.execute(db);
  return rows.length > 0;
}

/** The run of a service that can be joined, as some part of it is sent by nobody; as one statement. */
export const SHARED_RUN = `
  select l.run from ${SCHEMA}.leases l join ${SCHEMA}.runs r on r.run = l.run
  where l.name = '${SENDING}' and l.until >= clock_timestamp() and r.service = $1 and exists (
    select 1 from ${SCHEMA}.parts p where p.run = l.run and not p.done and not exists (
      select 1 from ${SCHEMA}.leases m where m.name = p.member and m.until >= clock_timestamp()))`;

async function inTransaction<T>(
  { db, place, time }: TimedDatabase,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const begin = () => db.transaction().setIsolationLevel('read committed');
  return await patiently(
    time,
    async () => await begin().execute(async (tx) => await work(tx as Tx)),
    (cause) => databaseStop(place, cause),
  );
}

/**
 * Keeps the common lease of those who send a run, and others who change it waiting: it is always asked for
 * before the leases of single ones, so that none waits for another in a circle.
 */
async function stay(tx: Tx, run: string, only = ''): Promise<boolean> {
  const { rows } = await sql`
    update ${LEASES} set until = greatest(until, ${LATER})
    where name = ${SENDING} and run = ${run} ${sql.raw(only)} returning ${LIMITED}`.execute(tx);
  return rows.length > 0;
}

/** Adds one to those who send a run; false where a try before, whose end was not told, did. */
async function addMember(tx: Tx, name: string, holder: string): Promise<boolean> {
  const { rows } = await sql`
    insert into ${LEASES} (name, holder, token, until) values (${name}, ${holder}, 1, ${LATER})
    on conflict (name) do nothing returning 1`.execute(tx);
  return rows.length > 0;
}

/** Of those who send together, the ones that were not heard of in time; what they wrote last ends first. */
const removeSilent = async (tx: Tx): Promise<unknown> =>
  await sql`delete from ${LEASES}
            where name like ${`${MEMBER}%`} and until < clock_timestamp()`.execute(tx);

/** A right to send that this program has. */
class HeldLease implements Lease, Team {
  readonly #database: TimedDatabase;
  readonly #holder: string;
  readonly #over = new AbortController();
  /** One change at a time: what the lease is called must not change under another. */
  readonly #one = pLimit(1);
  #own: Own;
  #heard: Moment;
  #lost: StopError | undefined;

  constructor(database: TimedDatabase, holder: string, own: Own, heard: Moment) {
    this.#database = database;
    this.#holder = holder;
    this.#own = own;
    this.#heard = heard;
    this.#beatOften().catch(() => {});
  }

  check(): void {
    if (this.#lost !== undefined || elapsed(this.#database.time, this.#heard) > TTL - MARGIN)
      throw this.#lost ?? takenOver(this.#database.place);
  }

  async fence(tx: Tx): Promise<void> {
    const { name, token } = this.#own;
    const held = await sql<Held>`
      select ${VERSION_NOW}, ${LIMITED} from ${LEASES}
      where name = ${name} and token = ${token} and holder = ${this.#holder} for share`.execute(tx);
    this.orThrow(versionOf(held.rows[0]));
  }

  right(): WritingRight {
    const { name, token } = this.#own;
    return { name, token, holder: this.#holder };
  }

  async share(run: string, parts: readonly Part[]): Promise<Team> {
    const name = `${MEMBER}${randomUUID()}`;
    return await this.#one(async () => {
      const asked = thisMoment(this.#database.time);
      await this.#change(async (tx) => {
        this.orThrow(versionOf(await this.#keep(tx)));
        // Where a try before did it, others may be at the parts by now.
        if (!(await addMember(tx, name, this.#holder))) return;
        await sql`update ${LEASES} set run = ${run} where name = ${SENDING}`.execute(tx);
        await sql`delete from ${PARTS}`.execute(tx);
        for (let at = 0; at < parts.length; at += MOST_PARTS)
          await addParts(tx, run, parts.slice(at, at + MOST_PARTS));
      });
      this.#own = { name, token: 1, run };
      this.#heard = asked;
      return this;
    });
  }

  async take(): Promise<Part | undefined> {
    const { name, run } = this.#shared();
    const take = async (tx: Tx): Promise<Part | undefined> => {
      this.orThrow((await stay(tx, run)) ? versionOf(await this.#keep(tx)) : null);
      await removeSilent(tx);
      const { rows } = await sql<{ part: number; places: string }>`
        update ${PARTS} set member = ${name} where run = ${run} and part = (
          select part from ${PARTS} p where run = ${run} and not done
            and not exists (select 1 from ${LEASES} m where m.name = p.member)
          order by part limit 1)
        returning part, places`.execute(tx);
      const [row] = rows;
      return row && { part: row.part, places: JSON.parse(row.places) as PlaceRange[] };
    };
    return await this.#one(() => this.#change(take));
  }

  async done({ part }: Part): Promise<void> {
    const { name, run } = this.#shared();
    await this.#change(async (tx) => {
      await this.fence(tx);
      await sql`update ${PARTS} set done = true
                where run = ${run} and part = ${part} and member = ${name}`.execute(tx);
    });
  }

  async alone(): Promise<boolean> {
    const { name, run } = this.#shared();
    return await this.#one(async () => {
      const asked = thisMoment(this.#database.time);
      const token = await this.#change((tx) => this.#takeAlone(tx, name, run));
      if (token === undefined) return false;
      this.#own = { name: SENDING, token, run: null };
      this.#heard = asked;
      return true;
    });
  }

  async release(): Promise<void> {
    this.#over.abort();
    this.#lost ??= takenOver(this.#database.place);
    const { name, token, run } = this.#own;
    const { db } = this.#database;
    const end =
      run === null
        ? sql`update ${LEASES} set until = ${PAST}
              where name = ${name} and token = ${token} and holder = ${this.#holder}`.execute(db)
        : db.transaction().execute(async (tx) => await leave(tx as Tx, name, run));
    // Where it can't be told, it ends by itself.
    await end.catch(() => {});
  }

  #shared(): Own & { readonly run: string } {
    const { run } = this.#own;
    if (run === null) throw new TypeError('no other program sends beside this one');
    return { ...this.#own, run };
  }

  /** Takes the run for this program alone; answers the token of its right, undefined while others send. */
  async #takeAlone(tx: Tx, name: string, run: string): Promise<number | undefined> {
    const before = await sql<{ token: number }>`
      select token, ${LIMITED} from ${LEASES}
      where name = ${SENDING} and holder = ${this.#holder} and run is null`.execute(tx);
    // A try before did it, whose end was not told.
    if (before.rows[0] !== undefined) return before.rows[0].token;
    this.orThrow((await stay(tx, run)) ? versionOf(await this.#keep(tx)) : null);
    await removeSilent(tx);
    const others = await sql`
      select 1 from ${LEASES} where name like ${`${MEMBER}%`} and name <> ${name}`.execute(tx);
    if (others.rows.length > 0) return undefined;
    const { rows } = await sql<{ token: number }>`
      update ${LEASES} set holder = ${this.#holder}, token = token + 1, until = ${LATER}, run = null
      where name = ${SENDING} returning token`.execute(tx);
    await sql`delete from ${LEASES} where name = ${name}`.execute(tx);
    await sql`delete from ${PARTS}`.execute(tx);
    return rows[0]?.token;
  }

  /** A change of who sends what; done again where its end was not told, which comes to the same. */
  async #change<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return await inTransaction(this.#database, work);
  }

  /** Keeps this program's own lease; undefined where it has none any more. */
  async #keep(tx: Tx): Promise<Held | undefined> {
    const { name, token } = this.#own;
    const { rows } = await sql<Held>`
      update ${LEASES} set until = ${LATER}
      where name = ${name} and token = ${token} and holder = ${this.#holder}
      returning ${VERSION_NOW}, ${LIMITED}`.execute(tx);
    return rows[0];
  }

  /** Throws why nothing more may be sent, by the lease as it stands. */
  orThrow(version: number | null): void {
    const { place } = this.#database;
    // A newer program may have changed the tables while this one sends.
    this.#lost ??= version === null ? takenOver(place) : newerStop(version, place);
    if (this.#lost !== undefined) throw this.#lost;
  }

  /** Until its release. What is left open must not keep the program from ending. */
  async #beatOften(): Promise<void> {
    for (;;) {
      await this.#database.time.sleep(BEAT, this.#over.signal, false);
      // One that fails is followed by the next; what is not heard of in time is checked before each request.
      this.#one(() => this.#beat()).catch(() => {});
    }
  }

  async #beat(): Promise<void> {
    const own = this.#own;
    const asked = thisMoment(this.#database.time);
    const { db } = this.#database;
    const held = await db.transaction().execute(async (tx) => {
      if (own.run !== null && !(await stay(tx as Tx, own.run))) return undefined;
      return await this.#keep(tx as Tx);
    });
    // It may have been changed meanwhile for one that is heard of as lately.
    if (own !== this.#own) return;
    this.orThrow(versionOf(held));
    this.#heard = asked;
  }
}

/** Most parts that one statement adds. */
const MOST_PARTS = 5_000;

async function addParts(tx: Tx, run: string, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  const rows = parts.map(({ part, places }) => ({ run, part, places: JSON.stringify(places), done: false }));
  await tx.insertInto('parts').values(rows).execute();
}

/** Lets go of what a program sends; the last one of a run lets go of the right to send. */
async function leave(tx: Tx, name: string, run: string): Promise<void> {
  await stay(tx, run);
  await sql`delete from ${LEASES} where name = ${name}`.execute(tx);
  await removeSilent(tx);
  const others = await sql`select 1 from ${LEASES} where name like ${`${MEMBER}%`}`.execute(tx);
  if (others.rows.length === 0)
    await sql`update ${LEASES} set until = ${PAST}, run = null
              where name = ${SENDING} and run = ${run}`.execute(tx);
}
