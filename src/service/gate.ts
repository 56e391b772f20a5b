import { setTimeout as sleep } from 'node:timers/promises';
import { interruption } from './request-error.ts';

/** How a request left: dealt with, failed in any other way, or turned away. */
export type RequestEnding = 'accepted' | 'failed' | TurnedAway;

interface TurnedAway {
  readonly turnedAway: true;
  /** What the service asks for, ms; null when it names no time. */
  readonly wait: number | null;
  /** It says that there were too many requests; else it may be one broken worker of several. */
  readonly tooMany: boolean;
}

/** A service that turns away this share without saying why is taken to have a limit, and is asked less. */
const LIMITED = 0.2;

export interface Gate {
  /** Waits for a turn; what comes back goes first. @throws InterruptedError or what ended the service. */
  enter(signal: AbortSignal, returning: boolean): Promise<(leaving: RequestEnding) => void>;
  readonly inFlight: number;
  readonly limit: number;
  /** Requests a second; Infinity when unlimited. */
  readonly rate: number;
}

interface Waiting {
  go(leave: (leaving: RequestEnding) => void): void;
}

/** The one gate every request of a service goes through: when the service pushes back, all of them hear of it. */
export function openGate(options: GateOptions): Gate {
  return new RequestGate(options);
}

interface GateOptions {
  readonly concurrency: number;
  readonly rate?: number | undefined;
  readonly clock: Clock;
  /** Aborted when the service is closed. */
  readonly ending: AbortSignal;
}

class RequestGate implements Gate {
  readonly #clock: Clock;
  readonly #ending: AbortSignal;
  readonly #width: ConcurrencyLimit;
  readonly #pace: Pace;
  readonly #refusals = openRefusals();
  readonly #returning: Waiting[] = [];
  readonly #coming: Waiting[] = [];
  #inFlight = 0;
  #loweredAt = 0;
  #waking = false;

  constructor({ concurrency, rate, clock, ending }: GateOptions) {
    this.#clock = clock;
    this.#ending = ending;
    this.#width = openConcurrencyLimit(concurrency);
    this.#pace = openPace(rate);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get limit(): number {
    return this.#width.limit;
  }

  get rate(): number {
    return this.#pace.rate(this.#clock.now());
  }

  enter(signal: AbortSignal, back: boolean): Promise<(leaving: RequestEnding) => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(interruption(signal));
      const lane = back ? this.#returning : this.#coming;
      const onAbort = () => {
        lane.splice(lane.indexOf(waiting), 1);
        reject(interruption(signal));
      };
      let gone = false;
      const waiting: Waiting = {
        go(leaving) {
          gone = true;
          signal.removeEventListener('abort', onAbort);
          resolve(leaving);
        },
      };
      lane.push(waiting);
      this.#pump();
      // Only who really waits pays for a listener.
      if (!gone) signal.addEventListener('abort', onAbort);
    });
  }

  #pump(): void {
    while (this.#inFlight < this.#width.limit) {
      const lane = this.#returning.length > 0 ? this.#returning : this.#coming;
      if (lane.length === 0) return;
      const now = this.#clock.now();
      const wait = this.#pace.next() - now;
      if (wait > 0) {
        this.#wake(wait);
        return;
      }
      this.#inFlight += 1;
      this.#pace.started(now);
      lane.shift()?.go(once((leaving) => this.#leave(leaving, now)));
    }
  }

  #wake(ms: number): void {
    if (this.#waking) return;
    this.#waking = true;
    const awake = () => {
      this.#waking = false;
      if (!this.#ending.aborted) this.#pump();
    };
    this.#clock.sleep(ms, this.#ending).then(awake, awake);
  }

  #leave(leaving: RequestEnding, startedAt: number): void {
    const now = this.#clock.now();
    this.#inFlight -= 1;
    if (leaving !== 'failed') this.#refusals.note(leaving !== 'accepted');
    if (leaving === 'accepted') {
      this.#width.accepted();
      this.#pace.accepted(now);
    } else if (leaving !== 'failed') {
      this.#turnedAway(leaving, now, startedAt);
    }
    this.#pump();
  }

  #turnedAway({ wait, tooMany }: TurnedAway, now: number, startedAt: number): void {
    // Those that were on their way when the first was turned away say nothing new.
    const fresh = startedAt >= this.#loweredAt;
    if (wait !== null) this.#pace.pause(now, wait);
    // A worker that fails now and then fails as often at any pace: slowing down for it would never end.
    const limited = tooMany || this.#refusals.share() >= LIMITED;
    if (!fresh) return;
    this.#width.lower(limited ? 0.5 : 0.75);
    if (limited) {
      this.#pace.slowDown(now);
      this.#refusals.forget();
    }
    this.#loweredAt = Math.max(now, this.#pace.next());
  }
}

