import { type Bilingual, t } from '../core/language.ts';
import { changedTexts } from './changed-texts.ts';
import { type FinanceSums, findSnapshot, RECORD_SHEETS, type RecordSheet } from './export-snapshot.ts';
import type { CountedAmount } from './figures.ts';
import { NONE } from './finance-rows.ts';
import type { FinanceWork } from './finance-work.ts';
import { type CitedSheet, citedSheet } from './formulas.ts';
import { cellsText, type OddColumn } from './odd-cells.ts';
import type { FinanceChanges } from './record-changes.ts';
import { type Month, monthsShown } from './timeline.ts';

/** A finance export whose rows are written, with the data of its pages. */
export interface FinanceReport extends FinanceWork {
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly made: string;
  /** Those of the overview. */
  readonly months: readonly Month[];
  readonly cited: Readonly<Record<RecordSheet, CitedSheet>>;
  /** Trips of events that are not in the workbook. */
  readonly elsewhere: CountedAmount;
  /** The sums of the overview, as decimals in full. */
  readonly sums: FinanceSums;
  /** SHA-256 of the records, in hexadecimal. */
  readonly hash: string;
  /** Since the last finance export of the same scope; null where none is known. */
  readonly changes: FinanceChanges | null;
  /** What changed in each of its records, in words. */
  readonly changedTexts: readonly string[];
  /** Notes on what was read, and on names. */
  readonly notes: readonly Bilingual[];
}

/** Gathers the data of the pages from the rows that are written. */
export async function financeReport(work: FinanceWork, made: string): Promise<FinanceReport> {
  const { context, definition, scope, figures, snapshot, feeds, links, otherDays } = work;
  const { events, lines, trips, mutations } = definition;
  const changes = snapshot.changes(await findSnapshot(context, scope));
  const gone = links.notes(TRIPS_OF_GONE);
  const others = [...otherDays.events.notes(), ...otherDays.trips.notes()];
  return {
    ...{ ...work, made, elsewhere: figures.trips.byEvent.total() },
    months: monthsShown(scope, figures.months.keys()),
    cited: {
      events: await citedSheet(events, feeds.events),
      lines: await citedSheet(lines, feeds.lines),
      trips: await citedSheet(trips, feeds.trips),
      mutations: await citedSheet(mutations, feeds.mutations),
    },
    sums: {
      revenue: figures.events.revenue.amount.toFixed(),
      arrangements: figures.lines.amount.toFixed(),
      tripPrices: figures.trips.price.amount.toFixed(),
      tripCosts: figures.trips.cost.amount.toFixed(),
      distance: figures.trips.distance.amount.toFixed(),
    },
    ...{ hash: snapshot.hash(), changes },
    changedTexts: await changedTexts(changes?.records ?? [], definition, work),
    notes: [...gone, ...others, ...oddTexts(work), ...work.names.notes()],
  };
}

const TRIPS_OF_GONE: Bilingual = t(
  '; trips for it count with those of events that are not in this workbook',
  '; ritten ervoor tellen mee bij die van evenementen die niet in deze werkmap staan',
);

/** Notes on cells that count as something else than they say, or that could not be written. */
function oddTexts({ definition, odd, feeds }: FinanceWork): Bilingual[] {
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
