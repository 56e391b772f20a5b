import { extname } from 'node:path';
import { usageStop } from '../core/errors.ts';
import { asTyped, type Bilingual, type Form, type Language, t, withFlag } from '../core/language.ts';
import type { ExportResult } from '../export/export-records.ts';
import { checkExportTarget, wholeOrStop } from '../export/export-target.ts';
import { periodOf, type SelectionOptions } from '../export/selection-options.ts';
import { LAST_ROW } from '../files/limits.ts';
import { writeAtomically } from '../files/write-aside.ts';
import { LinkLists } from '../lists/link-list.ts';
import { type Days, monthsOf, OtherDays } from '../records/listing.ts';
import { type Context, wallClock } from '../run/context.ts';
import { writeBook } from '../xlsx/write/write-book.ts';
import {
  bySheet,
  type FinanceScope,
  RECORD_SHEETS,
  type RecordSheet,
  saveSnapshot,
} from './export-snapshot.ts';
import { FinanceFigures } from './figures.ts';
import { fillFinance } from './fill-sheets.ts';
import { type FinanceReport, financeReport } from './finance-report.ts';
import { financeSheet } from './finance-rows.ts';
import { countedTexts } from './finance-texts.ts';
import { type FinanceCounted, type FinanceTotals, financeCounted, financeTotals } from './finance-totals.ts';
import type { FinanceWork } from './finance-work.ts';
import { manifestPage } from './manifest-page.ts';
import { NameLookup } from './name-lookup.ts';
import { OddCells } from './odd-cells.ts';
import { overviewPage } from './overview-page.ts';
import { SnapshotBuilder } from './record-changes.ts';

/** The options of a finance export, as the user wrote them. */
interface FinanceOptions extends Pick<SelectionOptions, 'from' | 'to' | 'locale'> {
  /** All events, not only the definitive ones. */
  readonly all?: boolean | undefined;
  /** The workbook's name; made from the period when absent. */
  readonly out?: string | undefined;
}

/** The period and the workbook that the options ask for. Throws StopError with EXIT.usage. */
export function financeRequest(
  { all = false, out, ...period }: FinanceOptions,
  language: Language,
): { readonly scope: FinanceScope; readonly file: string } {
  const days = periodOf(period);
  if (days === null) throw usageStop(NO_PERIOD, NO_PERIOD_NEXT);
  if (monthsOf(days).length > MOST_MONTHS) throw usageStop(TOO_LONG, TOO_LONG_NEXT);
  const scope = { ...days, all };
  const file = out ?? `${NAMES[language]}-${days.from}-${days.to}${all ? ALL[language] : ''}.xlsx`;
  if (extname(file).toLowerCase() !== '.xlsx') throw usageStop(noBook(file), NO_BOOK_NEXT);
  return { scope, file };
}

const NAMES: Bilingual = t('revenue', 'omzet');
const ALL: Bilingual = t('-all', '-alle');

/** Each has a column in the overview. */
const MOST_MONTHS = 36;
const TOO_LONG: Bilingual = t(
  'A finance export is of three years at most.',
  'Een financiële export gaat over hoogstens drie jaar.',
);
const TOO_LONG_NEXT: Bilingual = t('Make one of each year.', 'Maak er een van elk jaar.');

const NO_PERIOD: Bilingual = t(
  'A finance export is of a period.',
  'Een financiële export gaat over een periode.',
);
const NO_PERIOD_NEXT: Bilingual = withFlag(
  t('Give its first and its last day.', 'Geef de eerste en de laatste dag.'),
  '--from 2026-11-01 --to 2026-11-30',
);
const noBook = (file: string): Bilingual =>
  t(
    `A finance export is one workbook of several sheets; ${file === '-' ? 'stdout' : file} can’t hold it.`,
    `Een financiële export is één werkmap met meer werkbladen; ${file === '-' ? 'stdout' : file} kan die niet bevatten.`,
  );
const NO_BOOK_NEXT: Bilingual = withFlag(
  t('Choose a name that ends in .xlsx.', 'Kies een naam die eindigt op .xlsx.'),
  '--out',
);

