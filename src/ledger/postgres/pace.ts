import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { rateOf, type Sharing, shareOf } from '../shares.ts';
import { type Db, LIMITED, type TimedDatabase, type Tx } from './database.ts';
import { patiently } from './group-writer.ts';
import { databaseStop } from './stops.ts';
import { SCHEMA } from './tables.ts';

/** What was taken by a program that is not heard of counts for so long, ms: its requests may be out. */
const GONE_MS = 15_000;
/** A slot that is so far ahead, ms or slots, was reserved by a clock that was set back. */
const FARTHEST = { ms: 60_000, slots: 50 };

const PACES = sql.table(`${SCHEMA}.paces`);
const MEMBERS = sql.table(`${SCHEMA}.pace_members`);
/** The only clock that all programs have. */
const NOW = sql<number>`extract(epoch from clock_timestamp())::double precision * 1000`;
/** What a crash loses of the last moment is over when the database is back: nobody waits for its disk. */
const QUICKLY = sql`(select set_config('synchronous_commit', 'off', true) as quickly) as setting`;

/** A program that keeps to a pace together with others. */
export interface PaceMember {
  /** The name of the service in the ledger. */
  readonly service: string;
  /** Most requests a second over all programs. */
  readonly rate?: number | undefined;
  /** Most requests in flight over all programs that give it. */
  readonly concurrency?: number | undefined;
}

interface HeardRow {
  readonly now: number;
  readonly event: number;
  readonly author: string | null;
  readonly started: number | null;
  readonly paused: number | null;
  readonly limited: boolean | null;
}

/** This program among those of a service. */
interface Self extends PaceMember {
  readonly program: string;
}

const NAMED = sql`event, author, started, paused, limited`;

/** The last push-back, where another program met it. */
function heardOf(row: HeardRow | undefined, program: string) {
  if (row === undefined) throw new Error('the pace of this service is gone');
  const { now, event, author, started, paused, limited } = row;
  const isOther = author !== null && author !== program;
  const pushBack = isOther
    ? { startedAt: started ?? now, pausedUntil: paused, limited: limited ?? false }
    : null;
  return { now, event, pushBack };
}

/** Reserves `count` slots; answers the moment of the first. */
async function reserve(db: Db, { service, program }: Self, count: number, spacing: number) {
  const farthest = Math.max(FARTHEST.ms, FARTHEST.slots * spacing);
  const { rows } = await sql<HeardRow & { readonly end: number }>`
    update ${PACES} set next =
      greatest(case when next > ${NOW} + ${farthest}::double precision then 0 else next end, ${NOW})
      + ${count * spacing}::double precision
    from ${QUICKLY} where service = ${service} and quickly = 'off'
    returning next as "end", ${NOW} as now, ${NAMED}`.execute(db);
  const [row] = rows;
  return { ...heardOf(row, program), first: (row?.end ?? 0) - count * spacing };
}

/** Tells that the program lives; answers all that do, itself among them. */
async function stay(tx: Tx, self: Self, uses: number, wants: number): Promise<readonly Sharing[]> {
  const { service, program, rate = null, concurrency = null } = self;
  // What they take has to be known to all before the next one asks.
  if (concurrency !== null)
    await sql`
      select ${LIMITED}, pg_advisory_xact_lock(hashtextextended(${`catersheet pace ${service}`}, 0))`.execute(
      tx,
    );
  await sql`
    insert into ${MEMBERS} as m (service, program, rate, concurrency, joined, heard, wants, share)
    select ${service}, ${program}, ${rate}::double precision, ${concurrency}::integer,
      ${NOW}, ${NOW}, ${wants}::integer, ${uses}::integer
    from ${QUICKLY} where quickly = 'off'
    on conflict (service, program) do update
      set heard = excluded.heard, wants = excluded.wants, share = excluded.share`.execute(tx);
  const { rows } = await sql<Sharing>`
    select program, rate, concurrency, wants, share, ${NOW} as now from ${MEMBERS}
    where service = ${service} and heard > ${NOW} - ${GONE_MS}::double precision
    order by joined, program`.execute(tx);
  return rows;
}

/** One look of a program at the others: what it may do from now on. */
async function beat(tx: Tx, self: Self, uses: number, wants: number) {
  const { service, program, concurrency } = self;
  const members = await stay(tx, self, uses, wants);
  const share = concurrency === undefined ? 0 : shareOf(program, members);
  if (share > uses)
    await sql`update ${MEMBERS} set share = ${share}
              where service = ${service} and program = ${program}`.execute(tx);
  const { rows } = await sql<HeardRow>`
    select ${NOW} as now, ${NAMED} from ${PACES} where service = ${service}`.execute(tx);
  return { ...heardOf(rows[0], program), share, ...rateOf(program, members) };
}

/** Joins the programs that send to one service by one ledger: one rate, and one number in flight, for all. */
export async function joinPace({ db, place, time }: TimedDatabase, member: PaceMember) {
  const { service } = member;
  const self = { ...member, program: `${hostname()} ${process.pid} ${randomUUID()}` };
  const stopOf = (cause: unknown) => databaseStop(place, cause);
  const patient = <T>(work: () => Promise<T>): Promise<T> => patiently(time, work, stopOf);
  await patient(() =>
    sql`insert into ${PACES} (service, next, event) values (${service}, 0, 0)
        on conflict do nothing`.execute(db),
  );
  return {
    reserve: (count: number, spacing: number) => patient(() => reserve(db, self, count, spacing)),

    /** Is not waited for: it is asked again by itself. */
    async beat(uses: number, wants: number) {
      try {
        // What others committed while it waited for them is to be seen.
        const transaction = db.transaction().setIsolationLevel('read committed');
        return await transaction.execute((tx) => beat(tx as Tx, self, uses, wants));
      } catch (error) {
        throw stopOf(error) ?? error;
      }
    },

    async turnedAway(ago: number, pause: number | null, limited: boolean) {
      const paused = pause === null ? sql`null` : sql`${NOW} + ${pause}::double precision`;
      await patient(() =>
        sql`update ${PACES} set event = event + 1, author = ${self.program}, limited = ${limited},
              started = ${NOW} - ${ago}::double precision,
              paused = case when paused > ${NOW} then greatest(paused, ${paused}) else ${paused} end
            from ${QUICKLY} where service = ${service} and quickly = 'off'`.execute(db),
      );
    },

    /** Lets go of its part; programs that are long gone are forgotten. */
    async leave() {
      try {
        await sql`delete from ${MEMBERS} where service = ${service}
          and (program = ${self.program} or heard < ${NOW} - ${10 * GONE_MS}::double precision)`.execute(db);
      } catch {
        // It counts as gone by itself.
      }
    },
  };
}
