import { extname } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import { checkExportTarget, wholeOrStop } from '../export/export-target.ts';
import { periodOf, type SelectionOptions } from '../export/selection-options.ts';
import { LAST_ROW } from '../files/limits.ts';
import { writeAside } from '../files/write-aside.ts';
import { LinkLists } from '../kinds/link/link-list.ts';
import { OtherDays } from '../records/period-list.ts';
import { type Context, wallClock } from '../run/context.ts';
import type { FinanceDefinition } from '../schema/finance-definition.ts';
import { type TableFeed, writeBook } from '../xlsx/write/write-book.ts';
import { FinanceFigures } from './figures.ts';
import { fillFinance } from './fill-sheets.ts';
import { type FinanceReport, financeReport } from './finance-report.ts';
import { financeSheet, type WatchedCells } from './finance-rows.ts';
import { countedTexts } from './finance-texts.ts';
import { type FinanceCounted, type FinanceTotals, financeCounted, financeTotals } from './finance-totals.ts';
import { contentColumns, type FinanceWork } from './finance-work.ts';
import { manifestPage } from './manifest-page.ts';
import { NameBook } from './name-book.ts';
import { OddCells } from './odd-cells.ts';
import { overviewPage } from './overview-page.ts';
import { type ChangedRecord, type FinanceChanges, RecordTrail } from './record-changes.ts';
import {
  type FinanceScope,
  type FinanceSums,
  RECORD_SHEETS,
  type RecordSheet,
  rememberExport,
} from './remembered-export.ts';

/** What the user asked for, as texts. */
interface FinanceOptions extends Pick<SelectionOptions, 'from' | 'to'> {
  /** All events, not the definitive ones alone. */
  readonly all?: boolean | undefined;
  /** A workbook's name; after the period when absent. */
  readonly out?: string | undefined;
}

/** Which finance export is asked for, the workbook it goes to, and how its days were read where that is to be said. Throws StopError with EXIT.usage. */
export function financeRequest(
  { from, to, all = false, out }: FinanceOptions,
  { locale, language }: { readonly locale: Locale; readonly language: Language },
): { readonly kind: FinanceScope; readonly file: string; readonly notes: readonly Bilingual[] } {
  const period = periodOf(from, to, locale);
  if (period === null) throw stop(NO_PERIOD, NO_PERIOD_NEXT);
  const { days, notes } = period;
  const kind = { ...days, all };
  const file = out ?? `${NAMES[language]}-${days.from}-${days.to}${all ? ALL[language] : ''}.xlsx`;
  if (extname(file).toLowerCase() !== '.xlsx') throw stop(noBook(file), NO_BOOK_NEXT);
  return { kind, file, notes };
}

const NAMES: Bilingual = t('revenue', 'omzet');
const ALL: Bilingual = t('-all', '-alle');

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });

const NO_PERIOD: Bilingual = t(
  'A finance export is of a period.',
  'Een financiële export gaat over een periode.',
);
const NO_PERIOD_NEXT: Bilingual = t(
  'Write it as in --from 2026-11-01 --to 2026-11-30.',
  'Schrijf die zoals in --from 2026-11-01 --to 2026-11-30.',
);
const noBook = (file: string): Bilingual =>
  t(
    `A finance export is one workbook of several sheets; ${file === '-' ? 'stdout' : file} can’t hold it.`,
    `Een financiële export is één werkmap met meer werkbladen; ${file === '-' ? 'stdout' : file} kan die niet bevatten.`,
  );
const NO_BOOK_NEXT: Bilingual = t('Let --out end in .xlsx.', 'Laat --out eindigen op .xlsx.');

/** What a finance export is of, and where it goes. */
interface FinanceRequest {
  readonly definition: FinanceDefinition;
  readonly kind: FinanceScope;
  /** A workbook's name. */
  readonly file: string;
  /** A file that is there already is replaced. */
  readonly overwrite: boolean;
  readonly language: Language;
  /** What there is to say of how the request was read. */
  readonly notes?: readonly Bilingual[];
  /** Rows that a sheet holds, the header among them; as many as Excel's when absent. */
  readonly rows?: number;
}

/** What a finance export came to. */
export interface FinanceResult {
  readonly file: string;
  readonly format: 'xlsx';
  readonly service: string;
  readonly resource: 'finance';
  readonly period: { readonly from: string; readonly to: string };
  /** All events, or the definitive ones alone. */
  readonly all: boolean;
  /** The sheets of records: what they hold, whatever the language, and what they are called. */
  readonly sheets: readonly { readonly key: RecordSheet; readonly sheet: string; readonly rows: number }[];
  readonly sums: FinanceSums;
  readonly totals: FinanceTotals;
  readonly counted: FinanceCounted;
  /** Of the records, in hexadecimals (SHA-256). */
  readonly hash: string;
  /** Since the last finance export of the same days; null where none is known. */
  readonly changes: FinanceChanges | null;
  /** False where records may be missing, as a note says. */
  readonly complete: boolean;
  readonly requests: number;
  readonly notes: readonly Bilingual[];
  readonly ms: number;
}

