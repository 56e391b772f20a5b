import { Exact } from './exact.ts';

/** How many, and how much they come to. */
export interface Sum {
  readonly count: number;
  readonly amount: Exact;
}

/** Of nothing. */
export const NOTHING: Sum = { count: 0, amount: Exact.ZERO };

/** Several sums as one. */
export const together = (sums: readonly Sum[]): Sum =>
  sums.reduce(
    (all, { count, amount }) => ({ count: all.count + count, amount: all.amount.plus(amount) }),
    NOTHING,
  );

/** Adds up by what things have in common; nothing in common is a key too. */
export class Tally<K> {
  private readonly sums = new Map<K, Sum>();

  add(key: K, amount: Exact): void {
    const { count, amount: before } = this.of(key);
    this.sums.set(key, { count: count + 1, amount: before.plus(amount) });
  }

  of(key: K): Sum {
    return this.sums.get(key) ?? NOTHING;
  }

  /** Takes a sum out. */
  take(key: K): Sum {
    const sum = this.of(key);
    this.sums.delete(key);
    return sum;
  }

  keys(): K[] {
    return [...this.sums.keys()];
  }

  /** All of it. */
  total(): Sum {
    return together([...this.sums.values()]);
  }
}

/** Adds up amounts of which some may be missing or be no number. */
export class Amounts {
  private counted = 0;
  private without = 0;
  private amount = Exact.ZERO;

  /** Null for one without a value. */
  add(amount: Exact | null): void {
    this.counted++;
    if (amount === null) this.without++;
    else this.amount = this.amount.plus(amount);
  }

  get count(): number {
    return this.counted;
  }

  /** How many had no value. */
  get lacking(): number {
    return this.without;
  }

  get sum(): Exact {
    return this.amount;
  }
}
