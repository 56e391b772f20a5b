import { createHash, randomUUID } from 'node:crypto';
import PgBoss from 'pg-boss';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { isDatabase } from '../ledger/database-address.ts';
import { openQueueDatabase, type QueueDatabase } from '../ledger/queue-database.ts';

/** A run that was handed over to workers. */
export interface QueuedRun {
  readonly run: string;
  /** Workers that died while they were at it, one after the other. */
  readonly deaths: number;
}

/** A run that a worker has taken from the queue. */
export interface TakenRun extends QueuedRun {
  readonly job: string;
}

/** What became of a run that was handed over, so far. */
export type QueueState =
  | { readonly state: 'waiting' | 'sending' | 'sent' }
  /** `again`: it is tried once more by itself. */
  | { readonly state: 'failed'; readonly again: boolean; readonly reason: Bilingual | null }
  | { readonly state: 'unknown' };

/** How many runs stand where. */
export interface QueueSizes {
  readonly waiting: number;
  /** Of those that wait: the ones whose pause after a failed try is over. */
  readonly due: number;
  readonly sending: number;
  readonly failed: number;
}

/** Where the ledger keeps the job of a run. */
export const jobFact = (run: string): string => `job of ${run}`;

/** The schema that holds the queue, beside that of the ledger. */
const SCHEMA = 'catersheet_queue';
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
   * up. Throws StopError (usage) for a ledger in a file, or a database that can't be used.
   */
  static async open(ledger: string, serviceKey: string, tends: boolean): Promise<RunQueue> {
    refuseFile(ledger);
    const database = await openQueueDatabase(ledger);
    let boss: PgBoss | undefined;
    try {
      return await database.patiently(async () => {
        // One that could not start once never does.
        boss = new PgBoss({ db: through(database), schema: SCHEMA, supervise: tends, schedule: false });
        // What passes is tried again by who asked; the rest reaches the one who asked too.
        boss.on('error', () => {});
        await boss.start();
        // A queue's name has few signs to choose from, and a service's address has more.
        const name = `runs-${createHash('sha256').update(serviceKey).digest('hex').slice(0, 24)}`;
        await makeQueue(boss, `${name}-dead`, {});
        await makeQueue(boss, name, { deadLetter: `${name}-dead` });
        return new RunQueue(boss, database, name, serviceKey);
      });
    } catch (error) {
      await boss?.stop({ graceful: false, wait: false, close: false }).catch(() => {});
      await database.close();
      throw database.stopOf(error) ?? error;
    }
  }

  /** Hands a run over, and answers the name of its job. */
  async handOver({ run }: Pick<QueuedRun, 'run'>): Promise<string> {
    return await this.#add(this.#name, { run, deaths: 0 }, randomUUID(), 0);
  }

  /**
   * Takes the next run; undefined where none waits. To be called by who has the ledger's right to send: then
   * what another worker is at was left by one that died, and goes first.
   */
  async take(): Promise<TakenRun | undefined> {
    return await this.#database.patiently(async () => {
      await this.#takeBack();
      const asked = remembering(this.#database);
      const [job] = await this.#boss.fetch<QueuedRun>(this.#name, { db: asked.db });
      // The engine takes an error for an empty queue.
      if (asked.failed() !== undefined) throw asked.failed();
      return job && { ...job.data, job: job.id };
    });
  }

  /** To be called when a run was sent; its rows say what became of each. */
  async sent({ job, run }: TakenRun): Promise<void> {
    await this.#database.patiently(() => this.#boss.complete(this.#name, job));
    // It may have been given up before.
    await this.#database.patiently(() =>
      this.#database.query(`delete from ${SCHEMA}.job where name = $1 and data->>'run' = $2`, [
        this.#dead,
        run,
      ]),
    );
  }

  /** To be called when it was not sent to its end; tells whether it is tried again later, or given up. */
  async failed({ job }: TakenRun, { en, nl }: Bilingual): Promise<boolean> {
    await this.#database.patiently(() => this.#boss.fail(this.#name, job, { en, nl }));
    const now = await this.stateOf(job);
    return now.state !== 'failed' || now.again;
  }

  /** To be called for a run that no other try can send. */
  async giveUp({ job, run, deaths }: TakenRun, { en, nl }: Bilingual): Promise<void> {
    await this.#add(this.#dead, { run, deaths }, job, 0);
    await this.#database.patiently(() => this.#boss.complete(this.#name, job, { en, nl }));
  }

  /** Gives a run back to the others, as this worker stops; answers the name of its new job. */
  async giveBack({ job, run, deaths }: TakenRun): Promise<string> {
    // Before those that wait: what comes after it may be about the same records.
    const next = await this.#add(this.#name, { run, deaths }, randomUUID(), 1);
    await this.#database.patiently(() => this.#boss.complete(this.#name, job, { next }));
    return next;
  }

  /** What became of a job so far. */
  async stateOf(job: string): Promise<QueueState> {
    const look = async (includeArchive: boolean) =>
      await this.#database.patiently(() =>
        this.#boss.getJobById<QueuedRun>(this.#name, job, { includeArchive } as { includeArchive: boolean }),
      );
    const found = (await look(false)) ?? (await look(true));
    if (found === null) return { state: 'unknown' };
    const { state, output } = found;
    const { next, en, nl } = (output ?? {}) as { next?: string; en?: string; nl?: string };
    if (next !== undefined) return await this.stateOf(next);
    if (state === 'completed' && en === undefined) return { state: 'sent' };
    if (state === 'active') return { state: 'sending' };
    if (state === 'created') return { state: 'waiting' };
    const reason = en === undefined || nl === undefined ? null : t(en, nl);
    return { state: 'failed', again: state === 'retry', reason };
  }

  /** How many runs wait, are sent, and were given up. */
  async sizes(): Promise<QueueSizes> {
    const { rows } = await this.#database.query(
      `select name, state::text as state, count(*)::int as count,
         count(*) filter (where start_after < now())::int as due
       from ${SCHEMA}.job where name = any($1) group by 1, 2`,
      [[this.#name, this.#dead]],
    );
    const found = rows as { name: string; state: string; count: number; due: number }[];
    const sum = (name: string, states: readonly string[], by: 'count' | 'due' = 'count'): number =>
      found
        .filter((row) => row.name === name && states.includes(row.state))
        .reduce((total, row) => total + row[by], 0);
    const waits = ['created', 'retry'];
    return {
      waiting: sum(this.#name, waits),
      due: sum(this.#name, waits, 'due'),
      sending: sum(this.#name, ['active']),
      failed: sum(this.#dead, ['created']),
    };
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
    await this.#boss.stop({ graceful: false, wait: false, close: false }).catch(() => {});
    await this.#database.close();
  }

  /** Adds a job, unless it is there. */
  async #add(name: string, data: QueuedRun, id: string, priority: number): Promise<string> {
    const own = name === this.#name ? { deadLetter: this.#dead } : {};
    await this.#database.patiently(() =>
      this.#boss.insert([{ id, name, data, priority, ...LASTING, ...own }]),
    );
    return id;
  }

  get #dead(): string {
    return `${this.#name}-dead`;
  }

  /** Gives what a dead worker was at to others, unless too many died of it. */
  async #takeBack(): Promise<void> {
    const { rows } = await this.#database.query(
      `select id, data from ${SCHEMA}.job where name = $1 and state = 'active' order by created_on`,
      [this.#name],
    );
    for (const { id, data } of rows as { id: string; data: QueuedRun }[]) {
      const deaths = data.deaths + 1;
      if (deaths < MOST_DEATHS) await this.giveBack({ job: id, run: data.run, deaths });
      else await this.giveUp({ job: id, run: data.run, deaths }, DIED);
    }
  }
}

