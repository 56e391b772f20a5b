import { Decimal } from './decimal.ts';

/** How many, and how much they come to. */
export interface CountedAmount {
  readonly count: number;
  readonly amount: Decimal;
}

/** Of nothing. */
export const NO_AMOUNT: CountedAmount = { count: 0, amount: Decimal.ZERO };

/** Several sums as one. */
const addUp = (sums: readonly CountedAmount[]): CountedAmount =>
  sums.reduce(
    (all, { count, amount }) => ({ count: all.count + count, amount: all.amount.plus(amount) }),
    NO_AMOUNT,
  );

/** Adds up by what things have in common; nothing in common is a key too. */
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

  /** All of it. */
  total(): CountedAmount {
    return addUp([...this.sums.values()]);
  }
}

/** Adds up amounts of which some may be missing or be no number. */
class AmountTotal {
  private counted = 0;
  private without = 0;
  private amount = Decimal.ZERO;

  /** Null for one without a value. */
  add(amount: Decimal | null): void {
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

  get sum(): Decimal {
    return this.amount;
  }
}

/** An id, or null for none. */
export type GroupKey = number | null;

/** What a finance export adds up while its rows go by; months are `YYYY-MM`, null for an event without a day. */
export class FinanceFigures {
  /** Revenue. */
  readonly months = new SumsByKey<string | null>();
  readonly locations = new SumsByKey<GroupKey>();
  readonly types = new SumsByKey<GroupKey>();
  readonly managers = new SumsByKey<GroupKey>();
  /** Of each location by month. */
  private readonly matrix = new Map<GroupKey, SumsByKey<string | null>>();
  readonly names = {
    locations: new Map<number, string | null>(),
    types: new Map<number, string | null>(),
    managers: new Map<number, string | null>(),
  };
  readonly events = {
    count: 0,
    notInvoiced: 0,
    revenue: new AmountTotal(),
  };
  /** What events without revenue would have had. */
  readonly noRevenue = new AmountTotal();
  readonly lines = new AmountTotal();
  readonly trips = {
    count: 0,
    deleted: 0,
    price: new AmountTotal(),
    cost: new AmountTotal(),
    distance: new AmountTotal(),
    /** Prices by the event they are for; what is left at the end is for events that are not in the workbook. */
    byEvent: new SumsByKey<GroupKey>(),
  };
  readonly mutations = { count: 0, unknown: 0 };

  /** Counts what a location brought in in a month. */
  inMatrix(location: GroupKey, month: string | null, amount: Decimal): void {
    const own = this.matrix.get(location) ?? new SumsByKey();
    this.matrix.set(location, own);
    own.add(month, amount);
  }

  /** What came in in some months. */
  sumIn(months: readonly (string | null)[]): CountedAmount {
    return addUp(months.map((month) => this.months.of(month)));
  }

  /** What a location brought in in them. */
  revenueIn(location: GroupKey, months: readonly (string | null)[]): Decimal {
    const own = this.matrix.get(location);
    return own === undefined ? Decimal.ZERO : addUp(months.map((month) => own.of(month))).amount;
  }
}
