import { usageStop } from '../core/errors.ts';
import { asTyped, type Bilingual, type Form, type Language, t, withFlag } from '../core/language.ts';
import { SEPARATOR } from '../export/export-records.ts';
import { checkExportTarget, type ExportFormat, exportTarget, wholeOrStop } from '../export/export-target.ts';
import { halfPeriod, periodOf, type SelectionOptions } from '../export/selection-options.ts';
import { openCsv } from '../export/write-records.ts';
import { LAST_ROW } from '../files/limits.ts';
import { writeAtomically } from '../files/write-aside.ts';
import { LinkLists } from '../lists/lists.ts';
import { type Days, OtherDays } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import type { FinanceDefinition } from '../schema/finance-definition.ts';
import { type TableFeed, writeBook } from '../xlsx/write/write-book.ts';
import type { WrittenRow } from '../xlsx/write/written-book.ts';
import { FinanceFigures } from './figures.ts';
import { fillFinance } from './fill-sheets.ts';
import { type FinanceReport, type FinanceTotals, financeReport } from './finance-report.ts';
import { bookingHeaders, financeRows, financeSheet } from './finance-rows.ts';
import { emptyText, manifestPage } from './manifest-page.ts';
import { overviewPage } from './overview-page.ts';
import {
  bySheet,
  exportedRecords,
  type FinanceChanges,
  RECORD_SHEETS,
  type TableSheet,
} from './record-changes.ts';

/** The options of a finance export, as the user wrote them, and what it is made of. */
interface FinanceRequest extends Pick<SelectionOptions, 'from' | 'to' | 'locale'> {
  readonly definition: FinanceDefinition;
  readonly language: Language;
  /** How its notes are said. */
  readonly form?: Form | undefined;
  /** All events, not only the definitive ones. */
  readonly all?: boolean | undefined;
  /** A workbook, or a CSV of the bookings; by the file's extension when absent. */
  readonly format?: ExportFormat | undefined;
  /** Of a CSV. */
  readonly delimiter?: string | undefined;
  /** The file's name; made from the period when absent. */
  readonly out?: string | undefined;
  /** Replaces a file that is there already. */
  readonly overwrite?: boolean | undefined;
  /** Rows of a sheet at most, its header included; Excel's limit when absent. */
  readonly rows?: number;
}

/** The period and the file that the options ask for. Throws StopError with EXIT.usage. */
function targetOf({ all = false, out, format, delimiter, language, ...period }: FinanceRequest) {
  const days = periodOf(period);
  if (days === null) throw halfPeriod();
  const name = `${NAMES[language]}-${days.from}-${days.to}${all ? ALL[language] : ''}.${format ?? 'xlsx'}`;
  const target = exportTarget([], { out: out ?? name, format, delimiter });
  if (target.file === null || target.format === 'ndjson') throw usageStop(NO_OTHER, NO_OTHER_NEXT);
  return { scope: { ...days, all }, file: target.file, csv: target.format === 'csv' };
}

const NO_OTHER: Bilingual = t(
  'A finance export is a file: a workbook, or a CSV of the bookings.',
  'Een financiële export is een bestand: een werkmap, of een CSV van de boekingen.',
);
const NO_OTHER_NEXT: Bilingual = withFlag(
  t('Choose a name that ends in .xlsx or .csv.', 'Kies een naam die eindigt op .xlsx of .csv.'),
  '--out',
);

const NAMES: Bilingual = t('revenue', 'omzet');
const ALL: Bilingual = t('-all', '-alle');

/** A number of records and the sum of their amounts, a decimal in full such as `-1234.5`. */
interface CountedSum {
  /** How many. */
  readonly count: number;
  /** Their amounts together. */
  readonly amount: string;
}

/** A finance export as `--json` prints it; amounts are decimals in text. */
export interface FinanceDocument {
  /** The file’s path. */
  readonly file: string;
  /** A workbook, or a CSV of the bookings. */
  readonly format: 'xlsx' | 'csv';
  /** The base URL of the service; `sandbox` for the one on this machine. */
  readonly service: string;
  /** Tells it from the exports of records. */
  readonly resource: 'finance';
  /** The days of its events and trips. */
  readonly period: Days;
  /** All events, or only the definitive ones. */
  readonly all: boolean;
  /** The sheets with rows; of a CSV the bookings. */
  readonly sheets: readonly {
    /** What stands in it, the same in every language. */
    readonly key: TableSheet;
    /** Its name. */
    readonly sheet: string;
    /** Rows under its header. */
    readonly rows: number;
  }[];
  /** The sums of the overview. */
  readonly sums: FinanceChanges['since']['sums'];
  /** The revenue of the overview, divided four times. */
  readonly totals: FinanceTotals;
  /** What is not in the revenue. */
  readonly counted: {
    /** Amounts that are missing or no number. */
    readonly uncounted: Readonly<Record<'lines' | 'tripPrices' | 'tripCosts' | 'distance', number>>;
    /** Events that are marked as without revenue and count for 0, and what they would have come to. */
    readonly noRevenue: CountedSum;
    /** Trips for events that are not in the workbook. */
    readonly otherTrips: CountedSum;
  };
  /** SHA-256 of the records, in hexadecimal. */
  readonly hash: string;
  /** Since the last finance export of the same scope; null where none is known. */
  readonly changes: FinanceChanges | null;
  /** False where records may be missing, as a note says. */
  readonly complete: boolean;
  /** Requests sent. */
  readonly requests: number;
  /** What there is to know about it, in the language of `lang`. */
  readonly notes: readonly string[];
  /** How long it took, ms. */
  readonly ms: number;
}

