/** A moment from which time is counted: by the clock that stops with the machine, and by the one that people set. */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export const thisMoment = (): Moment => ({ wall: Date.now(), steady: performance.now() });

/** Time that went by since a moment, ms: the longer one of the two clocks. */
export const elapsed = ({ wall, steady }: Moment): number =>
  Math.max(Date.now() - wall, performance.now() - steady);
