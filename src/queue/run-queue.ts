import { createHash } from 'node:crypto';
import type PgBoss from 'pg-boss';
import { type Bilingual, t } from '../core/language.ts';
import { PLAN_VERSION } from '../core/plan.ts';
import { systemTime } from '../core/time.ts';
import { openQueueDatabase, type QueueDatabase } from '../ledger/queue-database.ts';
import {
  beatOf,
  countWorkers,
  isWithdrawn,
  leaveOf,
  refuseFile,
  QUEUE_SCHEMA as SCHEMA,
} from './queued-runs.ts';

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
export interface QueueSizes {
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
    await this.#database.patiently(() => this.#database.query(isRun, [this.#dead, run]));
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

  /** Whether a run was asked back: whoever sends it is to stop. */
  async isWithdrawn(run: string): Promise<boolean> {
    return await this.#database.patiently(() => isWithdrawn(this.#database, this.#name, run));
  }

  /** Says that a worker of the service is there. */
  async beat(worker: string): Promise<void> {
    await beatOf(this.#database, this.#service, worker);
  }

  /** Says that it is there no more. */
  async gone(worker: string): Promise<void> {
    await leaveOf(this.#database, this.#service, worker);
  }

  /** How many workers of the service are there. */
  async workers(): Promise<number> {
    return await this.#database.patiently(() => countWorkers(this.#database, this.#service));
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
      const look = () => this.#database.query(text, [this.#name, run]);
      return ((await this.#database.patiently(look)).rows as FoundJob[])[0];
    };
    return (await lookIn('job')) ?? (await lookIn('archive'));
  }

  async #change(how: string, ...values: readonly string[]): Promise<void> {
    const text = `update ${SCHEMA}.job set ${how}`;
    await this.#database.patiently(() => this.#database.query(text, [this.#name, ...values]));
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
