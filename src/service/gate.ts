import type { Time } from '../core/time.ts';
import { interruption } from './request-error.ts';
import { LATE_MS, type SharedPace } from './shared-pace.ts';

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

/** A pause that is so much longer than the last one, ms, the other programs are told of. */
const LONGER_MS = 250;
/** A turn comes at most so long before its slot, ms. */
const LONGEST_LEAD_MS = 60;

type Release = (ending: RequestEnding) => void;

/** A request's turn to be sent. */
interface Turn {
  /** From when on it may be sent, and not much later; -Infinity where it may at any time. */
  readonly slot: number;
  readonly release: Release;
}

interface Waiting {
  go(slot: number, release: Release): void;
  fail(error: unknown): void;
}

/** The slot of a request was over before its first byte went out: it waits for another. */
export class SlotMissed extends Error {}

interface GateOptions {
  readonly concurrency: number;
  readonly rate?: number | undefined;
  readonly time: Time;
  /** What several programs keep to together. */
  readonly shared?: SharedPace | undefined;
  /** Aborted when the service is closed. */
  readonly closed: AbortSignal;
}

/**
 * The gate of all requests of a service, so many in flight and so many a second: push-back to one slows all
 * of them.
 */
export class Gate {
  readonly #time: Time;
  readonly #closed: AbortSignal;
  readonly #concurrency: ReturnType<typeof openConcurrencyLimit>;
  readonly #pace: ReturnType<typeof openPace>;
  readonly #refusals = openRefusals();
  readonly #shared: SharedPace | undefined;
  /** In flight already, but for a slot that was missed. */
  readonly #late: Waiting[] = [];
  readonly #retries: Waiting[] = [];
  readonly #firsts: Waiting[] = [];
  readonly #lead = openLead();
  #inFlight = 0;
  #loweredAt = Number.NEGATIVE_INFINITY;
  #toldUntil = Number.NEGATIVE_INFINITY;
  #turnedAwayInARow = 0;
  #waking = false;
  #stopped: { readonly error: unknown } | undefined;

