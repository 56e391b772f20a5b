import { Decimal } from './decimal.ts';

/** A number of records and the sum of their amounts. */
export interface CountedAmount {
  readonly count: number;
  readonly amount: Decimal;
}

/** The sum of nothing. */
export const NO_AMOUNT: CountedAmount = { count: 0, amount: Decimal.ZERO };

const addUp = (sums: readonly CountedAmount[]): CountedAmount => ({
  count: sums.reduce((count, one) => count + one.count, 0),
  amount: Decimal.sum(sums.map(({ amount }) => amount)),
});

/** Counts and sums by key; null may be a key too. */
export class SumsByKey<K> {
  private readonly sums = new Map<K, CountedAmount>();

  add(key: K, amount: Decimal): void {
    const { count, amount: before } = this.of(key);
    this.sums.set(key, { count: count + 1, amount: before.plus(amount) });
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

/** Adds up amounts of which some may be missing or be no number. */
class AmountTotal {
  count = 0;
  /** How many had no value. */
  lacking = 0;
  sum = Decimal.ZERO;

  /** Null for a record without a value. */
  add(amount: Decimal | null): void {
    this.count++;
    if (amount === null) this.lacking++;
    else this.sum = this.sum.plus(amount);
  }
}

/** The id of a location, type or manager; null for events that have none. */
export type GroupKey = number | null;

/** What a finance export adds up as rows go by; months are `YYYY-MM`, null for an event without a day. */
export class FinanceFigures {
  /** Revenue. */
  readonly months = new SumsByKey<string | null>();
  readonly locations = new SumsByKey<GroupKey>();
  readonly types = new SumsByKey<GroupKey>();
  readonly managers = new SumsByKey<GroupKey>();
  /** By location and month. */
  private readonly matrix = new Map<GroupKey, SumsByKey<string | null>>();
  readonly names = {
    locations: new Map<number, string | null>(),
    types: new Map<number, string | null>(),
    managers: new Map<number, string | null>(),
  };
  readonly events = { count: 0, notInvoiced: 0, revenue: new AmountTotal() };
  /** What events marked as without revenue would have come to. */
  readonly noRevenue = new AmountTotal();
  readonly lines = new AmountTotal();
  readonly trips = {
    count: 0,
    deleted: 0,
    price: new AmountTotal(),
    cost: new AmountTotal(),
    distance: new AmountTotal(),
    /** Prices by event; what is left at the end is for events that are not in the workbook. */
    byEvent: new SumsByKey<GroupKey>(),
  };
  readonly mutations = { count: 0, unknown: 0 };

  /** Counts revenue by location and month. */
  addToMatrix(location: GroupKey, month: string | null, amount: Decimal): void {
    const own = this.matrix.get(location) ?? new SumsByKey();
    this.matrix.set(location, own);
    own.add(month, amount);
  }

  /** The revenue of some months. */
  sumIn(months: readonly (string | null)[]): CountedAmount {
    return addUp(months.map((month) => this.months.of(month)));
  }

  /** The revenue of a location in some months. */
  revenueIn(location: GroupKey, months: readonly (string | null)[]): Decimal {
    const own = this.matrix.get(location);
    return own === undefined ? Decimal.ZERO : addUp(months.map((month) => own.of(month))).amount;
  }
}
