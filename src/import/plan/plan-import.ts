import type { Counts } from '../../core/counts.ts';
import type { Bilingual } from '../../core/language.ts';
import type { Locale } from '../../core/value.ts';
import { finderOf, kindOf } from '../../kinds/kinds.ts';
import type { PlanRules, ResourcePlanning, SourceSummary } from '../../records/planning.ts';
import { createReferences } from '../../records/references.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { openLookupLists } from '../../run/lookup-lists.ts';
import { newRunId } from '../../run/runs.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Service } from '../../service/service.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import type { Lineage } from '../baseline/lineage.ts';
import { type OpenBaseline, openBaseline } from '../baseline/open-baseline.ts';
import type { HeaderWishes } from '../map/header-row.ts';
import { createNameResolver } from '../map/lookup-names.ts';
import type { MapOptions } from '../map/map-row.ts';
import { newReading, type SheetReading } from '../map/read-rows.ts';
import { type ImportSheet, type RecognisedSheet, recogniseSheets } from '../map/recognise.ts';
import { resourcesOf } from '../map/sheet-by-headers.ts';
import type { SetValue } from '../map/sheet-mapping.ts';
import { sheetNotes } from '../map/sheet-notes.ts';
import { nothingToImport, refuseEmpty } from './nothing-to-send.ts';
import {
  createPlanReporter,
  type IssueGroup,
  type PlanNote,
  type SheetCounts,
  totalCounts,
} from './plan-report.ts';
import { planSheet } from './plan-sheet.ts';

export interface ImportOptions
  extends MapOptions,
    HeaderWishes,
    Pick<PlanRules, 'allowDelete' | 'onConflict' | 'folder'> {
  /** The command whose sheets are meant; those of an import when absent. */
  readonly command?: string | undefined;
  readonly as?: Resource | undefined;
  readonly only: readonly string[];
  /** Nothing is to be sent, whatever the plan says. */
  readonly dryRun?: boolean | undefined;
  readonly set: readonly SetValue[];
}

/** A plan: saved in the ledger under its run, row by row; here is what it comes to. */
export interface Plan {
  readonly run: string;
  /** The service it was made for, as the ledger calls it. */
  readonly service: string;
  readonly workbook: Workbook;
  /** How its numbers were read where they are text; results show them the same way. */
  readonly locale: Locale;
  /** Every sheet of the workbook and what it was taken for. */
  readonly recognised: readonly RecognisedSheet[];
  /** How far each imported sheet reaches, by sheet name. */
  readonly readings: ReadonlyMap<string, SheetReading>;
  readonly counts: Counts;
  readonly sheets: readonly SheetCounts[];
  readonly groups: readonly IssueGroup[];
  /** What there is to know about how the file was read. */
  readonly notes: readonly PlanNote[];
  /** Requests that the plan will send. */
  readonly requests: number;
  /** About how long that will take, ms; null when it is not known. */
  readonly estimateMs: number | null;
  /** What became of its file, where that is not what it was and a result can be made of the plan alone; null where it is. */
  readonly planOnly: Bilingual | null;
  /** The runs that sent the same workbook before; null where it does not say what its records were. */
  readonly lineage: Lineage | null;
  /** How existing records were read, by resource name. */
  readonly sources: ReadonlyMap<string, SourceSummary>;
}

/**
 * Reads, maps and plans a workbook; nothing is sent but reads. The plan is saved in the ledger as it is made.
 * Throws StopError with EXIT.file for a file that holds no row to send, EXIT.service when the service cannot answer.
 */
