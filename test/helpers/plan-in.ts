import { type ImportPlan, type SessionInput, toRequest } from '../../src/api/import-workbook.ts';
import { rowDocuments } from '../../src/api/make-documents.ts';
import { planFile } from '../../src/import/import.ts';
import { eachRow } from '../../src/ledger/ledger.ts';
import type { Session } from '../../src/session/open-session.ts';

/** Reads and plans a file within a session, and gives its rows from the ledger. */
export async function planIn(session: Session, file: string, options: SessionInput): Promise<ImportPlan> {
  const { context, settings } = session;
  const plan = await planFile(context, toRequest(file, options, session));
  const shown = { dryRun: true, language: settings.lang, all: true };
  return { ...plan, rows: () => rowDocuments(eachRow(context.ledger, plan.run), shown) };
}
