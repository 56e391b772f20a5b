import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';
import type { Time } from '../../src/core/time.ts';
import { IN_MEMORY } from '../second-service/listener.ts';

interface Sleeper {
  readonly until: number;
  readonly ref: boolean;
  wake(): void;
}

/** What the system does for this process meanwhile: no wait is over before it. */
const AT_WORK = /^(?:FSReq|CloseReq|GetAddrInfo)/;

/**
 * Requests of this process by sockets that have no whole answer yet, and those to a service in memory, which waits
 * in this time, whose body is not out: a file is read by the system.
 */
const inFlight = new Set<unknown>();
const requestOf = (message: unknown) =>
  (message as { readonly request: { readonly origin: unknown; readonly body: unknown } }).request;
const isInMemory = (message: unknown): boolean => requestOf(message).origin === IN_MEMORY;

/** No wait is over while this is under way, as of a database that is asked. */
export function waitFor<Work extends Promise<unknown>>(work: Work): Work {
  inFlight.add(work);
  void work.catch(() => {}).then(() => inFlight.delete(work));
  return work;
}

const begin = (message: unknown) => inFlight.add(requestOf(message));
const end = (message: unknown) => inFlight.delete(requestOf(message));
subscribe('undici:request:create', (message) => isInMemory(message) || begin(message));
subscribe('undici:client:sendHeaders', (message) => requestOf(message).body === null || begin(message));
subscribe('undici:request:bodySent', (message) => isInMemory(message) && end(message));
for (const name of ['trailers', 'error']) subscribe(`undici:request:${name}`, end);

/** Turns of the event loop without a new wait after which nothing is at work. */
const QUIET = 8;

/**
 * Time that passes only while everything waits: then it goes to the end of the shortest wait. A wait that keeps
 * no program from ending makes none pass by itself, and none passes while a request by a socket is on its way.
 * `patience`: real ms for which nothing may happen before,
 * where something outside this process answers, such as a database.
 */
export class VirtualTime implements Time {
  readonly #sleepers = new Set<Sleeper>();
  readonly #patience: number;
  #wall: number;
  #steady = 0;
  #events = 0;
  #running = false;

  constructor({ now = Date.UTC(2027, 2, 1, 8), patience = 0 }: { now?: number; patience?: number } = {}) {
    this.#wall = now;
    this.#patience = patience;
    inFlight.clear();
  }

  readonly now = (): number => this.#wall + this.#steady;
  readonly steady = (): number => this.#steady;

  /** Someone sets the clock. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  /** Something happens that no wait tells of, such as bytes that arrive: no time passes yet. */
  readonly stir = (): void => {
    this.#events++;
  };

  readonly sleep = (ms: number, signal?: AbortSignal, ref = true): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(aborted(signal));
        return;
      }
      const onAbort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(aborted(signal));
      };
      const sleeper: Sleeper = {
        ref,
        until: this.#steady + Math.max(0, ms),
        wake: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#sleepers.add(sleeper);
      this.#events++;
      if (!this.#running) void this.#run();
    });

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#isWaitedFor()) {
      await this.#quiet();
      const next = this.#isWaitedFor() ? this.#next() : undefined;
      if (next === undefined) break;
      this.#sleepers.delete(next);
      this.#steady = Math.max(this.#steady, next.until);
      this.#events++;
      next.wake();
    }
    this.#running = false;
  }

  #isWaitedFor(): boolean {
    return [...this.#sleepers].some(({ ref }) => ref);
  }

  /** The wait that ends first; of several the one that began first. */
  #next(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.#sleepers)
      if (first === undefined || sleeper.until < first.until) first = sleeper;
    return first;
  }

  async #quiet(): Promise<void> {
    for (let turns = 0, seen = this.#events; turns < QUIET; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turns === QUIET - 1 && this.#patience > 0) await pause(this.#patience);
      const isAtWork =
        inFlight.size > 0 || process.getActiveResourcesInfo().some((name) => AT_WORK.test(name));
      if (seen !== this.#events || isAtWork) turns = -1;
      seen = this.#events;
    }
  }
}

const aborted = (signal: AbortSignal | undefined): Error =>
  Object.assign(new Error('The operation was aborted'), { name: 'AbortError', cause: signal?.reason });
