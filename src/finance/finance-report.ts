import { type Bilingual, type Language, t } from '../core/language.ts';
import type { FinanceDefinition, FinanceGroup } from '../schema/finance-definition.ts';
import type { Decimal } from './decimal.ts';
import { type FinanceSums, findSnapshot, RECORD_SHEETS, type RecordSheet } from './export-snapshot.ts';
import type { CountedAmount, GroupKey } from './figures.ts';
import { NONE } from './finance-rows.ts';
import type { FinanceFeeds, FinanceWork } from './finance-work.ts';
import { type CitedSheet, citedSheet } from './formulas.ts';
import { cellsText, type OddCells, type OddColumn } from './odd-cells.ts';
import type { FinanceChanges } from './record-changes.ts';
import { timelinesOf } from './timeline.ts';

/** What the overview groups revenue by. */
export type GroupName = 'locations' | 'types' | 'managers';

/** The data of the pages of a finance export, once the rows are written. */
export interface FinanceReport extends Pick<FinanceWork, 'context' | 'definition' | 'scope' | 'figures'> {
  readonly language: Language;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly made: string;
  readonly timelines: ReturnType<typeof timelinesOf>;
  readonly cited: Readonly<Record<RecordSheet, CitedSheet>>;
  /** Trips of events that are not in the workbook, and what events without revenue would have come to. */
  readonly elsewhere: CountedAmount;
  readonly excluded: Decimal;
  readonly sums: FinanceSums;
  readonly hash: string;
  readonly changes: FinanceChanges | null;
  /** The first cells whose amounts could not be counted. */
  readonly uncounted: { readonly lines: Bilingual; readonly trips: Bilingual };
  /** Notes on what was read, and on names. */
  readonly notes: readonly Bilingual[];
  group(name: GroupName): FinanceGroup;
  nameOf(name: GroupName, key: GroupKey): string;
}

/** Gathers the data of the pages from the rows that are written. */
export async function financeReport(
  work: FinanceWork,
  feeds: FinanceFeeds,
  made: string,
): Promise<FinanceReport> {
  const { context, definition, scope, figures, snapshot, setup } = work;
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
    ...{ context, definition, scope, language, made, figures, cited },
    ...{ timelines: timelinesOf(scope, figures.months.keys()), elsewhere: figures.trips.byEvent.total() },
    excluded: figures.noRevenue.sum,
    sums: {
      revenue: figures.events.revenue.sum.text,
      arrangements: figures.lines.sum.text,
      tripPrices: figures.trips.price.sum.text,
      tripCosts: figures.trips.cost.sum.text,
      distance: figures.trips.distance.sum.text,
    },
    ...{ hash: snapshot.hash(), changes: snapshot.changes(await findSnapshot(context, scope)), notes },
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

const TRIPS_OF_GONE: Bilingual = t(
  '; trips for it count with those of events that are not in this workbook',
  '; ritten ervoor tellen mee bij die van evenementen die niet in deze werkmap staan',
);

/** Notes on cells that count as something else than they say, or that could not be written. */
function oddTexts(definition: FinanceDefinition, odd: OddCells, feeds: FinanceFeeds): Bilingual[] {
  const said = (make: (one: OddColumnFacts) => Bilingual) => (column: OddColumn) => {
    const { member = '', header } = definition[column.sheet].columns[column.at] ?? { header: NO_HEADER };
    return make({ member, header, count: column.count, cells: cellsText([column], feeds) });
  };
  return [
    ...odd.of('events', 'flag').map(said(flagText)),
    ...odd.of('events', 'id').map(said(idText)),
    ...RECORD_SHEETS.flatMap((sheet) => odd.of(sheet, 'too-long').map(said(longText))),
  ];
}

/** The cells of one column that a note is about. */
interface OddColumnFacts {
  readonly member: string;
  readonly header: Bilingual;
  readonly count: number;
  readonly cells: Bilingual;
}

const NO_HEADER: Bilingual = t('', '');

const flagText = ({ member, count, cells }: OddColumnFacts): Bilingual =>
  t(
    `${member} is neither yes nor no, and the event counts as revenue: ${count} (${cells.en})`,
    `${member} is geen ja en geen nee, en het evenement telt als omzet mee: ${count} (${cells.nl})`,
  );

const idText = ({ member, count, cells }: OddColumnFacts): Bilingual =>
  t(
    `${member} is no usable number, and the event counts under “${NONE.en}”: ${count} (${cells.en})`,
    `${member} is geen bruikbaar nummer, en het evenement telt mee bij “${NONE.nl}”: ${count} (${cells.nl})`,
  );

const longText = ({ header, count, cells }: OddColumnFacts): Bilingual =>
  t(
    `${header.en}: ${count} ${count === 1 ? 'text' : 'texts'} longer than a cell holds (32,767 characters), whose cells are empty: ${cells.en}`,
    `${header.nl}: ${count} ${count === 1 ? 'tekst' : 'teksten'} langer dan een cel kan bevatten (32.767 tekens), waarvan de cellen leeg zijn: ${cells.nl}`,
  );
