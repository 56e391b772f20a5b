import { randomUUID } from 'node:crypto';
import type PgBoss from 'pg-boss';
import type { QueueDatabase } from '../../ledger/queue-database.ts';
import { type Engine, makeQueue, openEngine } from '../engine.ts';
import { refuseFile, QUEUE_SCHEMA as SCHEMA } from '../queued-runs.ts';

/** An entry of a schedule, as the engine has it. */
export interface Timed {
  /** The same for the same entry, on whatever machine. */
  readonly queue: string;
  readonly cron: string;
  readonly zone: string;
}

/** A moment that is due, taken by this program. */
export interface TakenMoment {
  readonly queue: string;
  readonly job: string;
  /** When the engine found it due, by the clock of the database. */
  readonly at: Date;
  /** Programs that died while they were at it, or stopped. */
  readonly tries: number;
  /** A person asked for it. */
  readonly asked: boolean;
}

/** Names of ours in it begin so. */
const PREFIX = 'night-';
/** Who does not say for so long that it lives is replaced, s. */
const ALIVE = 45;
/** A moment is given to others so often. */
const TRIES = 20;
/** What nobody keeps any more for so long is forgotten, minutes. */
const FORGOTTEN = 10;

/**
 * The moments that entries of schedules are due, by the engine's own cron. One program at a time has a moment
 * of an entry, and at most one more waits: who was long at the last one finds no heap of them.
 */
export class ScheduleEngine {
  readonly #engine: Engine;

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Opens the engine in the database of a ledger; `ticks`: this program lives long, and keeps the time.
   * Throws StopError (usage) for a ledger in a file, or a database that can't be used.
   */
  static async open(ledger: string, ticks: boolean): Promise<ScheduleEngine> {
    refuseFile(ledger);
    return new ScheduleEngine(await openEngine(ledger, { tends: ticks, keepsTime: ticks, queues: [] }));
  }

  get #boss(): PgBoss {
    return this.#engine.boss;
  }

  get #database(): QueueDatabase {
    return this.#engine.database;
  }

  /** Keeps the time of these entries; forgets those that no program keeps any more. */
  async keep(entries: readonly Timed[]): Promise<void> {
    await this.#patiently(async () => {
      for (const { queue, cron, zone } of entries) {
        await this.#make(queue);
        await this.#boss.schedule(queue, cron, {}, { tz: zone, ...JOB });
      }
      await this.#forget();
    });
  }

  /** Which of these have a moment to be taken. */
  async waiting(queues: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#ask(
      `select distinct name from ${SCHEMA}.job
       where name = any($1) and state < 'active' and start_after <= now()`,
      [queues],
    );
    return rows.map(({ name }) => String(name));
  }

  /** Which of these a program is at. */
  async active(queues: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#ask(
      `select distinct name from ${SCHEMA}.job
       where name = any($1) and state = 'active' and started_on + expire_in > now()`,
      [queues],
    );
    return rows.map(({ name }) => String(name));
  }

  /** Takes the moment that waits; undefined where none does, or a program is at the one before. */
  async take(queue: string): Promise<TakenMoment | undefined> {
    return await this.#patiently(async () => {
      const [job] = await this.#boss.fetch<{ asked?: boolean }>(queue, { includeMetadata: true });
      if (job === undefined) return undefined;
      const { id, createdOn, retryCount, data } = job;
      return { queue, job: id, at: createdOn, tries: retryCount, asked: data?.asked === true };
    });
  }

  /** Has an entry done now, unless it waits already; answers how to take that back. */
  async ask(queue: string): Promise<() => Promise<void>> {
    const id = randomUUID();
    await this.#patiently(async () => {
      await this.#make(queue);
      await this.#boss.insert([{ id, name: queue, data: { asked: true }, ...JOB }]);
    });
    return async () => {
      await this.#ask(`delete from ${SCHEMA}.job where name = $1 and id = $2 and state = 'created'`, [
        queue,
        id,
      ]);
    };
  }

  /** Has an entry done that was due while no program kept the time. */
  async catchUp(queue: string): Promise<void> {
    await this.#patiently(() => this.#boss.insert([{ name: queue, data: {}, ...JOB }]));
  }

  /** Says that this program is still at it; false where another was given it. */
  async beat({ queue, job, tries }: TakenMoment): Promise<boolean> {
    // The next one has the same job, with one more try.
    const rows = await this.#ask(
      `update ${SCHEMA}.job set started_on = now()
       where name = $1 and id = $2 and state = 'active' and retry_count = $3 returning id`,
      [queue, job, tries],
    );
    return rows.length > 0;
  }

  /** To be called when a moment is done, well or not. */
  async done({ queue, job }: TakenMoment): Promise<void> {
    await this.#patiently(() => this.#boss.complete(queue, job));
  }

  /** Gives a moment to the others, as this program stops. */
  async giveBack({ queue, job }: TakenMoment): Promise<void> {
    await this.#patiently(() => this.#boss.fail(queue, job, { stopped: true }));
  }

  /** Gives what dead programs were at to others. */
  async takeBack(): Promise<void> {
    await this.#patiently(() => this.#boss.expire());
  }

  /** The time by the clock of the database. */
  async now(): Promise<Date> {
    const [row] = await this.#ask('select now() as now', []);
    return row?.now as Date;
  }

  /** Whether the same may work in a moment. */
  isPassing(error: unknown): boolean {
    return this.#database.isPassing(error);
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    return await this.#database.patiently(work);
  }

  async #ask(text: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await this.#patiently(() => this.#database.query(text, values));
    return rows as Record<string, unknown>[];
  }

  async #make(queue: string): Promise<void> {
    await makeQueue(this.#boss, { name: queue, policy: 'stately' });
  }

  async #forget(): Promise<void> {
    const rows = await this.#ask(
      `select s.name from ${SCHEMA}.schedule s
       where s.name like '${PREFIX}%' and s.updated_on < now() - interval '${FORGOTTEN} minutes'
         and not exists (select from ${SCHEMA}.job j where j.name = s.name and j.state = 'active')`,
      [],
    );
    for (const { name } of rows) {
      await this.#boss.unschedule(String(name));
      await this.#boss.deleteQueue(String(name));
    }
  }
}

/** The name of a queue by what tells its entry from every other one. */
export const queueName = (sign: string): string => `${PREFIX}${sign}`;

/** A moment that is not done any more when its program says nothing goes to another one, at once. */
const JOB = { retryLimit: TRIES, retryDelay: 0, expireInSeconds: ALIVE };
