import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { StopError } from '../../core/errors.ts';
import { elapsed, thisMoment } from '../../core/time.ts';
import type { Part, PlaceRange, Team } from '../ledger.ts';
import { VERSION } from '../tables.ts';
import { type Asked, ask, type Database, inTransaction, LIMITED } from './database.ts';
import { patiently } from './group-writer.ts';
import { newerStop } from './migrate.ts';
import { SCHEMA } from './rendered.ts';
import { databaseStop, takenOver } from './stops.ts';

/** How long a program that is not heard of keeps the right to send, ms. */
const TTL = 15_000;
/** How often it is heard of, ms. */
const BEAT = 4_000;
/** So long before its end, ms, nothing more is sent: a request that is written takes a while to leave. */
const MARGIN = 3_000;

/**
 * The row that all changes of who may send wait for, one after the other. It names the run that others may join;
 * beside it stands a row for each program that may send.
 */
const SENDING = 'sending';

/** Until when who is heard of now has its lease. */
const LATER = `clock_timestamp() + ${TTL} * interval '1 millisecond'`;

/** The version of the tables, as a column of what is asked. */
const VERSION_NOW = '(select version from @meta) as version';

interface Now {
  /** The run that several send; null where at most one program may send. */
  readonly run: string | null;
  /** How many other programs may send. */
  readonly others: number;
}

/** Changes who may send what, with the clock of the database; what is done twice comes to the same. */
async function change<T>(
  database: Database,
  name: string,
  work: (tx: Asked, now: Now) => Promise<T>,
): Promise<T> {
  const once = async (tx: Asked): Promise<T> => {
    const [row] = await ask<Pick<Now, 'run'>>(
      tx,
      `insert into @leases as l (name, holder, token, until) values (?, '', 0, 'epoch')
       on conflict (name) do update set token = l.token returning run, ${LIMITED}`,
      SENDING,
    );
    // What one that was not heard of in time writes at this moment ends first.
    await ask(tx, 'delete from @leases where name <> ? and until < clock_timestamp()', SENDING);
    // A program of an earlier version has its right in the row of all.
    const others = await ask(
      tx,
      'select 1 from @leases where name <> ? and until >= clock_timestamp()',
      name,
    );
    return await work(tx, { run: row?.run ?? null, others: others.length });
  };
  return await patiently(
    database,
    () => inTransaction(database, 'read committed', once, database.limit),
    (cause) => databaseStop(database.place, cause),
  );
}

const setRun = async (tx: Asked, run: string | null) =>
  await ask(tx, 'update @leases set run = ? where name = ?', run, SENDING);

/** Adds a program to those that may send, where that is right as things are; else null. */
async function enter(
  database: Database,
  isRight: (now: Now) => boolean,
  run: string | null,
): Promise<Lease | null> {
  const name = `${hostname()} ${process.pid} ${randomUUID()}`;
  let asked = thisMoment(database.time);
  const entered = await change(database, name, async (tx, now) => {
    asked = thisMoment(database.time);
    if (!isRight(now)) return false;
    await ask(
      tx,
      `insert into @leases (name, holder, token, until) values (?, ?, 1, ${LATER})
       on conflict (name) do update set until = excluded.until`,
      ...[name, name],
    );
    await setRun(tx, run);
    return true;
  });
  return entered ? new Lease(database, name, asked) : null;
}

/** Takes the right to send when nobody has it; else null. */
export const tryLease = (database: Database): Promise<Lease | null> =>
  enter(database, ({ others }) => others === 0, null);

/** Joins the programs that send a run; null where it is sent by one alone, or by none. */
export const joinLease = (database: Database, of: string): Promise<Lease | null> =>
  enter(database, ({ run, others }) => run === of && others > 0, of);

/** Whether some program has the right to send. */
export const isLeased = async ({ asked }: Database): Promise<boolean> =>
  (await ask(asked, 'select 1 from @leases where until >= clock_timestamp()')).length > 0;