export async function planImport(
  context: Context,
  workbook: Workbook,
  options: ImportOptions,
): Promise<Plan> {
  const { resources: known } = context;
  const recognising = { ...options, known, resources: resourcesOf(context, options.command) };
  const recognised = await recogniseSheets(workbook, recognising);
  const chosen = inSendingOrder(context.resources, recognised);
  if (chosen.length === 0) throw nothingToImport(workbook, recognised, recognising);
  const { base, notes, lineage } = await openBaseline(context, workbook, {
    ...{ run: resultOf(recognised), onConflict: options.onConflict, command: options.command != null },
  });
  const run = newRunId(context.clock());
  await context.ledger.startRun({
    run,
    service: context.serviceKey,
    file: workbook.file,
    startedAt: wallClock(context.clock()),
  });
  const { readings, plannings, report } = await planSheets(context, { run, chosen, base, options });
  const counts = totalCounts(report.sheets);
  await context.ledger.setRunState(run, 'planned', counts);
  const trial = options.dryRun === true;
  await base.shown?.remember(context, { run, file: workbook.file, at: base.at, trial });
  const plan = {
    run,
    service: context.serviceName,
    workbook,
    locale: options.locale,
    recognised,
    readings,
    counts,
    ...report,
    estimateMs: estimateMs(report.requests, context.service.stats),
    notes: [
      ...notes.map((text) => ({ sheet: null, text })),
      ...chosen.flatMap((entry) => notesOf(entry, readings, base)),
    ],
    sources: summaries(plannings),
    lineage,
    planOnly: null,
  };
  refuseEmpty(plan, options.command != null);
  return plan;
}

/** Plans the sheets one after the other, so that rows can refer to what earlier sheets create. */
async function planSheets(
  context: Context,
  {
    run,
    chosen,
    base,
    options,
  }: { run: string; chosen: ImportSheet[]; base: OpenBaseline; options: ImportOptions },
) {
  const readings = new Map<string, SheetReading>();
  const plannings = new Map<string, ResourcePlanning>();
  const reporter = createPlanReporter();
  const lists = openLookupLists(context);
  const resolveNames = createNameResolver(lists);
  const references = createReferences(context, run, finderOf);
  const { allowDelete, strict, onConflict, folder, locale } = options;
  const rules = { dialect: context.dialect, allowDelete, strict, onConflict, folder, locale };
  const shared = { context, run, base, options, rules, references, resolveNames, lists };
  let seq = 0;
  for (const { sheet, mapping } of chosen) {
    const reading = newReading();
    readings.set(sheet.name, reading);
    const { resource } = mapping;
    const count = reporter.addSheet(sheet.name, resource.name);
    const planning = plannings.get(resource.name) ?? kindOf(resource).plan(context, resource, run);
    plannings.set(resource.name, planning);
    await planSheet({
      ...{ ...shared, sheet, mapping, reading, planning },
      nextSeq: () => seq++,
      onPlanned: (row) => {
        count(row);
        if (seq % 100 === 0) context.onProgress?.({ stage: 'reading', done: seq, total: null });
      },
    });
  }
  return { readings, plannings, report: reporter.report() };
}

/** The run whose result the workbook is, by its summary. */
function resultOf(recognised: readonly RecognisedSheet[]): string | undefined {
  const runs = recognised.map((entry) => (entry.kind === 'skip' ? entry.run : undefined));
  return runs.find((run) => run !== undefined);
}

function notesOf(
  entry: ImportSheet,
  readings: ReadonlyMap<string, SheetReading>,
  { emptied }: OpenBaseline,
): PlanNote[] {
  const { name } = entry.sheet;
  const reading = readings.get(name) ?? newReading();
  const texts = [...sheetNotes(entry, reading), ...(emptied?.notes(name) ?? [])];
  return texts.map((text) => ({ sheet: name, text }));
}

function summaries(plannings: ReadonlyMap<string, ResourcePlanning>): ReadonlyMap<string, SourceSummary> {
  return new Map([...plannings].map(([name, planning]) => [name, planning.summary()]));
}

/** Sheets in the order of their resources, so that what others refer to is sent first. */
function inSendingOrder(
  resources: readonly Resource[],
  recognised: readonly RecognisedSheet[],
): ImportSheet[] {
  const sheets = recognised.filter((sheet): sheet is ImportSheet => sheet.kind === 'import');
  return resources.flatMap((resource) =>
    sheets.filter(({ mapping }) => mapping.resource.name === resource.name),
  );
}

/**
 * About how long so many requests will take, ms, by how quickly the service answered so far, how many may be in flight
 * and how many a second; null when it has not answered yet.
 */
export function estimateMs(
  requests: number,
  { latency, limit, rate }: Pick<Service['stats'], 'latency' | 'limit' | 'rate'>,
): number | null {
  if (requests === 0) return 0;
  if (latency === null) return null;
  return Math.round(Math.max((requests * latency) / limit, (requests * 1000) / rate));
}
