import { setMaxListeners } from 'node:events';
import type { Time } from '../core/time.ts';
import type { Progress } from './progress.ts';

/** When a write is looked for after it was given up, ms; after that twice as long each time. */
const LOOKS = [300, 1200, 3000];
const SECOND = 1000;
/** Stages that read lists on their way, which would hide how far they are. */
const HAS_LOOKS: ReadonlySet<Progress['stage']> = new Set(['sending', 'writing']);
/** So long ago on this machine's clock is over, ms: more than a change of the hour could make of it. */
export const LONG_AGO = 3 * 3_600_000;

/** One for all: an error of its own would keep alive what was at work when it was made. */
const OVER = new Error('the waits are over');

/**
 * The time in which a write may still appear, `doubt` seconds from when it was given up, and the waits for
 * it. Time is what this process saw pass: a clock that is set changes nothing.
 */
export class DoubtTime {
  readonly #ms: number;
  readonly #time: Time;
  readonly #opened: number;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #waits = new Set<{ readonly end: number }>();
  /** Of the page it outlives every session: what listens to it is kept. */
  readonly #signal: AbortSignal | undefined;
  readonly #ending = new AbortController();
  #last: Progress = { stage: 'reading', done: 0, total: null };

  /** `doubt`: seconds. `signal` ends all waits. */
  constructor(
    doubt: number,
    time: Time,
    {
      signal,
      onProgress,
    }: { signal?: AbortSignal | undefined; onProgress?: ((progress: Progress) => void) | undefined } = {},
  ) {
    this.#ms = doubt * 1000;
    this.#time = time;
    this.#opened = time.steady();
    // Every row in doubt listens to this one signal.
    setMaxListeners(0, this.#ending.signal);
    this.#onProgress = onProgress;
    this.#signal = signal;
    if (signal?.aborted === true) this.end();
    else signal?.addEventListener('abort', this.end, { once: true });
  }

  /**
   * Tells how far a stage is, with the rows in doubt. Lists that are read while rows are sent, or looked for,
   * are no stage of their own.
   */
  readonly tell = (progress: Progress): void => {
    if (progress.stage === 'listing' && HAS_LOOKS.has(this.#last.stage)) return;
    this.#last = progress;
    let latest = 0;
    for (const { end } of this.#waits) latest = Math.max(latest, end);
    const until = this.momentOf(latest);
    const rows = this.#waits.size;
    this.#onProgress?.(rows === 0 ? progress : { ...progress, doubt: { rows, until } });
  };

  /** Ends all waits, now and later: what is in doubt is left so. */
  readonly end = (): void => {
    this.#signal?.removeEventListener('abort', this.end);
    this.#ending.abort(OVER);
  };

  /** Whether they were ended. */
  readonly ended = (): boolean => this.#ending.signal.aborted;

  /** What this machine's clock shows at a moment of steady time. */
  readonly momentOf = (at: number): Date => new Date(this.#time.now() + at - this.#time.steady());

  /** Until when a write may appear that is given up now, by steady time. */
  readonly fromNow = (): number => this.#time.steady() + this.#ms;

  /** The same of what was done before this session began. */
  readonly fromStart = (): number => this.#opened + this.#ms;

  /**
   * The same of one that an earlier process sent at `since`, of which nobody knows when it was given up: it
   * has its whole time from this session's start on, unless it is long ago.
   */
  ofEarlier(since: Date): number {
    return this.#time.now() - since.getTime() > LONG_AGO ? 0 : this.fromStart();
  }

  /** The same of what was done at `at`, which this machine's clock wrote down to the second. */
  readonly ofDone = (at: Date): number =>
    this.#time.steady() + Math.min(this.#ms, this.#ms + at.getTime() + SECOND - this.#time.now());

  /** Waits until then; false when the waits were ended before. */
  async passed(until: number): Promise<boolean> {
    await this.#waiting(until, () => this.#pause(until));
    return !this.ended();
  }

  /**
   * Looks at growing pauses until what is seen is `known` or the time is over, the last time at its end;
   * undefined when the waits were ended before that.
   */
  async look<T>(until: number, look: () => Promise<T>, known: (seen: T) => boolean): Promise<T | undefined> {
    if (this.ended()) return undefined;
    const from = this.#time.steady();
    return await this.#waiting(until, async () => {
      for (let at = 0; ; ) {
        const begun = this.#time.steady();
        const seen = await look();
        if (known(seen) || begun >= until) return seen;
        while (this.#time.steady() >= from + lookAfter(at)) at++;
        await this.#pause(Math.min(from + lookAfter(at), until));
        if (this.ended()) return undefined;
      }
    });
  }

  /** Waits for what `work` does; it is counted as in doubt meanwhile. */
  async #waiting<T>(until: number, work: () => Promise<T>): Promise<T> {
    if (this.#time.steady() >= until) return await work();
    const wait = { end: until };
    this.#waits.add(wait);
    this.tell(this.#last);
    try {
      return await work();
    } finally {
      this.#waits.delete(wait);
      this.tell(this.#last);
    }
  }

  /** Waits until that moment, or until the waits are ended. */
  async #pause(to: number): Promise<void> {
    const ms = to - this.#time.steady();
    if (ms > 0) await this.#time.sleep(ms + 1, this.#ending.signal).catch(() => {});
  }
}

/** When the look after so many comes, ms from the first. */
const lookAfter = (looks: number): number => LOOKS[looks] ?? 3000 * 2 ** (looks - LOOKS.length + 1);
