import { usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { systemTime } from '../core/time.ts';
import { isDatabase } from '../ledger/database-address.ts';
import { openQueueDatabase, type QueueDatabase } from '../ledger/queue-database.ts';

/** The schema that holds the queues, beside that of the ledger. */
export const QUEUE_SCHEMA = 'catersheet_queue';

/** Where a run stands that workers have; `again`: a try failed, and the next comes by itself. */
export type AtWorkers = 'waiting' | 'working' | 'again';

/** What came of asking a run back; `asked`: a worker is at it, and stops after what is on its way. */
type Withdrawal = 'back' | 'asked' | 'not theirs';

/** The runs that workers have, of all services of a ledger; opened without the engine. */
export interface QueuedRuns {
  /** Those that wait, or are sent. */
  list(): Promise<ReadonlyMap<string, AtWorkers>>;
  /** Asks for a run back: one that no worker is at is not theirs from then on. */
  withdraw(run: string): Promise<Withdrawal>;
  /** How many workers of a service were heard of a moment ago. */
  workers(service: string): Promise<number>;
  close(): Promise<void>;
}

/** Opens them in the database of a ledger. Throws StopError (usage) for one that can't be used. */
export async function openQueuedRuns(ledger: string): Promise<QueuedRuns> {
  const database = await openQueueDatabase(ledger, systemTime);
  return {
    list: async () => (await orNone(database, () => listed(database))) ?? new Map(),
    withdraw: async (run) => (await orNone(database, () => withdrawRun(database, run))) ?? 'not theirs',
    workers: async (service) => await database.patiently(() => countWorkers(database, service)),
    close: database.close,
  };
}

/** Jobs of runs that are not over. */
const OPEN = `name like 'runs-%' and name not like '%-dead' and state < 'completed'`;

async function listed({ query }: QueueDatabase): Promise<ReadonlyMap<string, AtWorkers>> {
  const { rows } = await query(
    `select data->>'run' as run, state::text as state from ${QUEUE_SCHEMA}.job where ${OPEN}`,
    [],
  );
  const found = rows as { run: string; state: keyof typeof STATES }[];
  return new Map(found.map(({ run, state }) => [run, STATES[state]]));
}

const STATES = { created: 'waiting', retry: 'again', active: 'working' } as const;

/**
 * Marks a run's job as one that is not to be sent. What is active while nobody has the right to send was left
 * by a worker that died.
 */
async function withdrawRun({ query }: QueueDatabase, run: string): Promise<Withdrawal> {
  const alive = 'exists (select 1 from catersheet.leases where until >= clock_timestamp())';
  const over = `(state < 'active' or not ${alive})`;
  const { rows } = await query(
    `update ${QUEUE_SCHEMA}.job set data = data || '{"withdrawn": true}',
       state = case when ${over} then 'cancelled' else state end,
       completed_on = case when ${over} then now() else completed_on end
     where ${OPEN} and data->>'run' = $1 returning state::text as state`,
    [run],
  );
  const states = (rows as { state: string }[]).map(({ state }) => state);
  // Those who help await what they have on its way too.
  const helping = await query(
    `select 1 from catersheet.leases where name = 'sending' and run = $1 and ${alive}`,
    [run],
  );
  if (helping.rows.length > 0) return 'asked';
  if (states.length === 0) return 'not theirs';
  return states.includes('active') ? 'asked' : 'back';
}

/** Whether a run was asked back, and not handed over since. */
export async function isWithdrawn({ query }: QueueDatabase, queue: string, run: string): Promise<boolean> {
  const { rows } = await query(
    `select data ? 'withdrawn' as back from ${QUEUE_SCHEMA}.job
     where name = $1 and data->>'run' = $2 order by created_on desc limit 1`,
    [queue, run],
  );
  return (rows as { back: boolean }[])[0]?.back === true;
}

/** What is not there yet, as nobody ever handed anything over, holds nothing. */
async function orNone<T>(database: QueueDatabase, work: () => Promise<T>): Promise<T | undefined> {
  return await database.patiently(async () => {
    try {
      return await work();
    } catch (error) {
      if (NOT_THERE.has(String((error as { code?: unknown }).code))) return undefined;
      throw error;
    }
  });
}

/** No such table, no such schema. */
const NOT_THERE: ReadonlySet<string> = new Set(['42P01', '3F000']);

/** A worker that was not heard of for so long, s, is not counted. */
const SILENT = 15;
/** Where a service's workers say that they are there: when each was heard of, by the database's clock. */
const FACT = 'workers';
const LATELY = `clock_timestamp() - interval '${SILENT} s'`;

/** Says that a worker of a service is there. */
export async function beatOf({ query }: QueueDatabase, service: string, worker: string): Promise<void> {
  await query(
    `insert into catersheet.facts as f (service, name, value)
     values ($1, '${FACT}', jsonb_build_object($2::text, clock_timestamp())::text)
     on conflict (service, name) do update set value = (
       (select coalesce(jsonb_object_agg(one.key, one.value), '{}') from jsonb_each_text(f.value::jsonb) one
        where one.value::timestamptz > ${LATELY}) || excluded.value::jsonb)::text`,
    [service, worker],
  );
}

/** Says that a worker is there no more. */
export async function leaveOf({ query }: QueueDatabase, service: string, worker: string): Promise<void> {
  await query(
    `update catersheet.facts set value = (value::jsonb - $2::text)::text
     where service = $1 and name = '${FACT}'`,
    [service, worker],
  );
}

/** How many workers of a service were heard of a moment ago. */
export async function countWorkers({ query }: QueueDatabase, service: string): Promise<number> {
  const { rows } = await query(
    `select count(*)::int as count from catersheet.facts f, jsonb_each_text(f.value::jsonb) one
     where f.service = $1 and f.name = '${FACT}' and one.value::timestamptz > ${LATELY}`,
    [service],
  );
  return (rows[0] as { count: number }).count;
}

/** @throws StopError (usage) for a ledger in a file: it can have no queue. */
export function refuseFile(ledger: string): void {
  if (isDatabase(ledger)) return;
  throw usageStop(
    t(
      'Workers need a ledger in a database: other machines can’t read a file of this one.',
      'Workers hebben een register in een database nodig: andere machines kunnen een bestand van deze niet lezen.',
    ),
    withFlag(
      t(
        'Move the ledger to a database, and name that.',
        'Verhuis het register naar een database, en noem die.',
      ),
      'catersheet ledger move, --ledger postgres://user@server/database',
    ),
  );
}
