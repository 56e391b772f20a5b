import type { BigNumber } from 'bignumber.js';
import { decimalOf, ZERO } from '../core/codecs/number.ts';

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
class AmountTotal {
  count = 0;
  /** How many had no amount. */
  lacking = 0;
  amount = ZERO;

  /** Null for a record without an amount. */
  add(amount: BigNumber | null, count = 1): void {
    this.count += count;
    if (amount === null) this.lacking++;
    else this.amount = this.amount.plus(amount);
  }
}

/** Counts and sums by key; null may be a key too. */
class SumsByKey<K> extends Map<K, AmountTotal> {
  add(key: K, amount: BigNumber): void {
    this.of(key).add(amount);
  }

  of(key: K): AmountTotal {
    const sum = this.get(key) ?? new AmountTotal();
    this.set(key, sum);
    return sum;
  }
}

/** The members of an event that revenue is grouped by. */
export const GROUPS = ['location', 'type', 'manager'] as const;

/** What a finance export adds up as rows go by. */
export class FinanceFigures {
  /** Revenue. */
  readonly events = new AmountTotal();
  /** Revenue by `YYYY-MM`; null for events without a day. */
  readonly months = new SumsByKey<string | null>();
  /** Revenue by id; null for events that have none. */
  readonly location = new SumsByKey<number | null>();
  readonly type = new SumsByKey<number | null>();
  readonly manager = new SumsByKey<number | null>();
  /** What events marked as without revenue would have come to. */
  readonly noRevenue = new AmountTotal();
  readonly lines = new AmountTotal();
  readonly trips = { price: new AmountTotal(), cost: new AmountTotal(), distance: new AmountTotal() };
  /** Prices of trips by event. */
  readonly tripsByEvent = new SumsByKey<number | null>();
  /** Trips of the events that are in the workbook. */
  readonly ownTrips = new AmountTotal();
  readonly mutations = new AmountTotal();
  /** Arrangements and trips that count as revenue. */
  readonly bookings = new AmountTotal();
  /** Events that are not to be invoiced, deleted trips, and stock mutations whose answer was lost. */
  readonly marked = { notInvoiced: 0, deleted: 0, unknown: 0 };

  /** Trips of events that are not in the workbook. */
  get elsewhere(): { readonly count: number; readonly amount: BigNumber } {
    const { price } = this.trips;
    const { count, amount } = this.ownTrips;
    return { count: price.count - count, amount: price.amount.minus(amount) };
  }
}
