import { dirname, resolve } from 'node:path';
import { namedFolder } from '../files/folders.ts';
import { importWorkbook } from '../import/import.ts';
import type { ImportDocument } from '../import/import-document.ts';
import { commandSheets } from '../resources/registry.ts';
import { type ImportWorkbookOptions, toDocument, toRequest } from './import-request.ts';
import { withSession } from './with-session.ts';

/** What is the same for every sheet that serves a command of its own. */
export type SheetOptions = Omit<
  ImportWorkbookOptions,
  'as' | 'set' | 'strict' | 'allowDelete' | 'onConflict'
>;

/** Everything `catersheet documents` can be told, as options. */
export interface UploadDocumentsOptions extends SheetOptions {
  /** The folder that the files are in; the sheet's own when absent. */
  readonly from?: string;
}

/** Everything `catersheet invoices` can be told, as options. */
export interface FetchInvoicesOptions extends SheetOptions {
  /** The folder that the files go to. */
  readonly to: string;
}

/**
 * Uploads the files that a sheet names to their events, each once, and writes the result workbook. Asks nothing. Resolves
 * to what `catersheet documents --json` prints; throws StopError for what stops a run.
 */
export async function uploadDocuments(
  file: string,
  options: UploadDocumentsOptions = {},
): Promise<ImportDocument> {
  const { from } = options;
  const folder = from == null ? resolve(dirname(file)) : namedFolder(from, 'from');
  return await carryOut(file, options, commandSheets.documents.command, folder);
}

/** Fetches the invoices that a sheet names; what is there already is left. As `uploadDocuments`. */
export async function fetchInvoices(file: string, options: FetchInvoicesOptions): Promise<ImportDocument> {
  return await carryOut(file, options, commandSheets.invoices.command, namedFolder(options.to, 'to'));
}

/** Has the service refresh the events that a sheet names. As `uploadDocuments`. */
export async function refreshEvents(file: string, options: SheetOptions = {}): Promise<ImportDocument> {
  return await carryOut(file, options, commandSheets.refreshes.command);
}

async function carryOut(
  file: string,
  options: SheetOptions,
  command: string,
  folder?: string,
): Promise<ImportDocument> {
  return await withSession(options, options.dryRun === true ? 'try' : 'wait', async (session) => {
    const request = { ...toRequest(file, options, session), command, folder };
    return await toDocument(session, await importWorkbook(session.context, request), options);
  });
}
