import type pg from 'pg';
import type { StopError } from '../../core/errors.ts';
import type { Time } from '../../core/time.ts';
import type { Param, Sql, Statement, Upsert } from '../sql.ts';
import { codeOf, type Database, isPassing, type TimedDatabase, type Tx } from './database.ts';
import { rendered } from './rendered.ts';
import { VERSION } from './tables.ts';
import { FENCED, fencing, IN_TURN, versionFound, type WritingRight } from './write-function.ts';

/** What keeps a program from writing after another took over: throws StopError then. */
export interface Fence {
  /** Asked within a transaction: until it ends nobody can take over. */
  fence(tx: Tx): Promise<void>;
  /** The same for one statement, which looks itself. */
  right(): WritingRight;
  /** Takes what such a statement found. */
  orThrow(version: number | null): void;
}

/** Writes what comes in one moment in one transaction. */
export interface GroupWriter {
  /**
   * Resolves when it is committed. Rejects with StopError when the database can't be reached for long, or
   * another program has taken over, and from then on at once.
   */
  readonly write: Sql['write'];
  /** Resolves when nothing is waiting or under way. */
  settled(): Promise<void>;
}

type Answer = Awaited<ReturnType<Sql['write']>>;

interface Waiting {
  readonly statements: readonly Statement[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Of the time that the last commit took, the next one waits this share for more writes, ms at most. Where
 * commits take long, as processors or the database are busy, fewer of them do more; a row has others to send
 * beside it meanwhile.
 */
const [SHARE, LONGEST_WAIT] = [0.5, 4];
/** Most writes of one transaction. */
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

/** Rows that one statement puts in their places: of those with the same key the last values. */
class Upserts {
  readonly text: string;
  readonly #upsert: Upsert;
  readonly #rows = new Map<string, readonly Param[]>();

  constructor({ text }: Statement, upsert: Upsert) {
    this.text = text;
    this.#upsert = upsert;
  }

  add(params: readonly Param[]): void {
    const { key, keeps } = this.#upsert;
    const name = JSON.stringify(params.slice(0, key));
    const before = this.#rows.get(name);
    const now = params.map((param, at) => (keeps[at] === true ? (param ?? before?.[at] ?? null) : param));
    this.#rows.set(name, now);
  }

  render(): string {
    const rows = [...this.#rows.values()];
    const values = rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
    return rendered(this.#upsert.around.join(values), rows.flat());
  }
}

const tablesIn = (text: string): readonly string[] =>
  [...text.matchAll(/@(\w+)/g)].map(([, name = '']) => name);

/** The statements of a batch in few: what is put in one table is one, unless another one of it stands between. */
function toFew(batch: readonly Waiting[]) {
  const all: (Statement | Upserts)[] = [];
  const open = new Map<string, Upserts>();
  const places = batch.map(({ statements }) =>
    statements.map((one) => {
      if (one.upsert === undefined) {
        for (const table of tablesIn(one.text)) open.delete(table);
        return all.push(one) - 1;
      }
      let upserts = open.get(one.upsert.table);
      if (upserts?.text !== one.text) {
        upserts = new Upserts(one, one.upsert);
        open.set(one.upsert.table, upserts);
        all.push(upserts);
      }
      upserts.add(one.params);
      return undefined;
    }),
  );
  return {
    places,
    texts: all.map((one) => (one instanceof Upserts ? one.render() : rendered(one.text, one.params))),
  };
}

/** Writes a batch in one transaction and one round trip, and answers what came of each. */
async function commit(
  { pool }: Database,
  batch: readonly Waiting[],
  fence: Fence | undefined,
): Promise<readonly Answer[]> {
  const { places, texts } = toFew(batch);
  const before = ['begin isolation level read committed'];
  if (fence !== undefined) before.push(fencing(fence.right(), VERSION));
  if (batch.some(({ statements }) => statements.some(({ inTurn }) => inTurn))) before.push(IN_TURN);
  try {
    const text = [...before, ...texts, 'commit'].join(';\n');
    // A query of several statements has several answers.
    const results = (await pool.query(text)) as unknown as readonly pg.QueryResult[];
    return places.map((own) =>
      own.map((at) => (at === undefined ? [] : (results[before.length + at]?.rows ?? []))),
    );
  } catch (error) {
    if (codeOf(error) === FENCED) fence?.orThrow(versionFound(error));
    throw error;
  }
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
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] ?? []);
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
    write: async (statements) =>
      await new Promise((resolve, reject) => {
        waiting.push({ statements, resolve, reject });
        underWay ??= gather(time, took).then(work);
      }),
    async settled() {
      while (underWay !== undefined) await underWay;
    },
  };
}
