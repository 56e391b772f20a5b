import { refreshIn } from '../../api/calls.ts';
import { type CommandSheet, commandSheetIn, documentSheet, invoiceSheet } from '../../api/command-sheets.ts';
import { exclusiveFor } from '../../api/import-workbook.ts';
import { type ExitCode, usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { type FlagsOf, flagsNotTaken, type Given } from '../../options/options.ts';
import type { Session } from '../../session/open-session.ts';
import { asking, inSession, readQuestions, showImport } from '../show.ts';

import type { View } from '../view/view.ts';
import { showCalls, wholeIds } from './orders.ts';

type RefreshFlags = Given<'refresh'>;

/** The flags that all three take. */
type SheetFlags = FlagsOf<'documents' | 'invoices' | 'refresh'> & { readonly yes: boolean };

/** `documents FILE`: uploads the files that a sheet names to their events, each once. */
export async function documentsCommand(flags: Given<'documents'>): Promise<ExitCode> {
  return await carryOut(flags, documentSheet(flags.file, flags.from, '--from'));
}

/** `invoices FILE --to DIR`: fetches the invoices that a sheet names; files that exist are left. */
export async function invoicesCommand(flags: Given<'invoices'>): Promise<ExitCode> {
  return await carryOut({ ...flags, yes: true }, invoiceSheet(flags.file, flags.to, '--to'));
}

/** `refresh FILE|ID…`: has the service refresh events. */
export async function refreshCommand(flags: RefreshFlags): Promise<ExitCode> {
  const [file = '', ...others] = flags.what;
  const named = others.length > 0 || /^\d+$/.test(file);
  const work = (session: Session, view: View): Promise<ExitCode> =>
    named ? refreshNamed(flags, session, view) : carryOutIn(flags, { of: 'refreshes', file }, session, view);
  return await inSession(flags, exclusiveFor(flags), work, REFRESH_AGAIN);
}

async function carryOut(flags: SheetFlags, sheet: CommandSheet): Promise<ExitCode> {
  const work = (session: Session, view: View): Promise<ExitCode> => carryOutIn(flags, sheet, session, view);
  return await inSession(flags, exclusiveFor(flags), work, SAME_COMMAND);
}

async function carryOutIn(
  flags: SheetFlags,
  sheet: CommandSheet,
  session: Session,
  view: View,
): Promise<ExitCode> {
  // Nothing is asked before invoices are fetched, but what a file's headers stand for is.
  const asked = { ...flags, yes: flags.yes && sheet.of !== 'invoices' };
  const options = { ...flags, sheets: flags.sheet, questions: readQuestions(asked, view, session) };
  return await showImport(
    view,
    await commandSheetIn(session, sheet, options, asking(flags, view, session)),
    flags,
  );
}

async function refreshNamed(flags: RefreshFlags, session: Session, view: View): Promise<ExitCode> {
  if (flagsNotTaken('refresh', 'refreshEventIds', flags).length > 0) throw onlyForFile();
  return showCalls(await refreshIn(session, wholeIds(flags.what)), session, view);
}

const SAME_COMMAND = t(
  'Give the same command again to go on: rows that are done come out unchanged.',
  'Geef dezelfde opdracht opnieuw om verder te gaan: wat klaar is, blijkt dan ongewijzigd.',
);

const REFRESH_AGAIN = t(
  'Give the same command again to go on: refreshing once more does no harm.',
  'Geef dezelfde opdracht opnieuw om verder te gaan: nog eens verversen kan geen kwaad.',
);

const onlyForFile = () =>
  usageStop(
    t(
      '--dry-run, --out, --sheet and how a file is read are for a file; events that are named have no plan and no result.',
      '--dry-run, --out, --sheet en hoe een bestand gelezen wordt zijn voor een bestand; genoemde evenementen hebben geen plan en geen resultaat.',
    ),
    t('Leave them out.', 'Laat ze weg.'),
  );
