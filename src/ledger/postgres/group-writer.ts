import type pg from 'pg';
import type { StopError } from '../../core/errors.ts';
import type { Time } from '../../core/time.ts';
import type { Many, Param, Row, Sql, Statement } from '../sql.ts';
import { VERSION } from '../tables.ts';
import { AT_LAST, codeOf, type Database, isPassing } from './database.ts';
import { kept, rendered, renderedRows } from './rendered.ts';

/** What keeps a program from writing after another took over: throws StopError then. */
interface Fence {
  /** The name of the right to send, which each transaction looks at. */
  readonly name: string;
  /** Takes what such a statement found. */
  orThrow(version: number): void;
}

/** Writes what comes in one moment in one transaction. */
interface GroupWriter {
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
const [FIRST_PAUSE, LONGEST_PAUSE] = [50, 2000];

interface Patience {
  /** How long a database that is away is waited for, ms; a minute where nothing else is said. */
  readonly patience?: number;
  /** Cuts the waiting short. */
  readonly signal?: AbortSignal | undefined;
}

/** Does work until it is done, or the database could not be reached for long. Throws StopError then. */
export async function patiently<T>(
  { time, waitsUntil }: Database,
  work: () => Promise<T>,
  stopOf: (cause: unknown) => StopError | undefined,
  { patience, signal }: Patience = {},
): Promise<T> {
  // One that was waited for already is not waited for anew by each who asks.
  let until = waitsUntil(patience);
  const cut = (): void => {
    until = Math.min(until, time.steady() + AT_LAST);
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

/** Rows that one statement writes: of those with the same key the last values, where it does not tell which. */
class Together {
  readonly #many: Many;
  readonly #rows = new Map<string, readonly Param[]>();
  #told: ReadonlyMap<string, Row> | undefined;

  constructor(many: Many) {
    this.#many = many;
  }

  /** Answers whether the row is written, and told of. */
  add(name: string, params: readonly Param[]): boolean {
    const { keeps, told } = this.#many;
    const before = this.#rows.get(name);
    if (told !== undefined && before !== undefined) return false;
    const now = params.map((param, at) => (keeps?.[at] === true ? (param ?? before?.[at] ?? null) : param));
    this.#rows.set(name, now);
    return told !== undefined;
  }

  render(): string {
    return renderedRows(this.#many.around, [...this.#rows.values()]);
  }

  /** Of what it told, what is about one row. */
  of(name: string, rows: readonly Row[]): readonly Row[] {
    this.#told ??= new Map(
      rows.map((row) => [nameOf(this.#many.told?.map((column) => row[column]) ?? []), row]),
    );
    const row = this.#told.get(name);
    return row === undefined ? [] : [row];
  }
}

/** What tells rows of a table apart. */
const nameOf = (key: readonly unknown[]): string => key.join('\n');

const tablesIn = (text: string): readonly string[] =>
  [...text.matchAll(/@(\w+)/g)].map(([, name = '']) => name);

/** What may still be joined of a table: by text, and what is done to each row. */
interface Open {
  readonly byText: Map<string, { readonly together: Together; readonly at: number }>;
  readonly done: Map<string, string>;
}

/** Where the rows that a statement returned stand; undefined for one that returns none. */
type Place = { readonly at: number; readonly of?: (rows: readonly Row[]) => readonly Row[] } | undefined;

/** The statements of a batch in few: those that may be are one, unless another one of their table stands between. */
function toFew(batch: readonly Waiting[]) {
  const all: (() => string)[] = [];
  const open = new Map<string, Open>();
  const placeOf = ({ text, params, many }: Statement): Place => {
    if (many === undefined) {
      for (const table of tablesIn(text)) open.delete(table);
      return { at: all.push(() => rendered(text, params)) - 1 };
    }
    const name = nameOf(params.slice(0, many.key).map((one) => (typeof one === 'string' ? kept(one) : one)));
    const known = open.get(many.table);
    const isFree = known !== undefined && (known.done.get(name) ?? many.does) === many.does;
    const own: Open = isFree ? known : { byText: new Map(), done: new Map() };
    open.set(many.table, own);
    own.done.set(name, many.does);
    let joined = own.byText.get(text);
    if (joined === undefined) {
      const together = new Together(many);
      joined = { together, at: all.push(() => together.render()) - 1 };
      own.byText.set(text, joined);
    }
    const { together, at } = joined;
    return together.add(name, params) ? { at, of: (rows) => together.of(name, rows) } : undefined;
  };
  const places = batch.map(({ statements }) => statements.map(placeOf));
  return { places, texts: all.map((render) => render()) };
}

/** Rows are found by an index, however few a table has yet: else one of two dozen rows or more would read all of it. */
const BY_INDEX = `set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/** Writes a batch in one transaction and one round trip, and answers what came of each. */
async function commit(
  { asked }: Database,
  batch: readonly Waiting[],
  fence: Fence | undefined,
): Promise<readonly Answer[]> {
  const { places, texts } = toFew(batch);
  const isInTurn = batch.some(({ statements }) => statements.some(({ inTurn }) => inTurn));
  const first = [
    ...(fence === undefined ? [] : [fencing(fence.name)]),
    ...(isInTurn ? [IN_TURN] : []),
    BY_INDEX,
  ];
  const before = ['begin isolation level read committed', `select ${first}`];
  try {
    const text = [...before, ...texts, 'commit'].join(';\n');
    // A query of several statements has several answers.
    const results = (await asked.query(text)) as unknown as readonly pg.QueryResult[];
    return places.map((own) =>
      own.map((place) => {
        const rows = place === undefined ? [] : (results[before.length + place.at]?.rows ?? []);
        return place?.of?.(rows) ?? rows;
      }),
    );
  } catch (error) {
    const version = versionFound(error);
    if (version !== undefined) fence?.orThrow(version);
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
  database: Database,
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
      const answers = await patiently(database, () => commit(database, batch, fence()), stopOf);
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

/** The code with which the database's own function refuses, of no other error. */
const FENCED = 'CS001';

/**
 * Refuses what a transaction writes where the right to send of this name is another's by now, or a newer program
 * changed the tables. Until the transaction ends nobody can take over.
 */
export const fencing = (right: string): string => rendered('@fence(?, ?)', [right, VERSION]);

/** The version of the tables that a refusal tells; undefined of any other error. */
const versionFound = (error: unknown): number | undefined =>
  codeOf(error) === FENCED ? Number((error as Error).message) : undefined;

/** Of programs that claim postings one does it at a time: each sees what the one before it has. */
const IN_TURN = "pg_advisory_xact_lock(hashtextextended('catersheet postings', 0))";
