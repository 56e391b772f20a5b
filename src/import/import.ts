import { type Counts, closes } from '../core/counts.ts';
import { EXIT, type ExitCode, type StopError } from '../core/errors.ts';
import type { Bilingual, Language } from '../core/language.ts';
import { addressOf } from '../records/mapped-row.ts';
import type { Context } from '../run/context.ts';
import { orStop, stopOf } from '../run/stop.ts';
import { readWorkbook } from '../workbook/read-workbook.ts';
import { type Applied, applyPlan } from './apply/apply-plan.ts';
import { rememberLineage } from './baseline/lineage.ts';
import { type HeaderSources, knownHeaders } from './map/header-names.ts';
import { fileNotes } from './map/sheet-notes.ts';
import { type ImportOptions, type Plan, planImport } from './plan/plan-import.ts';
import type { SheetCounts } from './plan/plan-report.ts';
import { type CsvWishes, csvOptions, savePlanDetails } from './plan/saved-plan.ts';
import { checkReport, NO_REPORT, type WrittenReport, writeReport } from './report/write-report.ts';
import {
  checkSheets,
  checkTarget,
  freePlace,
  planResultPath,
  rememberResult,
  resultKind,
  resultPath,
} from './results/result-place.ts';
import { checkRoom } from './results/result-room.ts';
import { type Written, writeResults } from './results/write-results.ts';
import { rememberTakenBack } from './undo/taken-back-run.ts';

/** What is to be imported, and how. */
export interface ImportRequest extends ImportOptions, HeaderSources, CsvWishes {
  readonly file: string;
  /** Where the result goes; beside the file when absent. */
  readonly out?: string | undefined;
  readonly dryRun: boolean;
  readonly language: Language;
  /** Only the rows that need work are to be seen in the result. */
  readonly onlyProblems?: boolean | undefined;
  /** Where a page that tells what the import came to goes; none when absent. */
  readonly report?: string | undefined;
  /** Asked before anything is written to the service; false leaves all rows unsent. */
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined;
}

/**
 * What an import came to; its rows are in the ledger under `plan.run`. `result` is the result workbook's path, and null
 * where it could not be written; `resultError` then says why.
 */
export type ImportResult = ImportSummary & Written & WrittenReport;

interface ImportSummary {
  readonly plan: Plan;
  readonly dryRun: boolean;
  readonly counts: Counts;
  readonly sheets: readonly SheetCounts[];
  readonly notes: readonly Bilingual[];
  readonly stopped: StopError | null;
  /** The user said no to sending. */
  readonly declined: boolean;
  /** Requests sent to the service, reads included. */
  readonly requests: number;
  readonly ms: number;
}

/**
 * The main job: read, map, plan, ask, apply, write the result workbook. A dry run is the plan, not applied.
 * Throws StopError where nothing was sent; what happens after that is in the result.
 */
export async function importWorkbook(context: Context, request: ImportRequest): Promise<ImportResult> {
  const started = performance.now();
  const plan = await planFile(context, request);
  const declined = !request.dryRun && plan.requests > 0 && (await request.confirm?.(plan)) === false;
  const result = await finishImport(context, plan, { ...request, dryRun: request.dryRun || declined });
  const counts = declined ? asDeclined(plan) : {};
  return {
    ...result,
    ...counts,
    dryRun: request.dryRun,
    declined,
    ms: Math.round(performance.now() - started),
  };
}

/** The first half: reads and plans a file. Throws StopError; nothing is sent but reads. */
export async function planFile(context: Context, request: ImportRequest): Promise<Plan> {
  const { file, out, report } = request;
  const target = resultPath(file, out);
  const known = await knownHeaders(context, request);
  const options = { ...request, names: known.names };
  const workbook = await readWorkbook(file, csvOptions(request));
  await checkTarget(file, target);
  if (report !== undefined) await checkReport(report, file, target);
  const planned = await orStop(context, () => planImport(context, workbook, options));
  checkSheets(target, planned.sheets);
  checkRoom(target, planned);
  const plan = { ...planned, notes: [...fileNotes(planned, known, request), ...planned.notes] };
  await savePlanDetails(context, plan, options);
  await known.remember();
  return plan;
}

