import { type ImportWorkbookOptions, toDocument, toRequest } from './api/import-request.ts';
import { withSession } from './api/with-session.ts';
import { EXIT, StopError } from './core/errors.ts';
import { t } from './core/language.ts';
import { reopenRows } from './import/apply/reopen-rows.ts';
import { finishImport, planFile, importWorkbook as runImport } from './import/import.ts';
import { type ImportDocument, type RowDocument, rowDocuments } from './import/import-document.ts';
import type { Plan } from './import/plan/plan-import.ts';
import { eachRow } from './ledger/each-row.ts';
import { openLedger } from './ledger/sqlite-ledger.ts';
import { resolveSettings } from './session/settings.ts';

/** A plan that is saved in the ledger and can be sent. */
export interface ImportPlan extends Plan {
  /** Every row and what would become of it, read back from the ledger. */
  rows(): AsyncIterable<RowDocument>;
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
        t(
          `The plan ${plan.run} was made for ${plan.service}, not for ${context.serviceName}.`,
          `Het plan ${plan.run} is gemaakt voor ${plan.service}, niet voor ${context.serviceName}.`,
        ),
        {
          next: t(
            'Apply it to that service, or plan the file again.',
            'Voer het bij die dienst uit, of plan het bestand opnieuw.',
          ),
        },
      );
    }
    await reopenRows(context, plan.run);
    const result = await finishImport(context, plan, toRequest(plan.workbook.file, options, session));
    return await toDocument(session, result, options);
  });
}
