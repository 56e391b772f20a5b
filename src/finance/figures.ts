import type { BigNumber } from 'bignumber.js';
import { decimalOf, ZERO } from '../core/decimal.ts';

/** Cells hold amounts below 1e300, and the sum of as many of them as a sheet has rows. */
const EXPONENT = 300;

const fitting = (amount: BigNumber | null): BigNumber | null =>
  amount !== null && (amount.e ?? EXPONENT) < EXPONENT ? amount : null;

/** An amount of an answer; null for what is no number, and for one that no cell can hold. */
export const amountOf = (value: unknown): BigNumber | null => fitting(decimalOf(value));

/** The product of two amounts; null where one is missing, or where no cell can hold it. */
export const productOf = (one: BigNumber | null, other: BigNumber | null): BigNumber | null =>
  one === null || other === null ? null : fitting(one.times(other));

/** A number of records and the sum of their amounts. */
export interface CountedAmount {
  readonly count: number;
  readonly amount: BigNumber;
}

/** The sum of nothing. */
export const NO_AMOUNT: CountedAmount = { count: 0, amount: ZERO };

/** Adds up amounts of which some may be missing or be no number. */
class AmountTotal implements CountedAmount {
  count = 0;
  /** How many had no value. */
  lacking = 0;
  amount = ZERO;

  /** Null for a record without a value. */
  add(amount: BigNumber | null): void {
    this.count++;
    if (amount === null) this.lacking++;
    else this.amount = this.amount.plus(amount);
  }
}

const addUp = (sums: readonly CountedAmount[]): CountedAmount => ({
  count: sums.reduce((count, one) => count + one.count, 0),
  amount: sums.reduce((sum, { amount }) => sum.plus(amount), ZERO),
});

/** Counts and sums by key; null may be a key too. */
export class SumsByKey<K> {
  private readonly sums = new Map<K, AmountTotal>();

  add(key: K, amount: BigNumber): void {
    const sum = this.sums.get(key) ?? new AmountTotal();
    this.sums.set(key, sum);
    sum.add(amount);
  }

  of(key: K): CountedAmount {
    return this.sums.get(key) ?? NO_AMOUNT;
  }

  /** Takes a sum out. */
  take(key: K): CountedAmount {
    const sum = this.of(key);
    this.sums.delete(key);
    return sum;
  }

  keys(): K[] {
    return [...this.sums.keys()];
  }

  total(): CountedAmount {
    return addUp([...this.sums.values()]);
  }
}

/** The members of an event that revenue is grouped by. */
export const GROUPS = ['location', 'type', 'manager'] as const;
/** One of `GROUPS`. */
export type GroupName = (typeof GROUPS)[number];

/** The id of a location, type or manager; null for events that have none. */
export type GroupKey = number | null;

/** The revenue by key, and the names of the keys. */
class GroupFigures extends SumsByKey<GroupKey> {
  readonly names = new Map<GroupKey, string>();
}

/** What a finance export adds up as rows go by; months are `YYYY-MM`, null for an event without a day. */
export class FinanceFigures {
  /** Revenue. */
  readonly months = new SumsByKey<string | null>();
  readonly location = new GroupFigures();
  readonly type = new GroupFigures();
  readonly manager = new GroupFigures();
  /** By location and month. */
  private readonly matrix = new SumsByKey<string>();
  readonly events = { notInvoiced: 0, revenue: new AmountTotal() };
  /** What events marked as without revenue would have come to. */
  readonly noRevenue = new AmountTotal();
  readonly lines = new AmountTotal();
  readonly trips = {
    deleted: 0,
    price: new AmountTotal(),
    cost: new AmountTotal(),
    distance: new AmountTotal(),
    /** Prices by event; what is left at the end is for events that are not in the workbook. */
    byEvent: new SumsByKey<GroupKey>(),
  };
  readonly mutations = { count: 0, unknown: 0 };

  /** Counts revenue by location and month. */
  addToMatrix(location: GroupKey, month: string | null, amount: BigNumber): void {
    this.matrix.add(`${location} ${month}`, amount);
  }

  /** The revenue of a location in a month. */
  revenueIn(location: GroupKey, month: string | null): BigNumber {
    return this.matrix.of(`${location} ${month}`).amount;
  }
}