/**
 * Writes a period as one workbook: totals by formulas, events, arrangements, trips, the stock mutations that
 * this program sent, the bookings, and what changed since the last export; or as a CSV of the bookings alone.
 * Rows are written as the lists come; what records hold is kept packed, to tell what changed. When anything
 * fails, the file stays as it was. Throws StopError.
 */
export async function exportFinance(context: Context, request: FinanceRequest): Promise<FinanceDocument> {
  const start = context.time.steady();
  const { definition, language, form = asTyped } = request;
  const { scope, file, csv } = targetOf(request);
  await checkExportTarget(file, request.overwrite === true);
  const written = await wholeOrStop(context, file, () =>
    writeFinance(context, request, { scope, file, csv }),
  );
  const { report, place } = written;
  const { sums, hash, changes, figures, totals } = report;
  // What changed is told between workbooks.
  if (!csv) await report.records.save(context, scope, { at: report.made, file: place, hash, sums });
  const { events, lines, trips, mutations, bookings, noRevenue, elsewhere } = figures;
  const rows = { events, lines, trips: trips.price, mutations, bookings };
  const sheets = csv ? [] : RECORD_SHEETS;
  const { emptyColumns } = report;
  const empty = emptyColumns === '' ? [] : [emptyText(emptyColumns)];
  const plain = ({ count, amount }: typeof elsewhere): CountedSum => ({ count, amount: amount.toFixed() });
  return {
    ...{ file: place, format: csv ? 'csv' : 'xlsx', service: context.serviceName, resource: 'finance' },
    ...{ period: { from: scope.from, to: scope.to }, all: scope.all },
    sheets: [...sheets, 'bookings' as const].map((key) => ({
      ...{ key, sheet: definition[key].name[language], rows: rows[key].count },
    })),
    ...{ sums, totals },
    counted: {
      uncounted: {
        ...{ lines: lines.lacking, tripPrices: trips.price.lacking },
        ...{ tripCosts: trips.cost.lacking, distance: trips.distance.lacking },
      },
      ...{ noRevenue: plain(noRevenue), otherTrips: plain(elsewhere) },
    },
    ...{ hash, changes, complete: report.links.complete, requests: context.service.stats.requests },
    notes: [...report.notes, ...empty, ...written.notes].map((note) => form(note)[language]),
    ms: Math.round(context.time.steady() - start),
  };
}

async function writeFinance(
  context: Context,
  { definition, language, rows = LAST_ROW, ...request }: FinanceRequest,
  { scope, file, csv }: ReturnType<typeof targetOf>,
) {
  const made = new Date(context.time.now());
  const { events, lines, trips } = definition;
  const fill = async (feeds: Readonly<Record<TableSheet, TableFeed>>): Promise<FinanceReport> => {
    const work = {
      ...{ context, definition, scope, language, csv, feeds },
      ...{ rows: financeRows(context, definition, language), figures: new FinanceFigures() },
      ...{ records: exportedRecords(definition) },
      links: new LinkLists(context, lines.resource, events.resource),
      otherDays: { events: new OtherDays(events.resource), trips: new OtherDays(trips.resource) },
    };
    await fillFinance(work);
    return await financeReport(work, made);
  };
  let report: FinanceReport | undefined;
  const placed = await writeAtomically(file, async (stream) => {
    if (csv) {
      const { locale = 'nl', delimiter = SEPARATOR[locale] } = request;
      const write = openCsv(stream, { locale, delimiter, oneLine: false });
      await write([bookingHeaders(definition, language, csv)]);
      report = await fill({
        ...bySheet((sheet) => feedTo(definition[sheet].name[language], async () => {})),
        bookings: feedTo(definition.bookings.name[language], write),
      });
      return;
    }
    await writeBook(stream, file, { made, rows, language }, async (book) => {
      const overview = book.page(definition.overview[language]);
      const table = (sheet: TableSheet) => book.sheet(financeSheet(definition[sheet], language));
      const feeds = { ...bySheet(table), bookings: table('bookings') };
      const manifest = book.page(definition.manifest[language]);
      report = await fill(feeds);
      overview.write(overviewPage(report));
      manifest.write(manifestPage(report));
    });
  });
  return { report: report as unknown as FinanceReport, ...placed };
}

/** Takes the rows of a sheet that stands in no workbook. */
const feedTo = (sheet: string, write: (rows: readonly WrittenRow[]) => Promise<unknown>): TableFeed => ({
  add: async (rows) => {
    await write(rows);
  },
  ranges: async () => [],
  placeOf: (row) => ({ sheet, row: row + 1 }),
});
