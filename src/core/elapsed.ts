import type { Time } from './time.ts';

/** A moment from which time is counted: by the clock that stops with the machine, and by the one that people set. */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export const thisMoment = (time: Time): Moment => ({ wall: time.now(), steady: time.steady() });

/** Time that went by since a moment, ms: the longer one of the two clocks. */
export const elapsed = (time: Time, { wall, steady }: Moment): number =>
  Math.max(time.now() - wall, time.steady() - steady);
