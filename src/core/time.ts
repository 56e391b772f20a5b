import { setTimeout as wait } from 'node:timers/promises';

/** Time as an argument: nothing below `cli/` reads a clock or sets a timer by itself. */
export interface Time {
  /** What the clock of this machine shows, ms since 1970. It may be wrong, and be set meanwhile. */
  now(): number;
  /** Time that went by since some moment, ms; no setting of the clock changes it. */
  steady(): number;
  /**
   * Waits so long by `steady`. Rejects with an AbortError when the signal is aborted. Without `ref` the wait
   * keeps no program from ending.
   */
  sleep(ms: number, signal?: AbortSignal, ref?: boolean): Promise<void>;
}

/** The time of this machine. */
export const systemTime: Time = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: (ms, signal, ref = true) => wait(ms, undefined, signal === undefined ? { ref } : { ref, signal }),
};

/** A moment from which time is counted: by the clock that stops with the machine, and by the one that people set. */
interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export const thisMoment = (time: Time): Moment => ({ wall: time.now(), steady: time.steady() });

/** Time that went by since a moment, ms: the longer one of the two clocks. */
export const elapsed = (time: Time, { wall, steady }: Moment): number =>
  Math.max(time.now() - wall, time.steady() - steady);
