import { columnFromLetters } from '../core/cell.ts';
import { type Counts, closes } from '../core/counts.ts';
import { EXIT, type ExitCode, type StopError } from '../core/errors.ts';
import type { Bilingual, Form, Language } from '../core/language.ts';
import { type SheetCounts, unnamedIn } from '../core/plan-report.ts';
import { resultPath } from '../files/file-name.ts';
import type { Context } from '../run/context.ts';
import { caughtStop, orStop } from '../run/stop.ts';
import { madeIn, moneyIn } from '../schema/resource.ts';
import type { Workbook } from '../workbook/read-workbook.ts';
import { type Applied, applyPlan, beginSending, rememberTold } from './apply/apply-plan.ts';
import { rememberSending } from './baseline/open-baseline.ts';
import { type Ceilings, overCeiling } from './ceiling.ts';
import { type CellCorrection, correctedWorkbook } from './correct/corrected-workbook.ts';
import { closeRuns, reopenRows } from './earlier-runs.ts';
import { type HeaderSources, type KnownHeaders, UNUSED } from './map/header-names.ts';
import type { Proposals } from './map/header-proposals.ts';
import { refuseEmpty } from './map/nothing-to-send.ts';
import { proposalsOf, recogniseSheets } from './map/recognise.ts';
import { resourcesOf } from './map/sheet-by-headers.ts';
import { chosenNames } from './map/sheet-choices.ts';
import { CREATE_UNNAMED } from './map/sheet-mapping.ts';
import { fileNotes, textNotes } from './map/sheet-notes.ts';
import { openFile, refuseBeside } from './open-file.ts';
import { fingerprintOf } from './plan/fingerprint.ts';
import { type ImportOptions, type Plan, planImport } from './plan/plan-import.ts';
import {
  type CsvWishes,
  givenReading,
  type SentPlan,
  savePlanDetails,
  sentPlanOf,
} from './plan/saved-plan.ts';
import { checkReport, NO_REPORT, type WrittenReport, writeReport } from './report/write-report.ts';
import { checkRoom, checkSheets, checkTarget, placeResult, rememberResult } from './results/result-place.ts';
import { NO_RESULT, type Written, writeResults } from './results/write-results.ts';

/** What is to be imported, and how. */
export interface ImportRequest extends ImportOptions, HeaderSources, CsvWishes, Ceilings {
  readonly file: string;
  /** Where the result goes; beside the file when absent. */
  readonly out?: string | undefined;
  readonly dryRun: boolean;
  readonly language: Language;
  /** Cells that the user corrected since the file was saved. */
  readonly corrections?: readonly CellCorrection[] | undefined;
  /** The result shows only the rows that need work. */
  readonly onlyProblems?: boolean | undefined;
  /** Where the report, an HTML page, goes; none when absent. */
  readonly report?: string | undefined;
  /** Asked before anything is written to the service; false leaves all rows unsent. */
  readonly confirm?: ((plan: Plan) => Promise<boolean>) | undefined;
  /** Asked while the file is read; absent where nobody can answer. */
  readonly questions?: ReadQuestions | undefined;
  /** How the result and the report are said; with commands where it is absent. */
  readonly form?: Form | undefined;
  /** Sends the plan; this program does where it is absent. */
  readonly send?: Send | undefined;
}

/** What is asked while a file is read. */
export interface ReadQuestions {
  /** Whether the headers that are proposed are taken. */
  takeHeaders: (proposed: Proposals) => Promise<boolean>;
  /** Whether rows that name no record, and have all that a new one needs, are created. */
  createUnnamed(sheets: ReturnType<typeof unnamedIn>): Promise<boolean>;
}

/**
 * What an import came to; its rows are in the ledger under `plan.run`. `result` is the result workbook's
 * path, null where none is made, or it could not be written: `resultError` then says why.
 */
export type ImportResult = ImportSummary & Written & WrittenReport;

interface ImportSummary {
  readonly plan: Plan;
  /** What the plan is known by. */
  readonly fingerprint: string;
  readonly dryRun: boolean;
  readonly counts: Counts;
  readonly sheets: readonly SheetCounts[];
  readonly notes: readonly Bilingual[];
  readonly stopped: StopError | null;
  /** Others send it still. */
  readonly busy?: boolean;
  /** Nothing was sent: the user said no, or a ceiling did. */
  readonly declined: boolean;
  /** Requests sent to the service, reads included. */
  readonly requests: number;
  readonly ms: number;
}

/**
 * The whole story: read, map, plan, ask, apply, write the results and the report. A dry run is the plan, not
 * applied. Throws StopError where nothing was sent; what happens after that is in the result.
 */