/**
 * Writes what a period came to as one workbook: totals that are formulas over the sheets behind them, events, arrangements, trips, the
 * stock mutations that this program sent, and what changed since the last time. Rows go by as the lists come; of each record a stamp is
 * kept. A file that is replaced stays as it was when anything fails. Throws StopError.
 */
export async function exportFinance(context: Context, request: FinanceRequest): Promise<FinanceResult> {
  const start = performance.now();
  const { file, kind, overwrite, definition, language } = request;
  await checkExportTarget(file, overwrite);
  const work: FinanceWork = {
    ...{ context, definition, kind, figures: new FinanceFigures() },
    setup: {
      ...{ names: new NameBook(context), odd: new OddCells(), language },
      watched: watchedCells(definition),
    },
    trail: new RecordTrail(contentColumns(definition)),
    lists: {
      links: new LinkLists(),
      otherEvents: new OtherDays(definition.events.resource),
      otherTrips: new OtherDays(definition.trips.resource),
    },
  };
  const { report, place, notes } = await wholeOrStop(context, file, () => writeFinance(work, request));
  const { sums, hash, changes, made, figures } = report;
  await rememberExport(context, kind, work.trail.held({ at: made, file: place, hash, sums }));
  const counts = {
    ...{ events: figures.events.count, lines: figures.lines.count },
    ...{ trips: figures.trips.count, mutations: figures.mutations.count },
  };
  return {
    ...{ file: place, format: 'xlsx', service: context.serviceName, resource: 'finance' },
    ...{ period: { from: kind.from, to: kind.to }, all: kind.all, sums, hash, changes },
    sheets: RECORD_SHEETS.map((key) => ({ key, sheet: definition[key].name[language], rows: counts[key] })),
    ...{ totals: financeTotals(report), counted: financeCounted(work, report) },
    complete: work.lists.links.complete,
    requests: context.service.stats.requests,
    notes: [...(request.notes ?? []), ...countedTexts(report).slice(ALWAYS_SAID), ...notes],
    ms: Math.round(performance.now() - start),
  };
}

/** The first of the texts on how it was counted say the same each time. */
const ALWAYS_SAID = 3;

/** The cells by which is counted. */
function watchedCells({ events, lines, trips }: FinanceDefinition): WatchedCells {
  const { location, type, manager, noRevenue } = events;
  return {
    events: {
      ...{ [location.member]: 'id', [type.member]: 'id', [manager.member]: 'id' },
      [noRevenue]: 'flag',
    },
    lines: { [lines.price]: 'amount', [lines.quantity]: 'amount', 'line-total': 'product' },
    trips: { [trips.price]: 'amount', [trips.cost]: 'amount', [trips.distance]: 'amount' },
  };
}

interface WrittenFinance {
  readonly report: FinanceReport;
  readonly place: string;
  readonly notes: readonly Bilingual[];
}

async function writeFinance(
  work: FinanceWork,
  { file, rows = LAST_ROW }: FinanceRequest,
): Promise<WrittenFinance> {
  const { context, definition, setup } = work;
  const { language } = setup;
  const now = context.clock();
  let report: FinanceReport | undefined;
  const placed = await writeAside(file, (stream) =>
    writeBook(stream, file, { made: now, rows }, async (book) => {
      const overview = book.page(definition.overview[language]);
      const [events, lines, trips, mutations] = RECORD_SHEETS.map((name) =>
        book.sheet(financeSheet(definition[name], language)),
      ) as [TableFeed, TableFeed, TableFeed, TableFeed];
      const manifest = book.page(definition.manifest[language]);
      const feeds = { events, lines, trips, mutations };
      await fillFinance(work, feeds);
      report = await financeReport(work, feeds, wallClock(now));
      overview.write(overviewPage(report));
      manifest.write(manifestPage(report));
    }),
  );
  return { report: report as FinanceReport, ...placed };
}

/** A finance export as `--json` prints it; amounts are decimals in text. */
export interface FinanceDocument extends Omit<FinanceResult, 'notes' | 'changes'> {
  readonly notes: readonly string[];
  readonly changes:
    | (Omit<FinanceChanges, 'listed'> & {
        /** The first of them. */
        readonly records: readonly (Omit<ChangedRecord, 'was' | 'now'> & {
          readonly was: string | null;
          readonly now: string | null;
        })[];
      })
    | null;
}

/** A finance export as JSON. */
export function financeDocument(
  { notes, changes, ms, ...result }: FinanceResult,
  language: Language,
): FinanceDocument {
  return { ...result, changes: changesDocument(changes), notes: notes.map((note) => note[language]), ms };
}

function changesDocument(changes: FinanceChanges | null): FinanceDocument['changes'] {
  if (changes === null) return null;
  const { listed, ...about } = changes;
  const records = listed.map((one) => ({ ...one, was: one.was?.text ?? null, now: one.now?.text ?? null }));
  return { ...about, records };
}
