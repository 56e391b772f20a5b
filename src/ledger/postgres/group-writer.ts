import { setTimeout as sleep } from 'node:timers/promises';
import type { StopError } from '../../core/errors.ts';
import { type Database, isPassing, type Tx } from './database.ts';

/** One kind of write: many of one moment are written with one statement. */
export interface Kind<I, O = undefined> {
  /**
   * Writes items in their order, and answers what came of each: an Error for one that can't be written, which
   * leaves the others alone. It may be done again where the end of its transaction is not known, so it must
   * come to the same then.
   */
  run(tx: Tx, items: readonly I[]): Promise<readonly (O | Error)[]>;
  /** It locks what other programs wait for: it comes last, so that they wait for no more than its end. */
  readonly locks?: true;
}

/** Writes what comes in one moment in one transaction. */
export interface GroupWriter {
  /**
   * Resolves when it is committed. Rejects with StopError when the database can't be reached for long, or
   * another program has taken over, and from then on at once.
   */
  write<I, O>(kind: Kind<I, O>, item: I): Promise<O>;
  /** Resolves when nothing is waiting or under way. */
  settled(): Promise<void>;
}

interface Waiting {
  readonly kind: Kind<unknown, unknown>;
  readonly item: unknown;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Most writes of one transaction: a statement has room for 65,535 values. */
const MOST = 2000;
/** A database that restarts is back within a minute; longer, ms, and the user is told. */
const PATIENCE = 60_000;
const [FIRST_PAUSE, LONGEST_PAUSE] = [50, 2000];

/** Who asked to stop waits so much longer, ms, for a database that only restarts. */
const AFTER_STOP = 3_000;

interface Patience {
  /** How long a database that is away is waited for, ms. */
  readonly patience?: number;
  /** Cuts the waiting short. */
  readonly signal?: AbortSignal | undefined;
}

/** Does work until it is done, or the database could not be reached for long. Throws StopError then. */
export async function patiently<T>(
  work: () => Promise<T>,
  stopOf: (cause: unknown) => StopError | undefined,
  { patience = PATIENCE, signal }: Patience = {},
): Promise<T> {
  let until = Date.now() + patience;
  const cut = (): void => {
    until = Math.min(until, Date.now() + AFTER_STOP);
  };
  if (signal?.aborted === true) cut();
  else signal?.addEventListener('abort', cut, { once: true });
  try {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error) || Date.now() + pause > until) throw stopOf(error) ?? error;
        await sleep(pause);
      }
    }
  } finally {
    signal?.removeEventListener('abort', cut);
  }
}

/** Writes a batch in one transaction, kind by kind, and answers what came of each. */
async function commit(
  { db }: Database,
  batch: readonly Waiting[],
  before: (tx: Tx) => Promise<void>,
): Promise<readonly unknown[]> {
  const kinds = new Map<Waiting['kind'], number[]>();
  for (const [at, { kind }] of batch.entries()) {
    const places = kinds.get(kind);
    if (places === undefined) kinds.set(kind, [at]);
    else places.push(at);
  }
  // A claim is looked up after it was waited for, whatever the server's own setting.
  const transaction = db.transaction().setIsolationLevel('read committed');
  return await transaction.execute(async (tx) => {
    await before(tx as Tx);
    const answers: unknown[] = [];
    const last = ([kind]: readonly [Waiting['kind'], unknown]): number => (kind.locks === true ? 1 : 0);
    for (const [kind, places] of [...kinds].sort((one, other) => last(one) - last(other))) {
      const items = places.map((at) => batch[at]?.item);
      const found = await kind.run(tx as Tx, items);
      for (const [which, at] of places.entries()) answers[at] = found[which];
    }
    return answers;
  });
}

/** Opens the one writer of a program; `before` is asked within each transaction, and throws to end it. */
export function openGroupWriter(
  database: Database,
  before: (tx: Tx) => Promise<void>,
  stopOf: (cause: unknown) => StopError | undefined,
): GroupWriter {
  let waiting: Waiting[] = [];
  let underWay: Promise<void> | undefined;
  let broken: unknown;

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      if (broken !== undefined) throw broken;
      const answers = await patiently(() => commit(database, batch, before), stopOf);
      for (const [at, { resolve, reject }] of batch.entries()) {
        const answer = answers[at];
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      }
    } catch (error) {
      if (stopOf(error) !== undefined) broken ??= stopOf(error);
      // A write that fails must not take the others of its group with it.
      if (broken === undefined && batch.length > 1) for (const one of batch) await settle([one]);
      else for (const { reject } of batch) reject(broken ?? error);
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST);
      waiting = waiting.slice(MOST);
      await settle(batch);
    }
    underWay = undefined;
  }

  return {
    write<I, O>(kind: Kind<I, O>, item: I): Promise<O> {
      return new Promise<O>((resolve, reject) => {
        waiting.push({ kind, item, resolve, reject } as Waiting);
        // What the same moment asks goes along.
        underWay ??= new Promise<void>((begin) => setImmediate(begin)).then(work);
      });
    },
    async settled() {
      while (underWay !== undefined) await underWay;
    },
  };
}
