import type { FinanceDefinition } from '../../../schema/finance.ts';
import type { Bilingual, Language } from '../../../schema/value.ts';
import { LAST_ROW } from '../../../workbook/limits.ts';
import { type TableFeed, writeBook } from '../../../workbook/write/write-book.ts';
import { writeAside } from '../../../workbook/write-aside.ts';
import { type Context, wallClock } from '../../context.ts';
import { checkExportTarget } from '../export-target.ts';
import { LinkLists } from '../lists/link-lists.ts';
import { OtherDays } from '../lists/other-days.ts';
import { whole } from '../whole-file.ts';
import { Figures } from './figures.ts';
import { fillFinance } from './fill-finance.ts';
import type { FinanceChanges } from './finance-changes.ts';
import { financeSheet, type WatchedCells } from './finance-rows.ts';
import { type FinanceCounted, type FinanceTotals, financeCounted, financeTotals } from './finance-totals.ts';
import { contentColumns, type FinanceWork } from './finance-work.ts';
import { manifestPage } from './manifest.ts';
import { NameBook } from './name-book.ts';
import { OddCells } from './odd-cells.ts';
import { overviewPage } from './overview.ts';
import {
  type FinanceKind,
  type FinanceSums,
  RECORD_SHEETS,
  type RecordSheet,
  remember,
} from './remembered.ts';
import { type FinanceReport, financeReport } from './report.ts';
import { countedTexts } from './texts.ts';
import { Trail } from './trail.ts';

/** What a finance export is of, and where it goes. */
export interface FinanceRequest {
  readonly definition: FinanceDefinition;
  readonly kind: FinanceKind;
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
    ...{ context, definition, kind, figures: new Figures() },
    setup: {
      ...{ names: new NameBook(context), odd: new OddCells(), language },
      watched: watchedCells(definition),
    },
    trail: new Trail(contentColumns(definition)),
    lists: {
      links: new LinkLists(),
      otherEvents: new OtherDays(definition.events.resource),
      otherTrips: new OtherDays(definition.trips.resource),
    },
  };
  const { report, place, notes } = await whole(context, file, () => writeFinance(work, request));
  const { sums, hash, changes, made, figures } = report;
  await remember(context, kind, work.trail.held({ at: made, file: place, hash, sums }));
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

interface Written {
  readonly report: FinanceReport;
  readonly place: string;
  readonly notes: readonly Bilingual[];
}

async function writeFinance(work: FinanceWork, { file, rows = LAST_ROW }: FinanceRequest): Promise<Written> {
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
