import { createHash } from 'node:crypto';
import type PgBoss from 'pg-boss';
import { systemTime } from '../core/time.ts';
import { openQueueDatabase, type QueueDatabase } from '../ledger/queue-database.ts';
import { QUEUE_SCHEMA } from './queued-runs.ts';

/** The engine of the queues, in the database of a ledger. */
export interface Engine {
  readonly boss: PgBoss;
  readonly database: QueueDatabase;
  close(): Promise<void>;
}

interface EngineWishes {
  /** This program lives long and tidies up. */
  readonly tends: boolean;
  /** What ends the waiting for a database that is away. */
  readonly signal?: AbortSignal | undefined;
  /** The queues that it is opened for, those that others name as their dead letters first. */
  readonly queues: readonly NewQueue[];
}

interface NewQueue extends Pick<PgBoss.Queue, 'deadLetter' | 'policy'> {
  readonly name: string;
}

/**
 * Opens the engine, and makes its queues where they are not there. Throws StopError (usage) for a database
 * that can't be used.
 */
export async function openEngine(ledger: string, wishes: EngineWishes): Promise<Engine> {
  const { tends, signal, queues } = wishes;
  const database = await openQueueDatabase(ledger, systemTime, signal);
  try {
    const boss = await database.patiently(async () => {
      // Most programs never need it.
      const { default: Boss } = await import('pg-boss');
      // One that could not start once never does.
      const one = new Boss({
        ...{ db: through(database), schema: QUEUE_SCHEMA, supervise: tends, schedule: false },
      });
      // What passes is tried again by who asked; the rest reaches the one who asked too.
      one.on('error', () => {});
      try {
        await one.start();
        for (const queue of queues) await makeQueue(one, queue);
        return one;
      } catch (error) {
        // Its timers would keep the program from ending.
        await stop(one);
        throw error;
      }
    });
    return {
      ...{ boss, database },
      async close() {
        await stop(boss);
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw database.stopOf(error) ?? error;
  }
}

const stop = async (boss: PgBoss): Promise<void> =>
  await boss.stop({ graceful: false, wait: false, close: false }).catch(() => {});

/** The name of a service's queue: it has few signs to choose from, and a service's address has more. */
export const queueName = (kind: string, serviceKey: string): string =>
  `${kind}-${createHash('sha256').update(serviceKey).digest('hex').slice(0, 24)}`;

/** The name of a job that several may add at one moment: the same for the same words. */
export function jobNamed(...words: readonly string[]): string {
  const sign = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => sign.slice(from, to))
    .join('-');
}

/** The connections of the ledger, for the engine. */
const through = (database: QueueDatabase): PgBoss.Db => ({
  executeSql: async (text, values) => await database.query(text, values ?? []),
});

/** Makes a queue where it is not there: two programs may make it at once. */
async function makeQueue(boss: PgBoss, { name, ...options }: NewQueue): Promise<void> {
  if ((await boss.getQueue(name)) !== null) return;
  try {
    await boss.createQueue(name, { name, ...options });
  } catch (error) {
    if ((await boss.getQueue(name)) === null) throw error;
  }
}
