/** A generator that gives the same row of numbers for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** True in the given share of calls. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A number between two bounds. */
  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** A whole number from 0 up to, not including, this one. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True in one of so many cases. */
  oneIn(cases: number): boolean {
    return this.below(cases) === 0;
  }

  /** One of the given things, of which there must be one. */
  pick<const T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