/**
 * The second half: sends a plan, unless it is a dry run, and writes the result workbook. Throws StopError where nothing
 * was sent, as the result could not be written.
 */
export async function finishImport(
  context: Context,
  plan: Plan,
  request: Pick<ImportRequest, 'out' | 'dryRun' | 'language' | 'onlyProblems' | 'report'>,
): Promise<ImportResult> {
  const started = performance.now();
  const { dryRun, onlyProblems, report, language } = request;
  const { planOnly } = plan;
  const kind = resultKind(request);
  const toPath = planOnly === null ? resultPath : planResultPath;
  const usual = toPath(plan.workbook.file, request.out);
  const { target, notes: placeNotes } =
    request.out === undefined ? await freePlace(context, usual, kind) : { target: usual, notes: [] };
  // Once more: a plan may be older than what stands there now.
  await checkTarget(plan.workbook.file, target, planOnly !== null);
  checkSheets(target, plan.sheets);
  if (report !== undefined) await checkReport(report, plan.workbook.file, target);
  if (!dryRun) {
    await rememberLineage(context, plan, [plan.workbook.file]);
    await rememberTakenBack(context, { run: plan.run, undoes: plan.lineage?.undoes ?? null });
  }
  const applied = dryRun
    ? asPlanned(plan)
    : await applyPlan(context, { ...plan, addressOf: addresses(plan) });
  const wording = { dryRun, language, locale: plan.locale };
  context.onProgress?.({ stage: 'writing', done: 0, total: null });
  const written = await writeResults(context, plan, applied.sheets, target, { ...wording, onlyProblems });
  const reported =
    report === undefined ? NO_REPORT : await writeReport(context, { plan, ...applied, wording }, report);
  const unwritten = await stopOf(async () => {
    if (written.result !== null) await rememberResult(context, written.result, kind);
    // What is made from the plan is no copy of the workbook.
    if (!dryRun && planOnly === null) await rememberLineage(context, plan, [written.result]);
  });
  const stopped = applied.stopped ?? unwritten;
  const ms = Math.round(performance.now() - started);
  const { requests } = context.service.stats;
  const notes = [
    ...applied.notes,
    ...(written.result === null ? [] : placeNotes),
    ...written.resultNotes,
    ...reported.reportNotes,
  ];
  return { plan, ...applied, ...written, ...reported, stopped, notes, dryRun, declined: false, requests, ms };
}

function asPlanned({ counts, sheets }: Plan): Applied {
  return { counts, sheets, notes: [], stopped: null };
}

/** The user looked at the plan and said no: nothing of it was sent. */
function asDeclined(plan: Plan): Pick<Applied, 'counts' | 'sheets'> {
  const sheets = plan.sheets.map((sheet) => ({ ...sheet, counts: unsent(sheet.counts) }));
  return { counts: unsent(plan.counts), sheets };
}

function unsent(counts: Counts): Counts {
  const notSent = counts.created + counts.updated + counts.deleted;
  return { ...counts, created: 0, updated: 0, deleted: 0, notSent };
}

function addresses(plan: Plan): (planned: { sheet: string; row: number }, field: string) => string | null {
  const mappings = new Map(
    plan.recognised.flatMap((entry) =>
      entry.kind === 'import' ? [[entry.sheet.name, entry.mapping] as const] : [],
    ),
  );
  return ({ sheet, row }, field) => {
    const mapping = mappings.get(sheet);
    return mapping === undefined ? null : addressOf(mapping, field, row);
  };
}

/** The process's exit code for a result (design: exit codes); a result that could not be written is the least of it. */
export function exitCodeOf(result: ImportResult): ExitCode {
  const { counts, stopped, plan, declined, resultError, reportError } = result;
  if (!closes(counts)) return EXIT.fault;
  if (counts.unknown > 0) return EXIT.unknown;
  if (stopped !== null) return stopped.exitCode;
  const written = resultError?.exitCode ?? reportError?.exitCode ?? EXIT.ok;
  if (declined) return written;
  const problems = plan.recognised.some((entry) => entry.kind === 'problem');
  const { conflict, invalid, failed, notSent } = counts;
  return problems || conflict + invalid + failed + notSent > 0 ? EXIT.rows : written;
}
