import { asTyped, type Bilingual, type Form, type Language, t } from '../core/language.ts';
import { checkExportTarget, refuseNoBook, wholeOrStop } from '../export/export-target.ts';
import { halfPeriod, periodOf, type SelectionOptions } from '../export/selection-options.ts';
import { LAST_ROW } from '../files/limits.ts';
import { writeAtomically } from '../files/write-aside.ts';
import { LinkLists } from '../lists/lists.ts';
import { type Days, OtherDays } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import type { FinanceDefinition } from '../schema/finance-definition.ts';
import { writeBook } from '../xlsx/write/write-book.ts';
import { FinanceFigures } from './figures.ts';
import { fillFinance } from './fill-sheets.ts';
import { type FinanceReport, type FinanceTotals, financeReport } from './finance-report.ts';
import { FinanceRows, financeSheet } from './finance-rows.ts';
import { manifestPage } from './manifest-page.ts';
import { overviewPage } from './overview-page.ts';
import {
  bySheet,
  ExportedRecords,
  type FinanceChanges,
  type FinanceScope,
  RECORD_SHEETS,
  type RecordSheet,
} from './record-changes.ts';

/** The options of a finance export, as the user wrote them, and what it is made of. */
interface FinanceRequest extends Pick<SelectionOptions, 'from' | 'to' | 'locale'> {
  readonly definition: FinanceDefinition;
  readonly language: Language;
  /** How its notes are said. */
  readonly form?: Form | undefined;
  /** All events, not only the definitive ones. */
  readonly all?: boolean | undefined;
  /** The workbook's name; made from the period when absent. */
  readonly out?: string | undefined;
  /** Replaces a file that is there already. */
  readonly overwrite?: boolean | undefined;
  /** Rows of a sheet at most, its header included; Excel's limit when absent. */
  readonly rows?: number;
}

/** The period and the workbook that the options ask for. Throws StopError with EXIT.usage. */
function targetOf({ all = false, out, language, ...period }: FinanceRequest): {
  readonly scope: FinanceScope;
  readonly file: string;
} {
  const days = periodOf(period);
  if (days === null) throw halfPeriod();
  const file = out ?? `${NAMES[language]}-${days.from}-${days.to}${all ? ALL[language] : ''}.xlsx`;
  refuseNoBook(file);
  return { scope: { ...days, all }, file };
}

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
  /** The workbook’s path. */
  readonly file: string;
  /** A finance export is a workbook. */
  readonly format: 'xlsx';
  /** The base URL of the service; `sandbox` for the one on this machine. */
  readonly service: string;
  /** Tells it from the exports of records. */
  readonly resource: 'finance';
  /** The days of its events and trips. */
  readonly period: Days;
  /** All events, or only the definitive ones. */
  readonly all: boolean;
  /** The sheets of records. */
  readonly sheets: readonly {
    /** What stands in it, the same in every language. */
    readonly key: RecordSheet;
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
 * this program sent, and what changed since the last export. Rows are written as the lists come; what
 * records hold is kept packed, to tell what changed. When anything fails, the file stays as it was. Throws
 * StopError.
 */
export async function exportFinance(context: Context, request: FinanceRequest): Promise<FinanceDocument> {
  const start = context.time.steady();
  const { definition, language, form = asTyped } = request;
  const { scope, file } = targetOf(request);
  await checkExportTarget(file, request.overwrite === true);
  const written = await wholeOrStop(context, file, () => writeFinance(context, request, scope, file));
  const { report, place } = written;
  const { sums, hash, changes, figures, totals } = report;
  await report.records.save(context, scope, { at: report.made, file: place, hash, sums });
  const { events, lines, trips, mutations, noRevenue, elsewhere } = figures;
  const rows = { events, lines, trips: trips.price, mutations };
  const plain = ({ count, amount }: typeof elsewhere): CountedSum => ({ count, amount: amount.toFixed() });
  return {
    ...{ file: place, format: 'xlsx', service: context.serviceName, resource: 'finance' },
    ...{ period: { from: scope.from, to: scope.to }, all: scope.all },
    sheets: RECORD_SHEETS.map((key) => ({
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
    notes: [...report.notes, ...written.notes].map((note) => form(note)[language]),
    ms: Math.round(context.time.steady() - start),
  };
}

async function writeFinance(
  context: Context,
  { definition, language, rows = LAST_ROW }: FinanceRequest,
  scope: FinanceScope,
  file: string,
) {
  const made = new Date(context.time.now());
  const { events, lines, trips } = definition;
  let report: FinanceReport | undefined;
  const placed = await writeAtomically(file, (stream) =>
    writeBook(stream, file, { made, rows, language }, async (book) => {
      const overview = book.page(definition.overview[language]);
      const feeds = bySheet((sheet) => book.sheet(financeSheet(definition[sheet], language)));
      const manifest = book.page(definition.manifest[language]);
      const work = {
        ...{ context, definition, scope, language, feeds },
        ...{ rows: new FinanceRows(context, definition, language), figures: new FinanceFigures() },
        ...{ records: new ExportedRecords(definition) },
        links: new LinkLists(context, lines.resource, events.resource),
        otherDays: { events: new OtherDays(events.resource), trips: new OtherDays(trips.resource) },
      };
      await fillFinance(work);
      report = await financeReport(work, made);
      overview.write(overviewPage(report));
      manifest.write(manifestPage(report));
    }),
  );
  return { report: report as FinanceReport, ...placed };
}
