import { setTimeout as sleep } from 'node:timers/promises';
import { interruption } from './request-error.ts';

/** How a request ended: answered, failed, or turned away for now. */
export type RequestEnding = 'accepted' | 'failed' | TurnedAway;

interface TurnedAway {
  readonly turnedAway: true;
  /** What the service asks for, ms; null when it names no time. */
  readonly wait: number | null;
  /** 429: too many requests. A 503 may be one broken worker of several. */
  readonly tooMany: boolean;
}

/** A service that turns away this share of the requests is taken to have a limit. */
const LIMITED = 0.2;

/** The pause after a second round in which all were turned away, ms; twice as long after each next one. */
const PAUSE_MS = 125;
const LONGEST_PAUSE_MS = 2000;

type Release = (ending: RequestEnding) => void;

interface Waiting {
  go(release: Release): void;
}

interface GateOptions {
  readonly concurrency: number;
  readonly rate?: number | undefined;
  readonly clock: Clock;
  /** Aborted when the service is closed. */
  readonly closed: AbortSignal;
}

/**
 * The gate of all requests of a service, so many in flight and so many a second: push-back to one slows all
 * of them.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #closed: AbortSignal;
  readonly #concurrency: ReturnType<typeof openConcurrencyLimit>;
  readonly #pace: ReturnType<typeof openPace>;
  readonly #refusals = openRefusals();
  readonly #retries: Waiting[] = [];
  readonly #firsts: Waiting[] = [];
  #inFlight = 0;
  #loweredAt = 0;
  #turnedAwayInARow = 0;
  #waking = false;

  constructor({ concurrency, rate, clock, closed }: GateOptions) {
    this.#clock = clock;
    this.#closed = closed;
    this.#concurrency = openConcurrencyLimit(concurrency);
    this.#pace = openPace(rate);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get limit(): number {
    return this.#concurrency.limit;
  }

  /** Requests a second; Infinity when unlimited. */
  get rate(): number {
    return this.#pace.rate(this.#clock.now());
  }

  /**
   * Waits for a send slot and returns its release; retries go first.
   * @throws InterruptedError, or what ended the service.
   */
  acquire(signal: AbortSignal, retry: boolean): Promise<Release> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(interruption(signal));
      const queue = retry ? this.#retries : this.#firsts;
      const onAbort = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(interruption(signal));
      };
      let gone = false;
      const waiting: Waiting = {
        go(release) {
          gone = true;
          signal.removeEventListener('abort', onAbort);
          resolve(release);
        },
      };
      queue.push(waiting);
      this.#pump();
      // A listener costs time: only a request that waits gets one.
      if (!gone) signal.addEventListener('abort', onAbort);
    });
  }

  #pump(): void {
    while (this.#inFlight < this.#concurrency.limit) {
      const queue = this.#retries.length > 0 ? this.#retries : this.#firsts;
      if (queue.length === 0) return;
      const now = this.#clock.now();
      const wait = this.#pace.next() - now;
      if (wait > 0) {
        this.#wake(wait);
        return;
      }
      this.#inFlight += 1;
      this.#pace.started(now);
      queue.shift()?.go(once((ending) => this.#release(ending, now)));
    }
  }

  #wake(ms: number): void {
    if (this.#waking) return;
    this.#waking = true;
    const awake = () => {
      this.#waking = false;
      if (!this.#closed.aborted) this.#pump();
    };
    this.#clock.sleep(ms, this.#closed).then(awake, awake);
  }

  #release(ending: RequestEnding, startedAt: number): void {
    const now = this.#clock.now();
    this.#inFlight -= 1;
    if (ending !== 'failed') this.#refusals.note(ending !== 'accepted');
    if (ending === 'accepted') {
      this.#turnedAwayInARow = 0;
      this.#concurrency.accepted();
      this.#pace.accepted(now);
    } else if (ending !== 'failed') {
      this.#turnedAway(ending, now, startedAt);
    }
    this.#pump();
  }

  #turnedAway({ wait, tooMany }: TurnedAway, now: number, startedAt: number): void {
    // Requests that were in flight when the first was turned away say nothing new.
    const fresh = startedAt >= this.#loweredAt;
    if (wait !== null) this.#pace.pause(now, wait);
    // A broken worker fails as often at any pace: slowing down for it would never end.
    const limited = tooMany || this.#refusals.share() >= LIMITED;
    if (!fresh) return;
    // Not one broken worker but all of them: what is not sent again by itself must not run ahead into it.
    if (!tooMany && this.#turnedAwayInARow > 0)
      this.#pace.pause(now, Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** this.#turnedAwayInARow));
    this.#turnedAwayInARow += 1;
    this.#concurrency.lower(limited ? 0.5 : 0.75);
    if (limited) {
      this.#pace.slowDown(now);
      this.#refusals.forget();
    }
    this.#loweredAt = Math.max(now, this.#pace.next());
  }
}