/** The run of a service that can be joined, as some part of it is sent by nobody; as one statement. */
export const SHARED_RUN = `
  with alive as (select name from ${SCHEMA}.leases where until >= clock_timestamp())
  select l.run from ${SCHEMA}.leases l join ${SCHEMA}.runs r on r.run = l.run
  where l.name = '${SENDING}' and r.service = $1 and exists (select 1 from alive) and exists (
    select 1 from ${SCHEMA}.parts p where p.run = l.run and (p.member is null or p.member not in (select name from alive)))`;

/** The right to send with a ledger that this program has, alone or with others for one run. */
export class Lease implements Team {
  readonly #database: Database;
  readonly name: string;
  readonly #over = new AbortController();
  #heard: ReturnType<typeof thisMoment>;
  #lost: StopError | undefined;

  constructor(database: Database, name: string, heard: ReturnType<typeof thisMoment>) {
    this.#database = database;
    this.name = name;
    this.#heard = heard;
    this.#beatOften().catch(() => {});
  }

  /** Throws StopError where it may be another's by now: asked as a request's bytes are about to leave. */
  check(): void {
    if (this.#lost !== undefined || elapsed(this.#database.time, this.#heard) > TTL - MARGIN)
      throw this.#lost ?? takenOver(this.#database.place);
  }

  /** Throws why nothing more may be sent. */
  orThrow(version: number): never {
    const { place } = this.#database;
    // A newer program may have changed the tables while this one sends.
    this.#lost ??= newerStop(version, place) ?? takenOver(place);
    throw this.#lost;
  }

  async share(run: string, parts: readonly Part[]): Promise<void> {
    const rows = parts.map(({ part, places }) => ({ part, places: JSON.stringify(places) }));
    await this.#change(async (tx, now) => {
      // Where a try before did it, others may be at the parts by now.
      if (now.run === run) return;
      await setRun(tx, run);
      await ask(tx, 'delete from @parts');
      await ask(
        tx,
        `insert into @parts (run, part, places) select ?, part, places
         from json_to_recordset(?) as one (part integer, places text)`,
        ...[run, JSON.stringify(rows)],
      );
    });
  }

  async take(): Promise<Part | undefined> {
    return await this.#change(async (tx) => {
      const [row] = await ask<{ part: number; places: string }>(
        tx,
        `update @parts set member = ? where part = (
           select min(part) from @parts p where not exists (select 1 from @leases m where m.name = p.member))
         returning part, places`,
        this.name,
      );
      return row && { part: row.part, places: JSON.parse(row.places) as PlaceRange[] };
    });
  }

  async done({ part }: Part): Promise<void> {
    await this.#change((tx) => ask(tx, 'delete from @parts where part = ? and member = ?', part, this.name));
  }

  async alone(): Promise<boolean> {
    return await this.#change(async (tx, { others }) => {
      if (others > 0) return false;
      await setRun(tx, null);
      await ask(tx, 'delete from @parts');
      return true;
    });
  }

  async release(): Promise<void> {
    this.#over.abort();
    this.#lost ??= takenOver(this.#database.place);
    // Where it can't be told, it ends by itself.
    await ask(this.#database.soon, 'delete from @leases where name = ?', this.name).catch(() => {});
  }

  async #change<T>(work: (tx: Asked, now: Now) => Promise<T>): Promise<T> {
    return await change(this.#database, this.name, async (tx, now) => {
      await this.#keep(tx);
      return await work(tx, now);
    });
  }

  /** Until its release. What is left open must not keep the program from ending. */
  async #beatOften(): Promise<void> {
    for (;;) {
      await this.#database.time.sleep(BEAT, this.#over.signal, false);
      // One that fails is followed by the next; what is not heard of in time is checked before each request.
      const asked = thisMoment(this.#database.time);
      this.#keep(this.#database.soon).then(
        () => (this.#heard = asked),
        () => {},
      );
    }
  }

  /** Says that this program lives. Throws StopError where it has no right any more. */
  async #keep(tx: Asked): Promise<void> {
    const [held] = await ask<{ version: number }>(
      tx,
      `update @leases set until = ${LATER} where name = ? returning ${VERSION_NOW}`,
      this.name,
    );
    if (held === undefined || held.version > VERSION) this.orThrow(held?.version ?? 0);
  }
}
