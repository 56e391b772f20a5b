import type { CountedAmount, GroupName } from './figures.ts';
import type { FinanceReport } from './finance-report.ts';
import type { Oddity } from './odd-cells.ts';
import { keysByAmount } from './page-cells.ts';
import { monthName } from './timeline.ts';

/** A number of records and the sum of their amounts, a decimal in full such as `-1234.5`. */
interface CountedSum {
  /** How many. */
  readonly count: number;
  /** Their amounts together. */
  readonly amount: string;
}

/** The events of a month, a location, a type or a manager, and their revenue. */
interface FinanceTotal<K> extends CountedSum {
  /** A month as `YYYY-MM`, of anything else its id; null for events that have none. */
  readonly key: K | null;
  /** As in the workbook, in its language. */
  readonly name: string;
}

/** The revenue by month, location, type and manager; each adds up to the whole. */
export interface FinanceTotals {
  /** In order; months without an event too. */
  readonly months: readonly FinanceTotal<string>[];
  /** The largest first, as types and managers. */
  readonly locations: readonly FinanceTotal<number>[];
  /** By type of event. */
  readonly types: readonly FinanceTotal<number>[];
  /** By the employee who manages the event. */
  readonly managers: readonly FinanceTotal<number>[];
}

/** What was left out of the revenue, or counted with a reserve. */
export interface FinanceCounted {
  /** Amounts that are missing or no number. */
  readonly uncounted: Readonly<Record<'lines' | 'tripPrices' | 'tripCosts' | 'distance', number>>;
  /** Flags that are neither yes nor no (count as no), and ids that are no numbers (count as none). */
  readonly unreadable: Readonly<Record<'flags' | 'ids', number>>;
  /** Events that are marked as without revenue and count for 0, and what they would have come to. */
  readonly noRevenue: CountedSum;
  /** Events that are not to be invoiced; they count all the same. */
  readonly notInvoiced: number;
  /** Trips for events that are not in the workbook; not in the revenue. */
  readonly otherTrips: CountedSum;
  /** Deleted trips; left out. */
  readonly deletedTrips: number;
  /** Events that were gone when their arrangements were read; left out. */
  readonly goneEvents: number;
  /** Events whose list of arrangements answered 404; taken as empty. */
  readonly listlessEvents: number;
  /** Records of other days that came with the lists; left out. */
  readonly otherDays: Readonly<Record<'events' | 'trips', number>>;
  /** Stock mutations whose answer was lost. */
  readonly unknownMutations: number;
}

/** The totals of the overview as plain data. */
export function financeTotals({ figures, months: shown, language }: FinanceReport): FinanceTotals {
  const of = (name: GroupName): FinanceTotal<number>[] =>
    keysByAmount(figures[name]).map((key) => ({
      ...{ key, name: figures[name].names.get(key) ?? '' },
      ...plain(figures[name].of(key)),
    }));
  const months = shown.map((key) => ({
    ...{ key, name: monthName(key, language) },
    ...plain(figures.months.of(key)),
  }));
  return { months, locations: of('location'), types: of('type'), managers: of('manager') };
}

/** What was left out or counted with a reserve, as plain data. */
export function financeCounted({ figures, links, otherDays, odd, elsewhere }: FinanceReport): FinanceCounted {
  const { events, lines, trips, noRevenue, mutations } = figures;
  const cells = (why: Oddity): number => odd.of('events', why).reduce((sum, { count }) => sum + count, 0);
  return {
    uncounted: {
      ...{ lines: lines.lacking, tripPrices: trips.price.lacking },
      ...{ tripCosts: trips.cost.lacking, distance: trips.distance.lacking },
    },
    unreadable: { flags: cells('flag'), ids: cells('id') },
    noRevenue: plain(noRevenue),
    notInvoiced: events.notInvoiced,
    otherTrips: plain(elsewhere),
    deletedTrips: trips.deleted,
    ...{ goneEvents: links.gone, listlessEvents: links.listless },
    otherDays: { events: otherDays.events.count, trips: otherDays.trips.count },
    unknownMutations: mutations.unknown,
  };
}

const plain = ({ count, amount }: CountedAmount): CountedSum => ({ count, amount: amount.toFixed() });
