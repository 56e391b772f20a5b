import { allOrdersSentAt, ordersIn, refreshIn } from '../../api/calls.ts';
import { type CommandSheet, commandSheetIn, documentSheet, invoiceSheet } from '../../api/command-sheets.ts';
import { exclusiveFor } from '../../api/import-workbook.ts';
import { callsDocument } from '../../api/make-documents.ts';
import { type CallsResult, exitCodeOfCalls } from '../../calls/calls.ts';
import { EXIT, type ExitCode, usageStop } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { type FlagsOf, flagsNotTaken, type Given } from '../../options/options.ts';
import type { Session } from '../../session/open-session.ts';
import { agreed, asking, inSession, readQuestions, showImport } from '../show.ts';
import { DECLINED, stopDocument, type View } from '../view/lines.ts';
import { callsText } from '../view/summaries.ts';

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
  return await inSession(flags, exclusiveFor(flags), work);
}

const carryOut = async (flags: SheetFlags, sheet: CommandSheet): Promise<ExitCode> =>
  await inSession(flags, exclusiveFor(flags), (session, view) => carryOutIn(flags, sheet, session, view));

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
  if (flagsNotTaken('refresh', 'refreshEventIds', flags).length > 0)
    throw usageStop(
      t(
        '--dry-run, --out, --sheet and how a file is read are for a file; events that are named have no plan and no result.',
        '--dry-run, --out, --sheet en hoe een bestand gelezen wordt zijn voor een bestand; genoemde evenementen hebben geen plan en geen resultaat.',
      ),
      t('Leave them out.', 'Laat ze weg.'),
    );
  return showCalls(await refreshIn(session, wholeIds(flags.what)), session, view);
}

type OrdersFlags = Given<'orders'>;
type Orders = readonly string[] | 'all';

/** `orders send ID…|--all`: sends purchase orders over EDI, each at most once by itself. */
export async function ordersCommand(flags: OrdersFlags): Promise<ExitCode> {
  const ids = toSend(flags);
  // With --again or --all the same command sends again what is known to be sent.
  const goOn = flags.again || flags.all ? LOOK : undefined;
  return await inSession(flags, 'wait', (session, view) => runOrders(flags, ids, session, view), goOn);
}

async function runOrders(flags: OrdersFlags, ids: Orders, session: Session, view: View): Promise<ExitCode> {
  const { serviceName, signal } = session.context;
  const before = ids === 'all' && !flags.yes ? await allOrdersSentAt(session) : undefined;
  if (!(await agreed(flags, view, question(ids, serviceName, before), signal))) {
    view.note(DECLINED);
    return EXIT.ok;
  }
  return showCalls(await ordersIn(session, ids, flags), session, view);
}

/** Shows the outcome of calls, and what stopped them if anything did; returns the exit code. */
function showCalls(result: CallsResult, { logFile }: Session, view: View): ExitCode {
  const { language } = view;
  const stopped = result.stopped === null ? {} : stopDocument(result.stopped, language);
  view.show({ ...callsDocument(result, language), ...stopped }, callsText(result, language));
  if (result.stopped !== null) view.stop(result.stopped, logFile);
  return exitCodeOfCalls(result);
}

/** Numbers given as words; throws StopError for any other word. */
function wholeIds(ids: readonly string[]): string[] {
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong === undefined) return ids.map((id) => String(Number(id)));
  throw usageStop(
    t(`${wrong} is no number.`, `${wrong} is geen nummer.`),
    t('Leave it out, or put its number there.', 'Laat het weg, of zet er het nummer neer.'),
  );
}

function toSend({ ids = [], all }: OrdersFlags): Orders {
  if (all === ids.length > 0)
    throw usageStop(
      t('Name purchase orders, or --all.', 'Noem inkooporders, of --all.'),
      all
        ? t('Not both: leave one of them out.', 'Niet allebei: laat er een weg.')
        : t('As in catersheet orders send 881 882.', 'Zoals in catersheet orders send 881 882.'),
    );
  return all ? 'all' : wholeIds(ids);
}

const LOOK = t(
  'See in the list which orders were sent: the same command would send them once more.',
  'Zie in de lijst welke orders verstuurd zijn: dezelfde opdracht zou ze nog eens versturen.',
);

function question(ids: Orders, service: string, before: string | undefined): Bilingual {
  if (ids === 'all') {
    const [en, nl] = before ? [` (last done at ${before})`, ` (laatst gedaan om ${before})`] : ['', ''];
    return t(
      `Send all purchase orders that ${service} has to send${en}? [y/N] `,
      `Alle inkooporders versturen die ${service} te versturen heeft${nl}? [j/N] `,
    );
  }
  const named = ids.join(', ');
  return t(
    `Send ${ids.length === 1 ? 'purchase order' : 'purchase orders'} ${named} through ${service}? [y/N] `,
    `${ids.length === 1 ? 'Inkooporder' : 'Inkooporders'} ${named} versturen via ${service}? [j/N] `,
  );
}
