import { type Bilingual, type Language, t } from '../core/language.ts';
import { shownPeriod } from '../core/shown-moment.ts';
import { toldApart } from '../core/visible-text.ts';
import { monthsOf } from '../records/listing.ts';
import { wallClock } from '../run/context.ts';
import type { GROUPS } from './figures.ts';
import type { FinanceWork } from './fill-sheets.ts';
import { bookingHeaders, NONE } from './finance-rows.ts';
import { citedSheet } from './page-cells.ts';
import { type FinanceChanges, type FinanceScope, RECORD_SHEETS, type TableSheet } from './record-changes.ts';

/** The events of a month, a location, a type or a manager, and their revenue. */
interface FinanceTotal<K> {
  /** A month as `YYYY-MM`, of anything else its id; null for events that have none. */
  readonly key: K | null;
  /** As in the workbook, in its language. */
  readonly name: string;
  /** How many. */
  readonly count: number;
  /** A decimal in full, such as `-1234.5`. */
  readonly amount: string;
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

/** A finance export whose rows are written, with the data of its pages. */
export interface FinanceReport extends FinanceWork {
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly made: string;
  readonly cited: Readonly<Record<TableSheet, Awaited<ReturnType<typeof citedSheet>>>>;
  readonly totals: FinanceTotals;
  readonly sums: FinanceChanges['since']['sums'];
  readonly hash: string;
  readonly changes: FinanceChanges | null;
  /** What changed in each of its records, in words. */
  readonly changed: readonly string[];
  /** Columns of the bookings that are empty in every row; empty for none. */
  readonly emptyColumns: string;
  /** What was not counted, or with a reserve. */
  readonly notes: readonly Bilingual[];
}

/** Gathers the data of the pages from the rows that are written. */
export async function financeReport(work: FinanceWork, made: Date): Promise<FinanceReport> {
  const { context, definition, scope, language, csv, figures, records, feeds, links, otherDays, rows } = work;
  const { price, cost, distance } = figures.trips;
  const changes = await records.changes(context, scope);
  const headers = bookingHeaders(definition, language, csv);
  const cite = (sheet: TableSheet) => citedSheet(definition[sheet], feeds[sheet]);
  const found = [
    ...markedTexts(work),
    ...links.notes(TRIPS_OF_GONE),
    ...[...otherDays.events.notes(), ...otherDays.trips.notes()],
  ];
  return {
    ...{ ...work, made: wallClock(made), changes, hash: records.hash() },
    cited: {
      ...{ events: await cite('events'), lines: await cite('lines') },
      ...{ trips: await cite('trips'), mutations: await cite('mutations') },
      bookings: await cite('bookings'),
    },
    totals: await totalsOf(work),
    sums: {
      revenue: figures.events.amount.toFixed(),
      arrangements: figures.lines.amount.toFixed(),
      tripPrices: price.amount.toFixed(),
      tripCosts: cost.amount.toFixed(),
      distance: distance.amount.toFixed(),
    },
    changed: await Promise.all((changes?.records ?? []).map((record) => changeText(work, record))),
    emptyColumns: figures.bookings.count === 0 ? '' : rows.empty('bookings', headers).join(', '),
    notes: [...found, ...rows.notes(feeds, csv ? ['bookings'] : RECORD_SHEETS)].map(({ en, nl }) =>
      t(`${capital(en)}.`, `${capital(nl)}.`),
    ),
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Guests: 85 → 95; Location: …` */
async function changeText(
  { rows }: FinanceWork,
  { sheet, changes }: FinanceChanges['records'][number],
): Promise<string> {
  const said = changes.map(async ({ field, from, to }) => {
    const [[name, was], [, is]] = [await rows.said(sheet, field, from), await rows.said(sheet, field, to)];
    return `${name}: ${toldApart(was, is).join(' → ')}`;
  });
  return (await Promise.all(said)).join('; ');
}

async function totalsOf(work: FinanceWork): Promise<FinanceTotals> {
  const { figures, scope, language, definition } = work;
  const seen = [...figures.months.keys()];
  const dated = new Set([...monthsOf(scope), ...seen.filter((month) => month !== null)]);
  const months = [...[...dated].sort(), ...(seen.includes(null) ? [null] : [])].map((key) => {
    const { count, amount } = figures.months.of(key);
    return { key, name: monthName(key, language), count, amount: amount.toFixed() };
  });
  const of = async (group: (typeof GROUPS)[number]): Promise<FinanceTotal<number>[]> => {
    const { names, called } = definition.events[group];
    const sums = [...figures[group]].sort(([one, first], [two, second]) =>
      one === null || two === null
        ? Number(one === null) - Number(two === null)
        : second.amount.comparedTo(first.amount) || one - two,
    );
    const nameOf = async (key: number | null): Promise<string> =>
      key === null
        ? NONE[language]
        : ((names && (await work.rows.nameOf(names, key))) ?? `${called[language]} ${key}`);
    return Promise.all(
      sums.map(async ([key, { count, amount }]) => ({
        ...{ key, name: await nameOf(key), count, amount: amount.toFixed() },
      })),
    );
  };
  return { months, locations: await of('location'), types: await of('type'), managers: await of('manager') };
}

/** A month by its name: `May 2027`. */
const monthName = (month: string | null, language: Language): string =>
  month === null
    ? NONE[language]
    : new Date(month).toLocaleDateString(language, { month: 'short', year: 'numeric', timeZone: 'UTC' });

const TRIPS_OF_GONE: Bilingual = t(
  '; trips for it count with those of events that are not in this export',
  '; ritten ervoor tellen mee bij die van evenementen die niet in deze export staan',
);

/** What counts in spite of a mark, or was left out for one. */
function markedTexts({ definition, figures, csv }: FinanceWork): Bilingual[] {
  const { elsewhere, noRevenue, marked } = figures;
  const { notInvoiced, deleted, unknown } = marked;
  const flag = definition.events.notInvoiced;
  const some = (count: number, en: string, nl: string): Bilingual[] =>
    count === 0 ? [] : [t(`${en}: ${count}`, `${nl}: ${count}`)];
  return [
    ...some(
      notInvoiced,
      `events marked ${flag}, which count as revenue`,
      `evenementen met ${flag}, die als omzet meetellen`,
    ),
    // The overview of a workbook shows these.
    ...some(
      csv ? noRevenue.count : 0,
      'events without revenue, left out with their arrangements and trips',
      'evenementen zonder omzet, weggelaten met hun arrangementen en ritten',
    ),
    ...some(
      csv ? elsewhere.count : 0,
      'trips of events that are not in this export, left out',
      'ritten van evenementen die niet in deze export staan, weggelaten',
    ),
    ...some(deleted, 'deleted trips, left out', 'verwijderde ritten, weggelaten'),
    ...some(
      unknown,
      'stock mutations whose answer was lost, which the service may have or not',
      'voorraadmutaties waarvan het antwoord verloren ging, die het systeem kan hebben of niet',
    ),
  ];
}

/** The days of an export, and which events. */
export function periodText({ from, to, all }: FinanceScope, language: Language): string {
  const which = all ? t('all events', 'alle evenementen') : t('definitive events', 'definitieve evenementen');
  return `${shownPeriod(from, to)[language]} · ${which[language]}`;
}
