import { createHash } from 'node:crypto';
import type PgBoss from 'pg-boss';
import { usageStop } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { PLAN_VERSION } from '../core/plan.ts';
import { systemTime } from '../core/time.ts';
import { isDatabase } from '../ledger/database-address.ts';
import { openQueueDatabase, type QueueDatabase } from '../ledger/open-ledger.ts';

/** A run that a worker has taken from the queue. */
export interface TakenRun {
  readonly run: string;
  readonly job: string;
  /** What workers before this one noted while they sent it. */
  readonly notes: readonly Bilingual[];
}

/** A job as it stands in the queue. */
interface RunJob {
  readonly run: string;
  /** Workers that died while they were at it, one after the other. */
  readonly deaths: number;
  /** Of its shape; those of the first had none. */
  readonly version?: number;
  /** Of the run's plan. */
  readonly plan?: number;
  /** A worker began to send it, and did not say since how that ended. */
  readonly begun?: true;
  /** It was asked back: what is left of it is not sent. */
  readonly withdrawn?: true;
  readonly notes?: readonly Bilingual[];
}

/** What is kept of a job that ended, or stopped. */
interface Output {
  /** Why it was not sent. */
  readonly en?: string;
  readonly nl?: string;
  readonly notes?: readonly Bilingual[];
}

interface FoundJob {
  readonly id: string;
  readonly state: string;
  readonly data: RunJob;
  readonly output: Output | null;
}

/** What became of a run that was handed over, so far. */
export type QueueState =
  /** `withdrawn`: it was asked back, and is not sent by workers any more. */
  | { readonly state: 'waiting' | 'sending' | 'withdrawn' }
  /** With what workers noted on it. */
  | { readonly state: 'sent'; readonly notes: readonly Bilingual[] }
  /** `again`: it is tried once more by itself. */
  | {
      readonly state: 'failed';
      readonly again: boolean;
      readonly reason: Bilingual | null;
      readonly notes: readonly Bilingual[];
    }
  | { readonly state: 'unknown' };

/** How many runs stand where. */
interface QueueSizes {
  /** For workers of this version. */
  readonly waiting: number;
  /** Of those that wait: the ones whose pause after a failed try is over. */
  readonly due: number;
  readonly sending: number;
  readonly failed: number;
  /** Handed over by a newer version, which this one leaves alone. */
  readonly newer: number;
}

/** The version of a job's shape: raised when one of this version could send a newer one wrongly. */
const JOB_VERSION = 1;
/** Whether a job is of this version of the program, or an older one. */
const KNOWN = `(coalesce((data->>'version')::int, 0) <= ${JOB_VERSION}
  and coalesce((data->>'plan')::int, 0) <= ${PLAN_VERSION})`;
/** A run that a worker could not send is tried again so often, after so many seconds. */
const [TRIES, PAUSE] = [20, 15];
/** A run that so many workers died of is no more given to others. */
const MOST_DEATHS = 5;

/** The runs of one service that wait for workers, in the order in which they were handed over. */
export class RunQueue {
  readonly #boss: PgBoss;
  readonly #database: QueueDatabase;
  readonly #name: string;
  readonly #service: string;

  private constructor(boss: PgBoss, database: QueueDatabase, name: string, service: string) {
    this.#boss = boss;
    this.#database = database;
    this.#name = name;
    this.#service = service;
  }

  /**
   * Opens the queue of a service in the database of its ledger. `tends`: this program lives long and tidies
   * up; `signal` ends its waiting. Throws StopError (usage) for a ledger in a file, or a database that can't
   * be used.
   */
  static async open(
    ledger: string,
    serviceKey: string,
    tends: boolean,
    signal?: AbortSignal,
  ): Promise<RunQueue> {
    refuseFile(ledger);
    // It has few signs to choose from, and a service's address has more.
    const name = `runs-${hashed(serviceKey).slice(0, 24)}`;
    const database = await openQueueDatabase(ledger, systemTime, signal);
    try {
      const boss = await database.patiently(() => startBoss(database, name, tends));
      return new RunQueue(boss, database, name, serviceKey);
    } catch (error) {
      await database.close();
      throw database.stopOf(error) ?? error;
    }
  }

