import { doubled } from './store.ts';
import type { Time } from './time.ts';
import type { Kind, Received, Source, Values } from './types.ts';

/** One request, what was done with it and what was answered. */
export interface Entry {
  readonly n: number;
  /** When its first byte came, in milliseconds since 1970; never by the service's own clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly endpoint: string;
  readonly write: boolean;
  body: unknown;
  /** A refused write was not done; waiting means given up and not done yet. */
  done: 'done' | 'not done' | 'done late' | 'waiting';
  /** When it was done, by the same clock. */
  doneAt: number | undefined;
  answered: number | 'lost' | 'open';
  answeredAt: number | undefined;
  /** The name of the failure that was chosen for it. */
  failure: string | undefined;
}

/** One committed write, in the order of committing. */
export interface Commit {
  readonly n: number;
  readonly at: number;
  readonly what: 'created' | 'updated' | 'deleted';
  readonly kind: Kind;
  readonly id: number;
  /** The request's number, or who else it was. */
  readonly by: number | 'other' | 'seed';
  readonly late: boolean;
  readonly before: Readonly<Values> | undefined;
  readonly after: Readonly<Values> | undefined;
}

/** The independent witness: what came in, what was done, what went out. */
export class Journal {
  readonly requests: Entry[] = [];
  readonly commits: Commit[] = [];
  readonly #time: Time;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Puts a request down when its head has arrived. */
  receive(received: Omit<Received, 'body' | 'bytes' | 'n'>): Entry {
    const { at, method, path, endpoint, write } = received;
    const entry: Entry = {
      n: this.requests.length + 1,
      at,
      method,
      path,
      endpoint,
      write,
      body: undefined,
      done: 'not done',
      doneAt: undefined,
      answered: 'open',
      answeredAt: undefined,
      failure: undefined,
    };
    this.requests.push(entry);
    return entry;
  }

  /** Puts a committed write down. */
  commit(commit: Omit<Commit, 'n' | 'at' | 'by' | 'late'>, source: Source): void {
    const by = typeof source === 'string' ? source : source.request;
    const late = typeof source !== 'string' && source.late;
    this.commits.push({ n: this.commits.length + 1, at: this.#time.now(), by, late, ...commit });
  }

  /** The requests of one endpoint, such as package.create, or of several. */
  of(...endpoints: string[]): Entry[] {
    return this.requests.filter((entry) => endpoints.includes(entry.endpoint));
  }

  /** The requests that were meant to write. */
  get writes(): Entry[] {
    return this.requests.filter((entry) => entry.write);
  }

  /** The commits that requests caused, without those of the seed and of others. */
  get ours(): Commit[] {
    return this.commits.filter((commit) => typeof commit.by === 'number');
  }

  /**
   * What was created more than once from one and the same body, by its commits. It looks at what was sent
   * and not at what was stored, so that no habit of the service hides a double.
   */
  doubled(): Commit[][] {
    const created = this.ours.filter(({ what, kind }) => what === 'created' && kind !== 'stock');
    return doubled(created, ({ by }) => {
      const entry = this.requests[Number(by) - 1];
      return [entry?.endpoint, entry?.body];
    });
  }

  /** The journal as lines to read. */
  lines(): string[] {
    return this.requests.map((entry) => {
      const when = entry.doneAt === undefined ? '' : ` after ${entry.doneAt - entry.at} ms`;
      const failure = entry.failure ? ` (${entry.failure})` : '';
      const body = entry.write ? ` ${JSON.stringify(entry.body)}` : '';
      return `${entry.n} ${entry.method} ${entry.path}: ${entry.done}${when}, ${entry.answered}${failure}${body}`;
    });
  }
}