interface FinanceRequest extends Pick<FinanceWork, 'definition' | 'scope' | 'language'> {
  readonly file: string;
  /** Replaces a file that is there already. */
  readonly overwrite: boolean;
  /** Rows of a sheet at most, its header included; Excel's limit when absent. */
  readonly rows?: number;
}

/** What a finance export came to. */
export interface FinanceResult
  extends Pick<ExportResult, 'service' | 'complete' | 'requests' | 'notes' | 'ms'>,
    Pick<FinanceReport, 'sums' | 'hash' | 'changes'> {
  /** The workbook’s path. */
  readonly file: string;
  /** A finance export is a workbook. */
  readonly format: 'xlsx';
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
  /** The revenue of the overview, divided four times. */
  readonly totals: FinanceTotals;
  /** Whether the revenue is all of it. */
  readonly counted: FinanceCounted;
}

/**
 * Writes a period as one workbook: totals by formulas, events, arrangements, trips, the stock mutations that
 * this program sent, and what changed since the last export. Rows are written as the lists come; what
 * records hold is kept packed, to tell what changed. When anything fails, the file stays as it was. Throws
 * StopError.
 */
export async function exportFinance(context: Context, request: FinanceRequest): Promise<FinanceResult> {
  const start = context.time.steady();
  const { scope, definition, language } = request;
  await checkExportTarget(request.file, request.overwrite);
  const written = await wholeOrStop(context, request.file, () => writeFinance(context, request));
  const { report, place: file, notes } = written;
  const { sums, hash, changes, figures } = report;
  await saveSnapshot(context, scope, report.snapshot.build({ at: report.made, file, hash, sums }));
  const counts = {
    ...{ events: figures.events.revenue.count, lines: figures.lines.count },
    ...{ trips: figures.trips.price.count, mutations: figures.mutations.count },
  };
  return {
    ...{ file, format: 'xlsx', service: context.serviceName, resource: 'finance' },
    ...{ period: { from: scope.from, to: scope.to }, all: scope.all, sums, hash },
    sheets: RECORD_SHEETS.map((key) => ({ key, sheet: definition[key].name[language], rows: counts[key] })),
    ...{ totals: financeTotals(report), counted: financeCounted(report), complete: report.links.complete },
    ...{ requests: context.service.stats.requests, changes },
    notes: [...countedTexts(report).slice(ALWAYS_SAID), ...notes],
    ms: Math.round(context.time.steady() - start),
  };
}

/** The first texts on how it was counted are the same for every export: no notes. */
const ALWAYS_SAID = 3;

async function writeFinance(
  context: Context,
  { definition, scope, language, file, rows = LAST_ROW }: FinanceRequest,
) {
  const made = new Date(context.time.now());
  const { events, trips } = definition;
  let report: FinanceReport | undefined;
  const placed = await writeAtomically(file, (stream) =>
    writeBook(stream, file, { made, rows, language }, async (book) => {
      const overview = book.page(definition.overview[language]);
      const feeds = bySheet((sheet) => book.sheet(financeSheet(definition[sheet], language)));
      const manifest = book.page(definition.manifest[language]);
      const work: FinanceWork = {
        ...{ context, definition, scope, language, feeds },
        ...{ names: new NameLookup(context), odd: new OddCells(), figures: new FinanceFigures() },
        ...{
          snapshot: new SnapshotBuilder(definition),
          links: new LinkLists(context, definition.lines.resource, definition.events.resource),
        },
        otherDays: { events: new OtherDays(events.resource), trips: new OtherDays(trips.resource) },
      };
      await fillFinance(work);
      report = await financeReport(work, wallClock(made));
      overview.write(overviewPage(report));
      manifest.write(manifestPage(report));
    }),
  );
  return { report: report as FinanceReport, ...placed };
}

/** A finance export as `--json` prints it; amounts are decimals in text. */
export interface FinanceDocument extends Omit<FinanceResult, 'notes'> {
  /** What there is to know about it, in the language of `lang`. */
  readonly notes: readonly string[];
}

/** A finance export as `--json` prints it. */
export function financeDocument(
  result: FinanceResult,
  language: Language,
  form: Form = asTyped,
): FinanceDocument {
  return { ...result, notes: result.notes.map((note) => form(note)[language]) };
}
