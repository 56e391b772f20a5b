import type { StopError } from '../../core/errors.ts';
import type { Time } from '../../core/time.ts';
import { type Database, isPassing, type TimedDatabase, type Tx } from './database.ts';
import { VERSION } from './tables.ts';
import { type ListName, type Lists, type Told, type WritingRight, writeLists } from './write-function.ts';

/** What keeps a program from writing after another took over: throws StopError then. */
export interface Fence {
  /** Asked within a transaction: until it ends nobody can take over. */
  fence(tx: Tx): Promise<void>;
  /** The same for one statement, which looks itself. */
  right(): WritingRight;
  /** Takes what such a statement found. */
  orThrow(version: number | null): void;
}

/** What came of an item that is to be written once more, by itself. */
export const ALONE = Symbol('alone');

/** What came of each item; an Error for one that can't be written, which leaves the others alone. */
type Answers<O> = readonly (O | Error | typeof ALONE)[];

/**
 * One kind of write. It may be done again where the end of its transaction is not known, so it must come to
 * the same then.
 */
export type Kind<I, O = undefined> = StatementKind<I, O> | ListKind<I, O>;

/** Written with statements of its own. */
interface StatementKind<I, O> {
  /** Writes items in their order, and answers what came of each. */
  run(tx: Tx, items: readonly I[]): Promise<Answers<O>>;
}

/** Written with others by the one statement that a sent row needs. */
interface ListKind<I, O> {
  readonly list: ListName;
  toList(items: readonly I[]): Promise<Listed<O>>;
}

/** Items as the statement takes them. */
interface Listed<O> {
  readonly rows: readonly Lists[ListName][];
  answers(told: Told): Answers<O>;
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

/**
 * Of the time that the last commit took, the next one waits this share for more writes, ms at most. Where
 * commits take long, as processors or the database are busy, fewer of them do more; a row has others to send
 * beside it meanwhile.
 */
const [SHARE, LONGEST_WAIT] = [0.5, 4];
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
  time: Time,
  work: () => Promise<T>,
  stopOf: (cause: unknown) => StopError | undefined,
  { patience = PATIENCE, signal }: Patience = {},
): Promise<T> {
  let until = time.steady() + patience;
  const cut = (): void => {
    until = Math.min(until, time.steady() + AFTER_STOP);
  };
  if (signal?.aborted === true) cut();
  else signal?.addEventListener('abort', cut, { once: true });
  try {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error) || time.steady() + pause > until) throw stopOf(error) ?? error;
        await time.sleep(pause);
      }
    }
  } finally {
    signal?.removeEventListener('abort', cut);
  }
}

interface KindOfBatch<K> {
  readonly kind: K;
  readonly places: readonly number[];
  readonly items: readonly unknown[];
}

function byKind(batch: readonly Waiting[]) {
  const places = new Map<Waiting['kind'], number[]>();
  for (const [at, { kind }] of batch.entries()) {
    const known = places.get(kind);
    if (known === undefined) places.set(kind, [at]);
    else known.push(at);
  }
  const statements: KindOfBatch<StatementKind<unknown, unknown>>[] = [];
  const lists: KindOfBatch<ListKind<unknown, unknown>>[] = [];
  for (const [kind, own] of places) {
    const items = own.map((at) => batch[at]?.item);
    if ('list' in kind) lists.push({ kind, places: own, items });
    else statements.push({ kind, places: own, items });
  }
  return { statements, lists };
}

/** Writes a batch in one transaction, kind by kind, and answers what came of each. */
async function commit(
  { db }: Database,
  batch: readonly Waiting[],
  fence: Fence | undefined,
): Promise<readonly unknown[]> {
  const { statements, lists } = byKind(batch);
  const answers: unknown[] = [];
  const answer = (places: readonly number[], found: Answers<unknown>): void => {
    for (const [which, at] of places.entries()) answers[at] = found[which];
  };
  const listed = await Promise.all(lists.map(({ kind, items }) => kind.toList(items)));
  const rows = Object.fromEntries(lists.map(({ kind }, at) => [kind.list, listed[at]?.rows ?? []]));
  const writeAll = async (within: Database['db'] | Tx): Promise<void> => {
    const told = await writeLists(within, fence?.right(), VERSION, rows);
    fence?.orThrow(told.version);
    for (const [at, { places }] of lists.entries()) answer(places, listed[at]?.answers(told) ?? []);
  };
  if (statements.length === 0) {
    await writeAll(db);
    return answers;
  }
  await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      await fence?.fence(tx as Tx);
      for (const { kind, places, items } of statements) answer(places, await kind.run(tx as Tx, items));
      // Claims are among the lists: what other programs wait for is locked last.
      if (lists.length > 0) await writeAll(tx as Tx);
    });
  return answers;
}

/** Resolves when what the same moment asks is there, and what soon comes where commits take long. */
async function gather(time: Time, took: number): Promise<void> {
  const wait = Math.min(LONGEST_WAIT, Math.floor(took * SHARE));
  // A timer of 0 ms waits for 1.
  await (wait > 0 ? time.sleep(wait) : new Promise<void>((begin) => setImmediate(begin)));
}

/** Opens the one writer of a program; what it writes ends where another took over by then. */
export function openGroupWriter(
  database: TimedDatabase,
  fence: () => Fence | undefined,
  stopOf: (cause: unknown) => StopError | undefined,
): GroupWriter {
  const { time } = database;
  let waiting: Waiting[] = [];
  let underWay: Promise<void> | undefined;
  let broken: unknown;
  /** How long the last commit took, ms. */
  let took = 0;

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      if (broken !== undefined) throw broken;
      const began = time.steady();
      const answers = await patiently(time, () => commit(database, batch, fence()), stopOf);
      took = time.steady() - began;
      for (const [at, one] of batch.entries()) {
        const answer = answers[at];
        if (answer === ALONE) await settle([one]);
        else if (answer instanceof Error) one.reject(answer);
        else one.resolve(answer);
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
        underWay ??= gather(time, took).then(work);
      });
    },
    async settled() {
      while (underWay !== undefined) await underWay;
    },
  };
}
