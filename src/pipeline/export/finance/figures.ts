import { Exact } from './exact.ts';
import { Amounts, type Sum, Tally, together } from './tally.ts';

/** An id, or null for none. */
export type GroupKey = number | null;

/** What a finance export adds up while its rows go by; months are `YYYY-MM`, null for an event without a day. */
export class Figures {
  /** Revenue. */
  readonly months = new Tally<string | null>();
  readonly locations = new Tally<GroupKey>();
  readonly types = new Tally<GroupKey>();
  readonly managers = new Tally<GroupKey>();
  /** Of each location by month. */
  private readonly matrix = new Map<GroupKey, Tally<string | null>>();
  readonly names = {
    locations: new Map<number, string | null>(),
    types: new Map<number, string | null>(),
    managers: new Map<number, string | null>(),
  };
  readonly events = {
    count: 0,
    notInvoiced: 0,
    revenue: new Amounts(),
  };
  /** What events without revenue would have had. */
  readonly noRevenue = new Amounts();
  readonly lines = new Amounts();
  readonly trips = {
    count: 0,
    deleted: 0,
    price: new Amounts(),
    cost: new Amounts(),
    distance: new Amounts(),
    /** Prices by the event they are for; what is left at the end is for events that are not in the workbook. */
    byEvent: new Tally<GroupKey>(),
  };
  readonly mutations = { count: 0, unknown: 0 };

  /** Counts what a location brought in in a month. */
  inMatrix(location: GroupKey, month: string | null, amount: Exact): void {
    const own = this.matrix.get(location) ?? new Tally();
    this.matrix.set(location, own);
    own.add(month, amount);
  }

  /** What came in in some months. */
  sumIn(months: readonly (string | null)[]): Sum {
    return together(months.map((month) => this.months.of(month)));
  }

  /** What a location brought in in them. */
  revenueIn(location: GroupKey, months: readonly (string | null)[]): Exact {
    const own = this.matrix.get(location);
    return own === undefined ? Exact.ZERO : together(months.map((month) => own.of(month))).amount;
  }
}