/**
 * A job waits and is sent for as long as it takes: whether its worker lives tells the right to send, and what
 * is archived unsent would be lost in silence.
 */
const LASTING = {
  ...{ retryLimit: TRIES, retryDelay: PAUSE },
  ...{ expireInSeconds: 10 * 365 * 24 * 3600, keepUntil: '2100-01-01T00:00:00Z' },
};

/** The connections of the ledger, for the engine. */
const through = (database: QueueDatabase): PgBoss.Db => ({
  executeSql: async (text, values) => await database.query(text, values ?? []),
});

/** The same, which keeps the error that the engine passes over. */
function remembering(database: QueueDatabase): { readonly db: PgBoss.Db; failed(): unknown } {
  const { executeSql } = through(database);
  let failed: unknown;
  return {
    failed: () => failed,
    db: {
      async executeSql(text, values) {
        try {
          return await executeSql(text, values);
        } catch (error) {
          failed = error;
          throw error;
        }
      },
    },
  };
}

const DIED = t(
  `${MOST_DEATHS} workers died while they sent it`,
  `${MOST_DEATHS} workers stopten er onverwacht mee`,
);

/** Two programs may make it at once. */
async function makeQueue(
  boss: PgBoss,
  name: string,
  options: { readonly deadLetter?: string },
): Promise<void> {
  if ((await boss.getQueue(name)) !== null) return;
  try {
    await boss.createQueue(name, { name, ...options });
  } catch (error) {
    if ((await boss.getQueue(name)) === null) throw error;
  }
}

/** @throws StopError (usage) for a ledger in a file: it can have no queue. */
export function refuseFile(ledger: string): void {
  if (isDatabase(ledger)) return;
  throw new StopError(
    EXIT.usage,
    t(
      'A queue needs a ledger in a database: workers on other machines can’t read a file of this one.',
      'Een wachtrij heeft een register in een database nodig: workers op andere machines kunnen een bestand van deze niet lezen.',
    ),
    {
      next: t(
        'Name it with --ledger postgres://user@server/database. catersheet ledger move brings the one you have there.',
        'Noem het met --ledger postgres://gebruiker@server/database. catersheet ledger move brengt het jouwe daarheen.',
        t('Put the ledger in a database.', 'Zet het register in een database.'),
      ),
    },
  );
}