function once(release: Release): Release {
  let released = false;
  return (ending) => {
    if (released) return;
    released = true;
    release(ending);
  };
}

/** Most requests in flight, up to `most`: lowered by push-back, one more after each round of successes. */
export function openConcurrencyLimit(most: number) {
  let limit = most;
  let streak = 0;
  return {
    get limit() {
      return limit;
    },
    accepted() {
      if (limit === most) return;
      streak += 1;
      if (streak < limit) return;
      streak = 0;
      limit += 1;
    },
    /** `keep`: the share that remains. */
    lower(keep: number) {
      limit = Math.max(1, Math.floor(limit * keep));
      streak = 0;
    },
  };
}

/** Lateness of timers that is made up for: the rate holds, without bursts. */
const SLACK_MS = 25;
/** After this long without push-back the pace has grown by e, after twice as long by e⁴. */
const RECOVERY_MS = 45_000;
const SLOWEST = 0.1;
const REMEMBERED = 1024;
/** Fewer accepted requests than this say too little about a rate. */
const ENOUGH_ACCEPTED = 5;

/**
 * When the next request may start: after asked pauses, at the rate that the service was seen to bear and at
 * most at `ceiling`, the user's own limit, in requests a second.
 */
export function openPace(ceiling = Number.POSITIVE_INFINITY) {
  let learned = Number.POSITIVE_INFINITY;
  let learnedAt = 0;
  let pausedUntil = 0;
  let dueAt = 0;
  let times: number[] = [];

  const grown = (now: number) => learned * Math.exp((Math.max(0, now - learnedAt) / RECOVERY_MS) ** 2);
  const rate = (now: number) => Math.min(ceiling, grown(now));

  return {
    /** The earliest moment for the next start. */
    next: () => Math.max(pausedUntil, dueAt),
    started(now: number) {
      dueAt = Math.max(dueAt, now - SLACK_MS) + 1000 / rate(now);
    },
    accepted(now: number) {
      if (times.length >= 2 * REMEMBERED) times = times.slice(-REMEMBERED);
      times.push(now);
    },
    /** The service asks for a pause of `wait` ms. */
    pause(now: number, wait: number) {
      pausedUntil = Math.max(pausedUntil, now + wait);
    },
    /** Lowers the rate from the end of the pause on, after a request that was turned away. */
    slowDown(now: number) {
      const until = Math.max(pausedUntil, now);
      learned = Math.max(SLOWEST, slower(rate(now), borne(times, until), times.length));
      learnedAt = until;
      dueAt = until;
      times = [];
    },
    rate,
  };
}

/**
 * The rate that the service bore since the last push-back, the pause that it now asks for included: 20
 * requests at once and then a second's pause is about 20 a second. The best stretch that ends now counts, so
 * that a quiet time does not.
 */
function borne(times: readonly number[], until: number): number {
  let best = 0;
  for (const [index, time] of times.entries()) {
    best = Math.max(best, ((times.length - index) * 1000) / Math.max(1, until - time));
  }
  return best;
}

function slower(current: number, measured: number, samples: number): number {
  if (samples >= ENOUGH_ACCEPTED || (samples > 0 && current === Number.POSITIVE_INFINITY))
    return Math.min(measured, current * 0.9);
  return current / 2;
}

const WINDOW = 50;
/** Fewer answers than this say too little about their share. */
const ENOUGH_ANSWERS = 20;

/** Which of the last answers turned a request away. */
function openRefusals() {
  let last: boolean[] = [];
  return {
    note(refused: boolean) {
      last.push(refused);
      if (last.length > WINDOW) last.shift();
    },
    /** The share of them, 0 to 1; 0 while too few are known. */
    share: () => (last.length < ENOUGH_ANSWERS ? 0 : last.filter((refused) => refused).length / last.length),
    /** Starts again, at another pace. */
    forget() {
      last = [];
    },
  };
}

/** Time and chance, as arguments. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

/** The clock of this machine as it was at the start: that it is set meanwhile changes no pace. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
  random: () => Math.random(),
};