  constructor({ concurrency, rate, time, shared, closed }: GateOptions) {
    this.#time = time;
    this.#closed = closed;
    this.#concurrency = openConcurrencyLimit(concurrency);
    // The slots of a shared pace hold the rate.
    this.#pace = openPace(shared === undefined ? rate : undefined);
    this.#shared = shared;
    shared?.attach({
      time,
      count: () => ({ inFlight: this.#inFlight, waiting: this.#waiting }),
      changed: () => this.#pump(),
      turnedAway: (event) => this.#otherTurnedAway(event),
      stopped: (error) => this.#stop(error),
    });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get limit(): number {
    return Math.min(this.#concurrency.limit, this.#shared?.share ?? Number.POSITIVE_INFINITY);
  }

  /** Requests a second; Infinity when unlimited. */
  get rate(): number {
    return Math.min(this.#pace.rate(this.#time.steady()), this.#shared?.rate ?? Number.POSITIVE_INFINITY);
  }

  get #waiting(): number {
    return this.#late.length + this.#retries.length + this.#firsts.length;
  }

  /**
   * Waits for a request's turn; retries go first.
   * @throws InterruptedError, or what ended the service.
   */
  acquire(signal: AbortSignal, retry: boolean): Promise<Turn> {
    return this.#wait(signal, retry ? this.#retries : this.#firsts);
  }

  /**
   * Waits for the moment of a slot, given how long ago its turn came, or for another slot where that one is
   * over. Answers the slot.
   * @throws InterruptedError, or what ended the service.
   */
  async ready(slot: number, signal: AbortSignal): Promise<number> {
    if (slot === Number.NEGATIVE_INFINITY) return slot;
    for (let at = slot; ; ) {
      const wait = at - this.#time.steady();
      if (signal.aborted) throw interruption(signal);
      if (wait > 0) {
        await this.#time.sleep(Math.ceil(wait), signal).catch((error: unknown) => {
          throw signal.aborted ? interruption(signal) : error;
        });
      } else if (wait >= -LATE_MS) return at;
      else ({ slot: at } = await this.#wait(signal, this.#late));
    }
  }

  /** Notes how long a request needed from its turn until it was ready to be sent, ms. */
  prepared(ms: number): void {
    this.#lead.took(ms);
  }

  /** @throws SlotMissed where a slot is over. */
  check(slot: number): void {
    if (slot !== Number.NEGATIVE_INFINITY && this.#time.steady() > slot + LATE_MS) throw new SlotMissed();
  }

  #wait(signal: AbortSignal, queue: Waiting[]): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(interruption(signal));
      if (this.#stopped !== undefined) return reject(this.#stopped.error);
      const onAbort = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(interruption(signal));
      };
      let gone = false;
      const end = () => {
        gone = true;
        signal.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        go(slot, release) {
          end();
          resolve({ slot, release });
        },
        fail(error) {
          end();
          reject(error);
        },
      };
      queue.push(waiting);
      this.#shared?.touch();
      this.#pump();
      // A listener costs time: only a request that waits gets one.
      if (!gone) signal.addEventListener('abort', onAbort);
    });
  }

  #pump(): void {
    for (;;) {
      const queue = this.#nextQueue();
      if (queue === undefined) return;
      const now = this.#time.steady();
      const slot = this.#nextSlot(now);
      if (slot === undefined) return;
      this.#shared?.take();
      if (queue === this.#late) {
        queue.shift()?.go(slot, () => {});
        continue;
      }
      this.#inFlight += 1;
      this.#pace.started(now);
      queue.shift()?.go(
        slot,
        once((ending) => this.#release(ending, now)),
      );
    }
  }

  #nextQueue(): Waiting[] | undefined {
    if (this.#late.length > 0) return this.#late;
    if (this.#inFlight >= this.limit) return undefined;
    const queue = this.#retries.length > 0 ? this.#retries : this.#firsts;
    return queue.length > 0 ? queue : undefined;
  }

  /** The slot of the next request, when its turn has come; else the gate looks again by itself. */
  #nextSlot(now: number): number | undefined {
    const wait = this.#pace.next() - now;
    if (wait > 0) {
      this.#wake(wait);
      return undefined;
    }
    if (this.#shared === undefined) return Number.NEGATIVE_INFINITY;
    const slot = this.#shared.next(this.#waiting);
    // Whether some is there by then is heard of.
    if (slot === undefined) return undefined;
    const early = slot - now - this.#lead.ms;
    if (early > 0) this.#wake(early);
    return early > 0 ? undefined : slot;
  }

  #stop(error: unknown): void {
    this.#stopped = { error };
    const all = [this.#late, this.#retries, this.#firsts].flatMap((queue) => queue.splice(0));
    for (const waiting of all) waiting.fail(error);
  }

  #wake(ms: number): void {
    if (this.#waking) return;
    this.#waking = true;
    const awake = () => {
      this.#waking = false;
      if (!this.#closed.aborted) this.#pump();
    };
    this.#time.sleep(ms, this.#closed).then(awake, awake);
  }

  #release(ending: RequestEnding, startedAt: number): void {
    const now = this.#time.steady();
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

  #turnedAway(ending: TurnedAway, now: number, startedAt: number): void {
    const { wait } = ending;
    // A broken worker fails as often at any pace: slowing down for it would never end.
    const limited = ending.tooMany || this.#refusals.share() >= LIMITED;
    const pausedUntil = wait === null ? null : now + wait;
    const isLonger = pausedUntil !== null && pausedUntil > this.#toldUntil + LONGER_MS;
    if (startedAt >= this.#loweredAt || isLonger) {
      this.#toldUntil = Math.max(this.#toldUntil, pausedUntil ?? Number.NEGATIVE_INFINITY);
      this.#shared?.tell({ startedAt, pausedUntil, limited });
    }
    this.#slowDown(ending, { now, startedAt, limited });
  }

  /** Another program's request that was turned away counts as one of this program. */
  #otherTurnedAway({ startedAt, pausedUntil, limited }: Parameters<SharedPace['tell']>[0]): void {
    const now = this.#time.steady();
    const wait = pausedUntil === null ? null : Math.max(0, pausedUntil - now);
    this.#toldUntil = Math.max(this.#toldUntil, pausedUntil ?? Number.NEGATIVE_INFINITY);
    this.#slowDown({ turnedAway: true, wait, tooMany: limited }, { now, startedAt, limited });
    this.#pump();
  }

  #slowDown(
    { wait, tooMany }: TurnedAway,
    { now, startedAt, limited }: { now: number; startedAt: number; limited: boolean },
  ): void {
    // Requests that were in flight when the first was turned away say nothing new.
    const fresh = startedAt >= this.#loweredAt;
    if (wait !== null) this.#pace.pause(now, wait);
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

/** How long requests take from their turn until they can be sent: so long before its slot it comes. */
function openLead() {
  let usual = 0;
  return {
    took(ms: number) {
      usual += (Math.min(ms, LONGEST_LEAD_MS) - usual) / 8;
    },
    get ms() {
      return Math.min(LONGEST_LEAD_MS, 1.5 * usual);
    },
  };
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
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let dueAt = Number.NEGATIVE_INFINITY;
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