function once(leave: (leaving: RequestEnding) => void): (leaving: RequestEnding) => void {
  let left = false;
  return (leaving) => {
    if (left) return;
    left = true;
    leave(leaving);
  };
}

/** How many requests may be in flight: halved when the service pushes back, one more after each full round of successes. */
interface ConcurrencyLimit {
  readonly limit: number;
  accepted(): void;
  /** `keep`: the share that stays. */
  lower(keep: number): void;
}

export function openConcurrencyLimit(most: number): ConcurrencyLimit {
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
    lower(keep) {
      limit = Math.max(1, Math.floor(limit * keep));
      streak = 0;
    },
  };
}

/** Lateness of timers that is caught up with, so that the rate holds without ever sending a burst. */
const SLACK_MS = 25;
/** After this long without push-back the pace has grown by e, after twice as long by e⁴: careful, then curious. */
const RECOVERY_MS = 45_000;
const SLOWEST = 0.1;
const REMEMBERED = 1024;
/** Fewer accepted requests than this say too little about a rate. */
const ENOUGH_ACCEPTED = 5;

/** When the next request may start: pauses the service asked for, and the rate it was seen to bear. */
interface Pace {
  /** The earliest moment for the next start. */
  next(): number;
  started(now: number): void;
  /** The service dealt with a request. */
  accepted(now: number): void;
  /** Nothing starts for `wait` ms: the service asks for it. */
  pause(now: number, wait: number): void;
  /** The service turned away a request that started after the last reduction: less, from the end of the pause on. */
  slowDown(now: number): void;
  /** Requests a second; Infinity when nothing limits it. */
  rate(now: number): number;
}

/** `ceiling` is the user's own limit, in requests a second. */
export function openPace(ceiling = Number.POSITIVE_INFINITY): Pace {
  let learned = Number.POSITIVE_INFINITY;
  let learnedAt = 0;
  let pausedUntil = 0;
  let dueAt = 0;
  let times: number[] = [];

  const grown = (now: number) => learned * Math.exp((Math.max(0, now - learnedAt) / RECOVERY_MS) ** 2);
  const rate = (now: number) => Math.min(ceiling, grown(now));

  return {
    next: () => Math.max(pausedUntil, dueAt),
    started(now) {
      dueAt = Math.max(dueAt, now - SLACK_MS) + 1000 / rate(now);
    },
    accepted(now) {
      if (times.length >= 2 * REMEMBERED) times = times.slice(-REMEMBERED);
      times.push(now);
    },
    pause(now, wait) {
      pausedUntil = Math.max(pausedUntil, now + wait);
    },
    slowDown(now) {
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
 * The rate the service bore since the last push-back, with the pause it now asks for counted in: a service that
 * takes 20 at once and then asks for a second's rest bears 19 a second, not a thousand. The best stretch that
 * ends now counts, so that a quiet time before does not.
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
/** Fewer answers than this say too little about a share. */
const ENOUGH_ANSWERS = 20;

/** Which of the last answers turned a request away. */
interface Refusals {
  note(refused: boolean): void;
  /** The share of them, 0 to 1; 0 while too few are known. */
  share(): number;
  /** What was answered until now was at another pace. */
  forget(): void;
}

function openRefusals(): Refusals {
  let last: boolean[] = [];
  return {
    note(refused) {
      last.push(refused);
      if (last.length > WINDOW) last.shift();
    },
    share: () => (last.length < ENOUGH_ANSWERS ? 0 : last.filter((refused) => refused).length / last.length),
    forget() {
      last = [];
    },
  };
}

/** Time and chance, as arguments: tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
  random: () => Math.random(),
};
