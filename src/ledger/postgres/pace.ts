import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Asked, type Database, isPassing } from './database.ts';
import { patiently } from './group-writer.ts';
import { SCHEMA } from './rendered.ts';
import { databaseStop } from './stops.ts';

/** What was taken by a program that is not heard of counts for so long, ms: its requests may be out. */
const GONE_MS = 15_000;
/** A slot that is so far ahead, ms or slots, was reserved by a clock that was set back. */
const FARTHEST = { ms: 60_000, slots: 50 };
/** What can't be divided evenly is given to others after so long, ms. */
const TURN_MS = 5_000;

/** The only clock that all programs have. */
const NOW = 'extract(epoch from clock_timestamp())::double precision * 1000';
/** What a crash loses of the last moment is over when the database is back: nobody waits for its disk. */
const QUICKLY = `(select set_config('synchronous_commit', 'off', true) as quickly) as setting`;
const UPDATE = `update ${SCHEMA}.paces p`;
const OF_SERVICE = `from ${QUICKLY} where service = $1 and quickly = 'off'`;
const HEARD = `${NOW} as now, event, author, started, paused, limited`;
/** The slowest of those who are there. */
const SPACING = `(select max((value->>'spacing')::double precision) from jsonb_each(p.members))`;

const RESERVE = `${UPDATE} set next =
    greatest(case when next > ${NOW} + greatest(${FARTHEST.ms}, ${FARTHEST.slots} * coalesce(${SPACING}, 0))
      then 0 else next end, ${NOW}) + $2::integer * coalesce(${SPACING}, 0)
  ${OF_SERVICE} returning next as "end", coalesce(${SPACING}, 0) as spacing, ${HEARD}`;

/**
 * Who is there, with what each may have in flight: as many of the lowest concurrency as any other that wants
 * some, as far as the others have let go of it. One row is one lock: what one takes the next one knows of.
 */
const BEAT = `${UPDATE} set members = (
    select others || jsonb_build_object($2::text, jsonb_build_object('heard', ${NOW}, 'wants', $6::boolean,
      'spacing', $3::double precision, 'concurrency', $4::integer, 'may', may, 'share', greatest($5::integer, may)))
    from (
      select coalesce(jsonb_object_agg(key, value), '{}') as others,
        least($4::integer, min((value->>'concurrency')::integer)) as total,
        coalesce(sum((value->>'share')::integer), 0) as used,
        1 + count(*) filter (where (value->>'wants')::boolean) as wanting,
        count(*) filter (where (value->>'wants')::boolean and key < $2::text) as before
      from jsonb_each(p.members)
      where key <> $2::text and (value->>'heard')::double precision > ${NOW} - ${GONE_MS}
    ) as all_others, lateral (
      select case when $4::integer is null or not $6::boolean then 0 else greatest(0, least(total - used,
        total / wanting + ((before + floor(${NOW} / ${TURN_MS})::bigint) % wanting < total % wanting)::integer
      )) end as may) as given)
  ${OF_SERVICE} returning (members->$2::text->>'may')::integer as share, ${SPACING} as spacing, ${HEARD}`;

const TURNED_AWAY = `${UPDATE} set event = event + 1, author = $2, limited = $5::boolean,
    started = ${NOW} - $3::double precision,
    paused = greatest(case when paused > ${NOW} then paused end, ${NOW} + $4::double precision)
  ${OF_SERVICE}`;

/** A program that keeps to a pace together with others. */
export interface PaceMember {
  /** The name of the service in the ledger. */
  readonly service: string;
  /** Least time between two requests of all programs, ms: the longest that any of them gives holds. */
  readonly spacing?: number | undefined;
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

/** Joins the programs that send to one service by one ledger: one rate, and one number in flight, for all. */
export async function joinPace(database: Database, member: PaceMember) {
  const { asked, soon, place } = database;
  const { service, spacing = null, concurrency = null } = member;
  const program = `${hostname()} ${process.pid} ${randomUUID()}`;
  const stopOf = (cause: unknown) => databaseStop(place, cause);
  const patient = <T>(work: () => Promise<T>): Promise<T> => patiently(database, work, stopOf);
  const asking =
    (of: Asked) =>
    async <T>(text: string, ...values: unknown[]): Promise<T> =>
      (await of.query(text, [service, ...values])).rows[0] as T;
  const [ask, askSoon] = [asking(asked), asking(soon)];
  /** With the last push-back, where another program met it. */
  const heard = <T extends HeardRow>(row: T) => ({
    ...row,
    pushBack:
      row.author === null || row.author === program
        ? null
        : { startedAt: row.started ?? row.now, pausedUntil: row.paused, limited: row.limited ?? false },
  });
  await patient(() =>
    ask(`insert into ${SCHEMA}.paces (service, next, event) values ($1, 0, 0) on conflict do nothing`),
  );
  return {
    /** Reserves `count` slots; answers the moment of the first. */
    async reserve(count: number) {
      const row = await patient(() =>
        ask<HeardRow & { readonly end: number; readonly spacing: number }>(RESERVE, count),
      );
      return { ...heard(row), first: row.end - count * row.spacing };
    },

    /** Undefined where that is not answered soon: it is asked again by itself. */
    async beat(uses: number, wants: boolean) {
      const asked = [program, spacing, concurrency, uses, wants && concurrency !== null];
      try {
        return heard(
          await askSoon<HeardRow & { readonly share: number; readonly spacing: number | null }>(
            BEAT,
            ...asked,
          ),
        );
      } catch (error) {
        if (isPassing(error) && !database.isGivenUp()) return undefined;
        throw stopOf(error) ?? error;
      }
    },

    async turnedAway(ago: number, pause: number | null, limited: boolean) {
      await patient(() => ask(TURNED_AWAY, program, ago, pause, limited));
    },

    /** Lets go of its part. */
    async leave() {
      // Where it can't be told, it counts as gone by itself.
      await askSoon(`${UPDATE} set members = members - $2::text where service = $1`, program).catch(() => {});
    },
  };
}