export async function importWorkbook(context: Context, request: ImportRequest): Promise<ImportResult> {
  const since = context.time.steady();
  const plan = await planFile(context, request);
  // What the user takes to answer is no time of the run.
  const planned = context.time.steady() - since;
  const over = request.dryRun ? null : overCeiling(plan, request);
  const isAsked = !request.dryRun && plan.requests > 0;
  const declined = over !== null || (isAsked && (await request.confirm?.(plan)) === false);
  const result = await finishImport(context, plan, { ...request, dryRun: request.dryRun || declined });
  const counts = declined ? asDeclined(plan) : {};
  const stopped = over ?? result.stopped;
  const ms = Math.round(planned) + result.ms;
  return { ...result, ...counts, stopped, dryRun: request.dryRun, declined, ms };
}

/** The first half: reads a file, maps and plans its rows. Throws StopError; only reads are sent. */
export async function planFile(context: Context, request: ImportRequest): Promise<Plan> {
  const { workbook: read, headers, given } = await openFile(context, request);
  const { workbook, kept } = correctedWorkbook(read, request.corrections ?? [], request.locale);
  await refuseBeside(context, workbook);
  const target = await checkPlaces(request);
  const known = { ...request, names: headers.names, ...given };
  let options = { ...known, choices: await askHeaders(context, workbook, known, headers) };
  let planned = await orStop(context, () => planImport(context, workbook, options));
  const unnamed = unnamedIn(planned.groups.map((group) => ({ ...group, code: group.issue.code })));
  if (unnamed.length > 0 && (await request.questions?.createUnnamed(unnamed)) === true) {
    options = { ...options, set: [...options.set, CREATE_UNNAMED] };
    planned = await orStop(context, () => planImport(context, workbook, options));
  }
  refuseEmpty(planned);
  checkSheets(target, planned.sheets);
  checkRoom(target, planned);
  const asText = textNotes(read).map((text) => ({ sheet: null, text }));
  const notes = [...asText, ...fileNotes(planned, headers, request), ...planned.notes];
  const corrections = request.corrections && kept();
  const plan = { ...planned, notes, corrections, given: givenReading(options) };
  await savePlanDetails(context, plan, options);
  const chosen = planned.recognised.flatMap((one) =>
    one.kind === 'import' ? chosenNames(one.mapping.resource, one.mapping.headers) : [],
  );
  await headers.remember(chosen);
  return plan;
}

/** What the user takes of what is proposed for a file's columns; a refusal is remembered. */
async function askHeaders(
  context: Context,
  workbook: Workbook,
  { questions, choices = [], ...options }: ImportRequest,
  { remember }: KnownHeaders,
): Promise<ImportRequest['choices']> {
  if (questions === undefined) return choices;
  const wishes = { ...options, choices, resources: resourcesOf(context, options.command) };
  const proposed = proposalsOf(await recogniseSheets(workbook, { ...wishes, known: context.resources }));
  if (proposed === undefined || proposed.map === null) return choices;
  const isTaken = await questions.takeHeaders(proposed);
  const sheets = proposed.sheets.map(({ columns, ...sheet }) => ({
    ...sheet,
    columns: columns.filter(({ isOpen }) => !isOpen),
  }));
  if (isTaken)
    return [
      ...choices,
      ...sheets.map(({ sheet, resource, columns }) => ({
        ...{ sheet, as: resource },
        columns: columns.map(({ column, fields: [field = null] }) => ({
          ...{ column: columnFromLetters(column), field },
        })),
      })),
    ];
  // An interruption is no answer.
  if (context.signal?.aborted !== true)
    await remember(
      sheets.flatMap(({ resource, columns }) =>
        columns.map(({ header }) => ({ header, resource, field: UNUSED })),
      ),
    );
  return choices;
}

/** Takes up a plan that is sent for somebody else: also what a worker before could not finish, or tell. */
export async function beginForOthers(context: Context, plan: SentPlan): Promise<void> {
  await reopenRows(context, plan.run, { resend: [], done: [] });
  await rememberSent(context, plan);
  await rememberTold(context, plan);
}

/** Applies such a plan; who handed it over writes its results. Whatever ends it early is in `stopped`. */
export async function sendForOthers(context: Context, plan: SentPlan): Promise<Applied> {
  await reopenRows(context, plan.run, { resend: [], done: [] });
  const applied = await applyPlan(context, plan);
  const unwritten = await caughtStop(() => closeRuns(context, plan));
  return { ...applied, stopped: applied.stopped ?? unwritten };
}

