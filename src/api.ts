import { EXIT, StopError } from './errors.ts';
import { eachRow } from './ledger/each-row.ts';
import { openLedger } from './ledger/sqlite-ledger.ts';
import { reopenRows } from './pipeline/apply/reopen-rows.ts';
import {
  finishImport,
  type ImportRequest,
  type ImportResult,
  planFile,
  importWorkbook as runImport,
} from './pipeline/import-workbook.ts';
import type { HeaderTable } from './pipeline/map/header-names.ts';
import type { Plan } from './pipeline/plan/plan-import.ts';
import {
  type ImportDocument,
  importHead,
  type RowDocument,
  rowDocuments,
} from './pipeline/results/import-document.ts';
import type { Resource } from './schema/resource.ts';
import { openSession, type Session, type SessionHooks } from './session/open-session.ts';
import { resolveSettings, type SessionOptions } from './session/settings.ts';

/** Everything `catersheet import` can be told, as options; all have the same defaults. */
export interface ImportWorkbookOptions extends SessionOptions, Omit<SessionHooks, 'exclusive'> {
  /** Show what would change; send nothing. */
  readonly dryRun?: boolean;
  /** What the sheets hold, whatever their names. */
  readonly as?: Resource;
  /** Only these sheets. */
  readonly sheets?: readonly string[];
  /** Values for fields that the file has no column for, written as in a cell. */
  readonly set?: Readonly<Record<string, string>>;
  readonly strict?: boolean;
  readonly allowDelete?: boolean;
  /** Where the result workbook goes; `NAME.result.xlsx` beside the file when absent. */
  readonly out?: string;
  /** The result holds only the rows that need work, ready to be corrected and imported. */
  readonly onlyProblems?: boolean;
  /** What the user's own headers stand for, or the file that says so; `none` forgets what is remembered for the profile. */
  readonly map?: string | HeaderTable;
  /** The row that holds the headers; found when absent. */
  readonly headerRow?: number;
  /** Encoding of a CSV; found when absent. */
  readonly encoding?: string;
  /** Separator of a CSV; found when absent. */
  readonly delimiter?: string;
  /** Every row in the answer, not only those that are not plainly fine. */
  readonly allRows?: boolean;
}

/** A plan that is saved in the ledger and can be sent. */
export interface ImportPlan extends Plan {
  /** Every row and what would become of it, read back from the ledger. */
  rows(): AsyncIterable<RowDocument>;
}

async function withSession<T>(
  options: ImportWorkbookOptions,
  exclusive: SessionHooks['exclusive'],
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { signal, onProgress, onWait } = options;
  const session = await openSession(options, { signal, onProgress, onWait, exclusive });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

function toRequest(file: string, options: ImportWorkbookOptions, { settings }: Session): ImportRequest {
  const { dryRun = false, strict = false, allowDelete = false, sheets = [], set = {}, as, out } = options;
  const { map, headerRow, encoding, delimiter } = options;
  const { headers, profile } = settings;
  const values = Object.entries(set).map(([field, text]) => ({ field, text }));
  const language = settings.lang;
  return {
    file,
    dryRun,
    strict,
    allowDelete,
    only: sheets,
    set: values,
    as,
    out,
    onlyProblems: options.onlyProblems,
    ...{ map, headers, profile, headerRow, encoding, delimiter },
    locale: settings.locale,
    language,
  };
}

/** Throws what stopped the run, after its result has been written. */
async function toDocument(
  session: Session,
  result: ImportResult,
  options: ImportWorkbookOptions,
): Promise<ImportDocument> {
  if (result.stopped !== null) throw result.stopped;
  const { ledger } = session.context;
  const wording = { dryRun: result.dryRun, language: session.settings.lang, all: options.allRows === true };
  const rows: RowDocument[] = [];
  for await (const row of rowDocuments(eachRow(ledger, result.plan.run), wording)) rows.push(row);
  return { ...importHead(result, session.settings.lang), rows, ms: result.ms };
}

/**
 * Imports a workbook or CSV: reads, plans and sends it, and writes the result workbook. Asks nothing.
 * Resolves to what `catersheet import --json` prints; bad rows are in it. Throws StopError for what stops a run,
 * with the exit code and the next step.
 */
export async function importWorkbook(
  file: string,
  options: ImportWorkbookOptions = {},
): Promise<ImportDocument> {
  return await withSession(options, options.dryRun === true ? 'try' : 'wait', async (session) => {
    const result = await runImport(session.context, toRequest(file, options, session));
    return await toDocument(session, result, options);
  });
}

/** Reads and plans a workbook or CSV and saves the plan; nothing is sent but reads. Throws StopError. */
export async function planImport(file: string, options: ImportWorkbookOptions = {}): Promise<ImportPlan> {
  const plan = await withSession(options, 'try', (session) =>
    planFile(session.context, toRequest(file, options, session)),
  );
  return { ...plan, rows: () => savedRows(plan.run, options) };
}

async function* savedRows(run: string, options: ImportWorkbookOptions): AsyncGenerator<RowDocument> {
  const settings = resolveSettings(options);
  const ledger = openLedger(settings.ledger);
  try {
    yield* rowDocuments(eachRow(ledger, run), { dryRun: true, language: settings.lang, all: true });
  } finally {
    await ledger.close();
  }
}

/**
 * Sends a plan exactly as made, or goes on with one that was interrupted, and writes the result workbook; a record that
 * changed since is a conflict.
 * Throws StopError, also for a plan that was made for another service.
 */
export async function applyPlan(plan: Plan, options: ImportWorkbookOptions = {}): Promise<ImportDocument> {
  return await withSession(options, 'wait', async (session) => {
    const { context } = session;
    if (plan.service !== context.serviceName) {
      throw new StopError(
        EXIT.usage,
        {
          en: `The plan ${plan.run} was made for ${plan.service}, not for ${context.serviceName}.`,
          nl: `Het plan ${plan.run} is gemaakt voor ${plan.service}, niet voor ${context.serviceName}.`,
        },
        {
          next: {
            en: 'Apply it to that service, or plan the file again.',
            nl: 'Voer het bij die dienst uit, of plan het bestand opnieuw.',
          },
        },
      );
    }
    await reopenRows(context, plan.run);
    const result = await finishImport(context, plan, toRequest(plan.workbook.file, options, session));
    return await toDocument(session, result, options);
  });
}
