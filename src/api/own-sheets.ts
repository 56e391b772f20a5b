import { dirname, resolve } from 'node:path';
import { namedFolder } from '../files/folders.ts';
import type { ImportDocument } from '../import/import-document.ts';
import { checkOptions } from '../options/check-options.ts';
import type { OptionsOf } from '../options/options.ts';
import { commandSheets } from '../resources/registry.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { type Confirm, documentOf, exclusiveFor, type ImportEnd, importIn } from './import-workbook.ts';

/** A sheet whose rows a command of its own carries out. */
export interface OwnSheet {
  readonly of: keyof typeof commandSheets;
  readonly file: string;
  /** Where files are taken from or put into, absolute. */
  readonly folder?: string;
}

/**
 * Uploads the files that a sheet names to their events, each once, and writes the result workbook. Asks
 * nothing. Resolves to what `catersheet documents --json` prints; throws StopError for what stops a run.
 */
export async function uploadDocuments(
  file: string,
  options: OptionsOf<'uploadDocuments'> = {},
): Promise<ImportDocument> {
  const given = checkOptions('uploadDocuments', options);
  return await carryOut(documentSheet(file, given.from, 'from'), given);
}

/** Fetches the invoices that a sheet names; what is there already is left. As `uploadDocuments`. */
export async function fetchInvoices(
  file: string,
  options: OptionsOf<'fetchInvoices'> & { readonly to: string },
): Promise<ImportDocument> {
  const given = checkOptions('fetchInvoices', options);
  return await carryOut(invoiceSheet(file, given.to, 'to'), given);
}

/** Has the service refresh the events that a sheet names. As `uploadDocuments`. */
export async function refreshEvents(
  file: string,
  options: OptionsOf<'refreshEvents'> = {},
): Promise<ImportDocument> {
  return await carryOut({ of: 'refreshes', file }, checkOptions('refreshEvents', options));
}

/**
 * The sheet of `uploadDocuments`; its files are in its own folder where none is named. `option` is what names
 * it.
 */
export function documentSheet(file: string, from: string | undefined, option: string): OwnSheet {
  const folder = from === undefined ? resolve(dirname(file)) : namedFolder(from, option);
  return { of: 'documents', file, folder };
}

/** The sheet of `fetchInvoices`, as `documentSheet`. */
export function invoiceSheet(file: string, to: string | undefined, option: string): OwnSheet {
  return { of: 'invoices', file, folder: namedFolder(to, option) };
}

/** Reads, plans and carries out such a sheet within a session; `confirm` is asked before anything is done. */
export async function ownSheetIn(
  session: Session,
  { of, file, folder }: OwnSheet,
  options: OptionsOf<'refreshEvents'>,
  confirm?: Confirm,
): Promise<ImportEnd> {
  const { command } = commandSheets[of];
  return await importIn(session, file, { ...options, command, folder }, confirm);
}

async function carryOut(sheet: OwnSheet, options: OptionsOf<'refreshEvents'>): Promise<ImportDocument> {
  return await withSession(options, exclusiveFor(options), async (session) =>
    documentOf(session, await ownSheetIn(session, sheet, options), options),
  );
}
