import type { FinanceDefinition, FinanceGroup } from '../../../schema/finance.ts';
import type { Bilingual, Language } from '../../../schema/value.ts';
import type { Context } from '../../context.ts';
import type { Exact } from './exact.ts';
import type { Figures, GroupKey } from './figures.ts';
import type { FinanceChanges } from './finance-changes.ts';
import { NONE } from './finance-rows.ts';
import type { FinanceFeeds, FinanceWork } from './finance-work.ts';
import { type CitedSheet, citedSheet } from './formulas.ts';
import { cellsText } from './odd-cells.ts';
import { oddTexts } from './odd-texts.ts';
import { type FinanceKind, type FinanceSums, findRemembered, type RecordSheet } from './remembered.ts';
import type { Sum } from './tally.ts';
import { type Timelines, timelinesOf } from './timeline.ts';

/** By what the overview tells revenue apart. */
export type GroupName = 'locations' | 'types' | 'managers';

/** All that the pages of a finance export say, once the rows are written. */
export interface FinanceReport {
  readonly context: Context;
  readonly definition: FinanceDefinition;
  readonly kind: FinanceKind;
  readonly language: Language;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly made: string;
  readonly figures: Figures;
  readonly timelines: Timelines;
  readonly cited: Readonly<Record<RecordSheet, CitedSheet>>;
  /** Trips of events that are not in the workbook, and what events without revenue would have had. */
  readonly elsewhere: Sum;
  readonly excluded: Exact;
  readonly sums: FinanceSums;
  readonly hash: string;
  readonly changes: FinanceChanges | null;
  /** The first cells with amounts that could not be counted. */
  readonly uncounted: { readonly lines: Bilingual; readonly trips: Bilingual };
  /** What there is to say of what was read, and of the names. */
  readonly notes: readonly Bilingual[];
  group(name: GroupName): FinanceGroup;
  nameOf(name: GroupName, key: GroupKey): string;
}

/** What is to be said of the rows that are written. */
export async function financeReport(
  work: FinanceWork,
  feeds: FinanceFeeds,
  made: string,
): Promise<FinanceReport> {
  const { context, definition, kind, figures, trail, setup } = work;
  const { language } = setup;
  const { events, lines, trips, mutations } = definition;
  const cited = {
    events: await citedSheet(events, feeds.events),
    lines: await citedSheet(lines, feeds.lines),
    trips: await citedSheet(trips, feeds.trips),
    mutations: await citedSheet(mutations, feeds.mutations),
  };
  const { links, otherEvents, otherTrips } = work.lists;
  const notes = [
    ...links.notes({ links: lines.resource, parents: events.resource }, TRIPS_OF_GONE),
    ...[...otherEvents.notes(), ...otherTrips.notes(), ...oddTexts(definition, setup.odd, feeds)],
    ...setup.names.notes(),
  ];
  const groups = { locations: events.location, types: events.type, managers: events.manager };
  return {
    ...{ context, definition, kind, language, made, figures, cited },
    ...{ timelines: timelinesOf(kind, figures.months.keys()), elsewhere: figures.trips.byEvent.total() },
    excluded: figures.noRevenue.sum,
    sums: {
      revenue: figures.events.revenue.sum.text,
      arrangements: figures.lines.sum.text,
      tripPrices: figures.trips.price.sum.text,
      tripCosts: figures.trips.cost.sum.text,
      distance: figures.trips.distance.sum.text,
    },
    ...{ hash: trail.hash(), changes: trail.changes(await findRemembered(context, kind)), notes },
    uncounted: {
      lines: cellsText(setup.odd.of('lines', 'amount', 'no-amount'), feeds),
      trips: cellsText(setup.odd.of('trips', 'amount'), feeds),
    },
    group: (name) => groups[name],
    nameOf(name, key) {
      if (key === null) return NONE[language];
      return figures.names[name].get(key) ?? `${groups[name].called[language]} ${key}`;
    },
  };
}

const TRIPS_OF_GONE: Bilingual = {
  en: '; trips for it count with those of events that are not in this workbook',
  nl: '; ritten ervoor tellen mee bij die van evenementen die niet in deze werkmap staan',
};
