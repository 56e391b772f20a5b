import type { CountedAmount, GroupKey } from './figures.ts';
import type { FinanceReport, GroupName } from './finance-report.ts';
import type { FinanceWork } from './finance-work.ts';
import type { Oddity } from './odd-cells.ts';
import { keysByAmount } from './page-cells.ts';
import { stretchesText } from './timeline.ts';

/** How many, and how much they come to: a decimal in full, such as `-1234.5`. */
interface CountedSum {
  readonly count: number;
  readonly amount: string;
}

/** The events of a month, a location, a type or a manager, and their revenue. */
interface FinanceTotal<K> extends CountedSum {
  /** A month as `YYYY-MM`, of anything else its id; null for events that have none. */
  readonly key: K | null;
  /** As the workbook has it, in its language. */
  readonly name: string;
}

/** The revenue in several ways; in each of them it is all of it. */
export interface FinanceTotals {
  /** In order, those of the period without an event too, as long as they are no more than 36. */
  readonly months: readonly FinanceTotal<string>[];
  /** The largest first, as the types and managers are. */
  readonly locations: readonly FinanceTotal<number>[];
  readonly types: readonly FinanceTotal<number>[];
  readonly managers: readonly FinanceTotal<number>[];
}

/** What decides whether the revenue is all of it: what was left out of it, or came in another way than usual. */
export interface FinanceCounted {
  /** Amounts that are missing or no number: line totals of arrangements, and prices, costs and distances of trips. */
  readonly uncounted: Readonly<Record<'lines' | 'tripPrices' | 'tripCosts' | 'distance', number>>;
  /** Cells of events that are neither yes nor no, which count as no, and ids to add up by that are no numbers, which count as none. */
  readonly unreadable: Readonly<Record<'flags' | 'ids', number>>;
  /** Events that count for 0 as they are marked so, and what they would have come to. */
  readonly noRevenue: CountedSum;
  /** Events that are not to be invoiced, and count all the same. */
  readonly notInvoiced: number;
  /** Trips of the period for no event in the workbook: in no revenue. */
  readonly otherTrips: CountedSum;
  /** Trips that are deleted, and left out. */
  readonly deletedTrips: number;
  /** Events that were gone when their arrangements were read, and are left out. */
  readonly goneEvents: number;
  /** Events whose arrangements were answered with 404, taken as none. */
  readonly listlessEvents: number;
  /** What came with a list of these days and is of others, and is left out. */
  readonly otherDays: Readonly<Record<'events' | 'trips', number>>;
  /** Stock mutations that were sent, and whose answer was lost. */
  readonly unknownMutations: number;
}

/** The totals of the pages of a finance export, for programs. */
export function financeTotals(report: FinanceReport): FinanceTotals {
  const { figures, timelines, language } = report;
  const of = (name: GroupName): FinanceTotal<number>[] =>
    keysByAmount(figures[name]).map((key: GroupKey) => ({
      ...{ key, name: report.nameOf(name, key) },
      ...plain(figures[name].of(key)),
    }));
  const months = timelines.months.stretches.map((month) => ({
    ...{ key: month.begin, name: stretchesText([month], 'month', language) },
    ...plain(figures.months.of(month.begin)),
  }));
  return { months, locations: of('locations'), types: of('types'), managers: of('managers') };
}

/** What was left out and what was not as usual, for programs. */
export function financeCounted(
  { figures, lists, setup }: FinanceWork,
  { elsewhere }: FinanceReport,
): FinanceCounted {
  const { events, lines, trips, noRevenue, mutations } = figures;
  const cells = (why: Oddity): number =>
    setup.odd.of('events', why).reduce((sum, { count }) => sum + count, 0);
  return {
    uncounted: {
      ...{ lines: lines.lacking, tripPrices: trips.price.lacking },
      ...{ tripCosts: trips.cost.lacking, distance: trips.distance.lacking },
    },
    unreadable: { flags: cells('flag'), ids: cells('id') },
    noRevenue: plain({ count: noRevenue.count, amount: noRevenue.sum }),
    notInvoiced: events.notInvoiced,
    otherTrips: plain(elsewhere),
    deletedTrips: trips.deleted,
    ...{ goneEvents: lists.links.gone, listlessEvents: lists.links.listless },
    otherDays: { events: lists.otherEvents.count, trips: lists.otherTrips.count },
    unknownMutations: mutations.unknown,
  };
}

const plain = ({ count, amount }: CountedAmount): CountedSum => ({ count, amount: amount.text });