/** How a plan is sent: here, or elsewhere while this program waits for it. */
type Send = (context: Context, plan: Plan) => Promise<Applied>;

/**
 * The second half: applies a plan, unless it is a dry run, and writes the results and the report. Throws
 * StopError where nothing was sent, as the result could not be written.
 */
export async function finishImport(
  context: Context,
  plan: Plan,
  request: Pick<ImportRequest, 'out' | 'dryRun' | 'language' | 'form' | 'onlyProblems' | 'report' | 'send'>,
): Promise<ImportResult> {
  const since = context.time.steady();
  const { dryRun, onlyProblems, report, language, form, send } = request;
  // Once more: a plan may be older than what stands there now.
  const place = await placeResult(context, plan, request);
  if (report !== undefined) await checkReport(report, plan.workbook.file, place.target);
  const sendHere: Send = async () => {
    const sent = sentPlanOf(plan);
    await rememberSent(context, sent);
    return await applyPlan(context, sent);
  };
  const applied = dryRun ? asPlanned(plan) : await (send ?? sendHere)(context, plan);
  context.onProgress?.({ stage: 'writing', done: 0, total: null });
  const wording = {
    ...{ dryRun, language, form },
    locale: plan.locale,
    isMoney: moneyIn(context.resources),
    madeBy: madeIn(context.resources),
    busy: applied.busy,
  };
  const shown = { ...wording, onlyProblems };
  const written =
    place.target === null
      ? NO_RESULT
      : await writeResults(context, plan, applied.sheets, place.target, shown);
  const fingerprint = await fingerprintOf(context.ledger, plan);
  const reported =
    report === undefined
      ? NO_REPORT
      : await writeReport(context, { plan, ...applied, wording, fingerprint }, report);
  const unwritten = await caughtStop(() =>
    rememberWritten(context, plan, { ...request, sent: sentAny(applied) }, written),
  );
  const placeNotes = written.resultError === null ? place.notes : [];
  return {
    ...{ plan, fingerprint, ...applied, ...written, ...reported, dryRun, declined: false },
    stopped: applied.stopped ?? unwritten,
    notes: [...applied.notes, ...placeNotes, ...written.resultNotes, ...reported.reportNotes],
    requests: context.service.stats.requests,
    ms: Math.round(context.time.steady() - since),
  };
}

/** Checks that the result and the report can be written, and answers where the result goes. */
async function checkPlaces({ file, out, report, onlyProblems }: ImportRequest): Promise<string> {
  const target = out ?? resultPath(file, onlyProblems);
  await checkTarget(file, target, onlyProblems);
  if (report !== undefined) await checkReport(report, file, target);
  return target;
}

/** Begins to send: what is written before the first row is, so that a crash leaves no change unexplained. */
async function rememberSent(context: Context, plan: SentPlan): Promise<void> {
  await beginSending(context, plan);
  // What a corrected file says is not what was sent: that is what its result says.
  const isSent = (plan.corrections ?? []).length === 0;
  await rememberSending(context, plan, isSent ? plan.file : null);
}

async function rememberWritten(
  context: Context,
  plan: Plan,
  { dryRun, sent }: Pick<ImportRequest, 'dryRun'> & { readonly sent: boolean },
  { result }: Written,
): Promise<void> {
  if (!dryRun) await closeRuns(context, { run: plan.run, file: plan.workbook.file });
  if (result !== null) await rememberResult(context, result, plan.run, sent && !dryRun);
}

/** Whether anything was sent, or may have been. */
const sentAny = ({ counts: { created, updated, deleted, failed, unknown } }: Applied): boolean =>
  created + updated + deleted + failed + unknown > 0;

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

/** The exit code for a result; a result that could not be written counts least. */
export function exitCodeOf(result: ImportResult): ExitCode {
  const { counts, stopped, plan, declined, resultError, reportError } = result;
  if (!closes(counts)) return EXIT.fault;
  // Going on settles what is unknown as yet.
  if (stopped?.exit === EXIT.interrupted) return stopped.exit;
  if (counts.unknown > 0) return EXIT.unknown;
  if (stopped !== null) return stopped.exit;
  const written = resultError?.exit ?? reportError?.exit ?? EXIT.ok;
  if (declined) return written;
  const problems = plan.recognised.some((entry) => entry.kind === 'problem');
  const { conflict, invalid, failed, notSent } = counts;
  const isDoubled = plan.notes.some((note) => note.conflict === true);
  const isCut = [...plan.readings.values()].some(({ unreadAfter }) => unreadAfter !== undefined);
  return problems || isCut || isDoubled || conflict + invalid + failed + notSent > 0 ? EXIT.rows : written;
}