  /** Hands a run over: once, however many do so at one moment. */
  async handOver(run: string): Promise<void> {
    const before = (await this.#newest(run))?.id ?? '';
    const id = hashed(JSON.stringify([this.#name, run, before])).slice(0, 32);
    const data: RunJob = { run, deaths: 0, version: JOB_VERSION, plan: PLAN_VERSION };
    const job = { id, name: this.#name, data, deadLetter: this.#dead, ...LASTING };
    await this.#database.patiently(() => this.#boss.insert([job]));
  }

  /**
   * Takes the next run; undefined where none waits. To be called by who has the ledger's right to send: then
   * what another worker is at was left by one that died, and goes first; `gaveUp` hears of one that too many
   * died of.
   */
  async take(gaveUp: (run: string, why: Bilingual) => void = () => {}): Promise<TakenRun | undefined> {
    return await this.#database.patiently(async () => {
      await this.#takeBack(gaveUp);
      // As the engine does it, and past the jobs of newer programs.
      const { rows } = await this.#database.query(
        `with next as (
           select id from ${SCHEMA}.job where name = $1 and state < 'active' and start_after < now() and ${KNOWN}
           order by priority desc, created_on, id limit 1 for update skip locked)
         update ${SCHEMA}.job j set state = 'active', started_on = now(), data = j.data - 'begun',
           retry_count = case when j.started_on is null then j.retry_count else j.retry_count + 1 end
         from next where j.name = $1 and j.id = next.id returning j.id, j.data, j.output`,
        [this.#name],
      );
      const [found] = rows as { id: string; data: RunJob; output: Output | null }[];
      if (found === undefined) return undefined;
      const { run, notes = [] } = found.data;
      return { run, job: found.id, notes: joined(notes, found.output?.notes) };
    });
  }

  /** To be called as a worker begins with a run: one that dies before is not counted among its deaths. */
  async begin({ job }: TakenRun): Promise<void> {
    await this.#change(`data = data || '{"begun": true}' where name = $1 and id = $2`, job);
  }

  /** To be called when a run was sent; its rows say what became of each. */
  async sent({ job, run, notes }: TakenRun, more: readonly Bilingual[] = []): Promise<void> {
    const output: Output = { notes: joined(notes, more) };
    await this.#database.patiently(() => this.#boss.complete(this.#name, job, output));
    // It may have been given up before.
    const isRun = `delete from ${SCHEMA}.job where name = $1 and data->>'run' = $2`;
    await this.#ask(isRun, this.#dead, run);
  }

  /**
   * To be called when it was not sent to its end; tells whether it is tried again later, or given up: `isLast`
   * where no other try can send it.
   */
  async failed({ job, run, notes }: TakenRun, { en, nl }: Bilingual, isLast = false): Promise<boolean> {
    if (isLast) await this.#change('retry_limit = retry_count where name = $1 and id = $2', job);
    const output: Output = { en, nl, notes };
    await this.#database.patiently(() => this.#boss.fail(this.#name, job, output));
    const now = await this.stateOf(run);
    return now.state !== 'failed' || now.again;
  }

  /** Whether a run was asked back, and not handed over since: whoever sends it is to stop. */
  async isWithdrawn(run: string): Promise<boolean> {
    const text = `select data ? 'withdrawn' as back from ${SCHEMA}.job
      where name = $1 and data->>'run' = $2 order by created_on desc limit 1`;
    const { rows } = await this.#ask(text, this.#name, run);
    return (rows as { back: boolean }[])[0]?.back === true;
  }

  /** Says that a worker of the service is there; one that fails is followed by the next. */
  async beat(worker: string): Promise<void> {
    await this.#database.query(
      `insert into catersheet.facts as f (service, name, value)
       values ($1, '${FACT}', jsonb_build_object($2::text, clock_timestamp())::text)
       on conflict (service, name) do update set value = (
         (select coalesce(jsonb_object_agg(one.key, one.value), '{}') from jsonb_each_text(f.value::jsonb) one
          where one.value::timestamptz > ${LATELY}) || excluded.value::jsonb)::text`,
      [this.#service, worker],
    );
  }

  /** Says that it is there no more. */
  async gone(worker: string): Promise<void> {
    await this.#database.query(
      `update catersheet.facts set value = (value::jsonb - $2::text)::text
       where service = $1 and name = '${FACT}'`,
      [this.#service, worker],
    );
  }

  /** How many workers of the service were heard of a moment ago. */
  async workers(): Promise<number> {
    const text = `select count(*)::int as count from catersheet.facts f, jsonb_each_text(f.value::jsonb) one
      where f.service = $1 and f.name = '${FACT}' and one.value::timestamptz > ${LATELY}`;
    const { rows } = await this.#ask(text, this.#service);
    return (rows[0] as { count: number }).count;
  }

  /**
   * Leaves a run to the others, as this worker stops or died: before those that wait, as what comes after it may be
   * about the same records. One that was asked back is not theirs any more.
   */
  async giveBack(job: string, notes: readonly Bilingual[], deaths?: number): Promise<void> {
    const more = JSON.stringify({ notes, deaths });
    const isBack = `data ? 'withdrawn'`;
    await this.#change(
      `data = data || $3, priority = 1, started_on = null,
       state = case when ${isBack} then 'cancelled' else 'created' end::${SCHEMA}.job_state,
       completed_on = case when ${isBack} then now() end where name = $1 and id = $2 and state = 'active'`,
      ...[job, more],
    );
  }

  /** What became of a run so far. */
  async stateOf(run: string): Promise<QueueState> {
    const found = await this.#newest(run);
    if (found === undefined) return { state: 'unknown' };
    const { state, output, data } = found;
    const { en, nl, notes = [] } = output ?? {};
    if (state === 'cancelled' && data.withdrawn === true) return { state: 'withdrawn' };
    // One of an earlier version was given up so.
    if (state === 'completed' && en === undefined) return { state: 'sent', notes };
    if (state === 'active') return { state: 'sending' };
    if (state === 'created') return { state: 'waiting' };
    const reason = en === undefined || nl === undefined ? null : t(en, nl);
    return { state: 'failed', again: state === 'retry', reason, notes };
  }

  /** How many runs wait, are sent, and were given up. */
  async sizes(): Promise<QueueSizes> {
    const count = (name: string, which: string): string =>
      `count(*) filter (where name = ${name} and ${which})::int as`;
    const { rows } = await this.#database.query(
      `select ${count('$1', `state < 'active' and ${KNOWN}`)} waiting,
         ${count('$1', `state < 'active' and ${KNOWN} and start_after < now()`)} due,
         ${count('$1', `state = 'active'`)} sending,
         ${count('$2', `state = 'created'`)} failed,
         ${count('$1', `state < 'active' and not ${KNOWN}`)} newer
       from ${SCHEMA}.job where name in ($1, $2)`,
      [this.#name, this.#dead],
    );
    return rows[0] as QueueSizes;
  }

  /** A run of the service that workers send side by side, and that has a part for one more. */
  async shared(): Promise<string | undefined> {
    return await this.#database.sharedRun(this.#service);
  }

  /** Whether some program has the ledger's right to send. */
  async isSending(): Promise<boolean> {
    return await this.#database.isSending();
  }

  /** Whether the same may work in a moment. */
  isPassing(error: unknown): boolean {
    return this.#database.isPassing(error);
  }

  async close(): Promise<void> {
    await stop(this.#boss);
    await this.#database.close();
  }

  /** The job that a run had last. */
  async #newest(run: string): Promise<FoundJob | undefined> {
    const lookIn = async (table: string): Promise<FoundJob | undefined> => {
      const text = `select id, state::text as state, data, output from ${SCHEMA}.${table}
        where name = $1 and data->>'run' = $2 order by created_on desc limit 1`;
      return ((await this.#ask(text, this.#name, run)).rows as FoundJob[])[0];
    };
    return (await lookIn('job')) ?? (await lookIn('archive'));
  }

  async #change(how: string, ...values: readonly string[]): Promise<void> {
    await this.#ask(`update ${SCHEMA}.job set ${how}`, this.#name, ...values);
  }

  async #ask(text: string, ...values: readonly string[]) {
    return await this.#database.patiently(() => this.#database.query(text, values));
  }

  get #dead(): string {
    return `${this.#name}-dead`;
  }

  /** Gives what a dead worker was at to others, unless too many died of it. */
  async #takeBack(gaveUp: (run: string, why: Bilingual) => void): Promise<void> {
    await this.#change(`state = 'cancelled', completed_on = now()
      where name = $1 and state < 'completed' and data ? 'withdrawn'`);
    const { rows } = await this.#database.query(
      `select id, data from ${SCHEMA}.job where name = $1 and state = 'active' and ${KNOWN} order by created_on`,
      [this.#name],
    );
    for (const { id, data } of rows as Pick<FoundJob, 'id' | 'data'>[]) {
      const { run, notes = [], begun } = data;
      // A worker that never heard that it got the run did not die of it.
      const deaths = data.deaths + (begun === true ? 1 : 0);
      if (deaths < MOST_DEATHS) await this.giveBack(id, notes, deaths);
      else {
        await this.failed({ job: id, run, notes }, DIED, true);
        gaveUp(run, DIED);
      }
    }
  }
}

const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Starts pg-boss on the connections of the ledger, and makes the queue where it is not there. */
async function startBoss(database: QueueDatabase, name: string, tends: boolean): Promise<PgBoss> {
  const db = { executeSql: (text: string, values?: unknown[]) => database.query(text, values ?? []) };
  // Most programs never need it.
  const { default: Boss } = await import('pg-boss');
  // One that could not start once never does.
  const boss = new Boss({ db, schema: SCHEMA, supervise: tends, schedule: false });
  // What passes is tried again by who asked; the rest reaches the one who asked too.
  boss.on('error', () => {});
  try {
    await boss.start();
    const dead = `${name}-dead`;
    await makeQueue(boss, dead, {});
    await makeQueue(boss, name, { deadLetter: dead });
    return boss;
  } catch (error) {
    // Its timers would keep the program from ending.
    await stop(boss);
    throw error;
  }
}

const stop = async (boss: PgBoss): Promise<void> =>
  await boss.stop({ graceful: false, wait: false, close: false }).catch(() => {});

/** Makes a queue where it is not there: two programs may make it at once. */
async function makeQueue(boss: PgBoss, name: string, more: Pick<PgBoss.Queue, 'deadLetter'>): Promise<void> {
  if ((await boss.getQueue(name)) !== null) return;
  try {
    await boss.createQueue(name, { name, ...more });
  } catch (error) {
    if ((await boss.getQueue(name)) === null) throw error;
  }
}

/** Notes, each once. */
function joined(some: readonly Bilingual[], more: readonly Bilingual[] = []): readonly Bilingual[] {
  return [...new Map([...some, ...more].map((note) => [note.en, note])).values()];
}

/**
 * A job waits and is sent for as long as it takes: whether its worker lives tells the right to send, and what
 * is archived unsent would be lost in silence.
 */
const LASTING = {
  ...{ retryLimit: TRIES, retryDelay: PAUSE },
  ...{ expireInSeconds: 10 * 365 * 24 * 3600, keepUntil: '2100-01-01T00:00:00Z' },
};

const DIED = t(
  `${MOST_DEATHS} workers died while they sent it`,
  `${MOST_DEATHS} workers stopten er onverwacht mee`,
);

/** The schema that holds the queues, beside that of the ledger. */
const SCHEMA = 'catersheet_queue';

/** Where a run stands that workers have; `again`: a try failed, and the next comes by itself. */
export type AtWorkers = 'waiting' | 'working' | 'again';

/** What came of asking a run back; `asked`: a worker is at it, and stops after what is on its way. */
type Withdrawal = 'back' | 'asked' | 'not theirs';

/**
 * Opens the runs that workers have, of all services of a ledger in a database, without the engine. Throws StopError
 * (usage) for a database that can't be used.
 */
export async function openQueuedRuns(ledger: string) {
  const database = await openQueueDatabase(ledger, systemTime);
  return {
    /** Those that wait, or are sent. */
    list: async () => (await orNone(database, () => listed(database))) ?? new Map(),
    /** Asks for a run back: one that no worker is at is not theirs from then on. */
    withdraw: async (run: string) =>
      (await orNone(database, () => withdrawRun(database, run))) ?? 'not theirs',
    close: database.close,
  };
}

/** Jobs of runs that are not over. */
const OPEN = `name like 'runs-%' and name not like '%-dead' and state < 'completed'`;

async function listed({ query }: QueueDatabase): Promise<ReadonlyMap<string, AtWorkers>> {
  const { rows } = await query(
    `select data->>'run' as run, state::text as state from ${SCHEMA}.job where ${OPEN}`,
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
    `update ${SCHEMA}.job set data = data || '{"withdrawn": true}',
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
