import { dirname, resolve } from 'node:path';
import { namedFolder } from '../files/folders.ts';
import type { ImportRequest } from '../import/import.ts';
import { checkOptions, type OptionsOf } from '../options/options.ts';
import { commandSheets } from '../resources/registry.ts';
import { type Session, withSession } from '../session/open-session.ts';
import type { ImportDocument } from './documents.ts';
import { type Confirm, documentOf, exclusiveFor, type ImportEnd, importIn } from './import-workbook.ts';

/** A sheet for a command of its own, with its file. */
export interface CommandSheet {
  readonly of: keyof typeof commandSheets;
  readonly file: string;
  /** The folder that files are taken from or put into, absolute. */
  readonly folder?: string;
}

/**
 * Uploads the files that a sheet names to their events, each once, and writes the result workbook. Asks
 * nothing. Resolves to what `catersheet documents --json` prints. Throws StopError.
 */
export async function uploadDocuments(
  file: string,
  options: OptionsOf<'uploadDocuments'> = {},
): Promise<ImportDocument> {
  const given = checkOptions('uploadDocuments', options, { file });
  return await carryOut(documentSheet(file, given.from, 'from'), given);
}

/** Fetches the invoices that a sheet names; files that exist are left. As `uploadDocuments`. */
export async function fetchInvoices(
  file: string,
  options: OptionsOf<'fetchInvoices'> & { readonly to: string },
): Promise<ImportDocument> {
  const given = checkOptions('fetchInvoices', options, { file });
  return await carryOut(invoiceSheet(file, given.to, 'to'), given);
}

/** Has the service refresh the events that a sheet names. As `uploadDocuments`. */
export async function refreshEvents(
  file: string,
  options: OptionsOf<'refreshEvents'> = {},
): Promise<ImportDocument> {
  const given = checkOptions('refreshEvents', options, { file });
  return await carryOut({ of: 'refreshes', file }, given);
}

/**
 * The sheet of `uploadDocuments`, with its files in its own folder by default; `option` names `from` in
 * errors.
 */
export function documentSheet(file: string, from: string | undefined, option: string): CommandSheet {
  const folder = from === undefined ? resolve(dirname(file)) : namedFolder(from, option);
  return { of: 'documents', file, folder };
}

/** The sheet of `fetchInvoices`, as `documentSheet`. */
export function invoiceSheet(file: string, to: string | undefined, option: string): CommandSheet {
  return { of: 'invoices', file, folder: namedFolder(to, option) };
}

/** Reads, plans and carries out such a sheet within a session; `confirm` is asked before. */
export async function commandSheetIn(
  session: Session,
  { of, file, folder }: CommandSheet,
  options: OptionsOf<'refreshEvents'> & Pick<ImportRequest, 'questions'>,
  confirm?: Confirm,
): Promise<ImportEnd> {
  const { command } = commandSheets[of];
  return await importIn(session, file, { ...options, command, folder }, confirm);
}

async function carryOut(sheet: CommandSheet, options: OptionsOf<'refreshEvents'>): Promise<ImportDocument> {
  return await withSession(options, exclusiveFor(options), async (session) =>
    documentOf(session, await commandSheetIn(session, sheet, options), options),
  );
}
