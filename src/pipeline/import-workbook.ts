import { EXIT, type ExitCode, type StopError } from '../errors.ts';
import { type Counts, closes } from '../schema/counts.ts';
import type { Bilingual, Language } from '../schema/value.ts';
import { readWorkbook } from '../workbook/read-workbook.ts';
import { type Applied, applyPlan } from './apply/apply-plan.ts';
import type { Context } from './context.ts';
import { addressOf } from './map/map-row.ts';
import { orStop } from './or-stop.ts';
import { type ImportOptions, type Plan, planImport } from './plan/plan-import.ts';
import type { SheetCounts } from './plan/plan-report.ts';
import { resultPath, writeResults } from './results/write-results.ts';

export interface ImportRequest extends ImportOptions {
  readonly file: string;
  readonly out?: string | undefined;
  readonly dryRun: boolean;
  readonly language: Language;
  /** Separator of a CSV; found when absent. */
  readonly delimiter?: string | undefined;
  /** Asked before anything is written to the service; false leaves all rows unsent. */
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined;
}

/** What an import came to; its rows are in the ledger under `plan.run`. */
export interface ImportResult {
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
  /** The result workbook's path. */
  readonly result: string;
  readonly ms: number;
}

/**
 * The main job: read, map, plan, ask, apply, write the result workbook. A dry run is the plan, not applied.
 * Throws StopError where nothing was sent; what happens after that is in the result.
 */
export async function importWorkbook(context: Context, request: ImportRequest): Promise<ImportResult> {
  const started = performance.now();
  const target = resultPath(request.file, request.out);
  const { delimiter } = request;
  const workbook = await readWorkbook(request.file, delimiter === undefined ? {} : { delimiter });
  const plan = await orStop(context, () => planImport(context, workbook, request));
  const declined = !request.dryRun && plan.requests > 0 && (await request.confirm?.(plan)) === false;
  const applied =
    request.dryRun || declined
      ? asPlanned(plan, declined)
      : await applyPlan(context, { ...plan, addressOf: addresses(plan) });
  context.onProgress?.({ stage: 'writing', done: 0, total: null });
  await writeResults(context, plan, target, request);
  const ms = Math.round(performance.now() - started);
  const { requests } = context.service.stats;
  return { plan, dryRun: request.dryRun, ...applied, declined, requests, result: target, ms };
}

function asPlanned(plan: Plan, declined: boolean): Applied {
  if (!declined) return { counts: plan.counts, sheets: plan.sheets, notes: [], stopped: null };
  const sheets = plan.sheets.map((sheet) => ({ ...sheet, counts: unsent(sheet.counts) }));
  return { counts: unsent(plan.counts), sheets, notes: [], stopped: null };
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

/** The process's exit code for a result (design: exit codes). */
export function exitCodeOf({ counts, stopped, plan, declined }: ImportResult): ExitCode {
  if (!closes(counts)) return EXIT.fault;
  if (counts.unknown > 0) return EXIT.unknown;
  if (stopped !== null) return stopped.exitCode;
  if (declined) return EXIT.ok;
  const problems = plan.recognised.some((entry) => entry.kind === 'problem');
  const { conflict, invalid, failed, notSent } = counts;
  return problems || conflict + invalid + failed + notSent > 0 ? EXIT.rows : EXIT.ok;
}
