import {
  type CallsResult,
  earlierPosting,
  refreshEvents as refresh,
  sendOrders as send,
} from '../calls/calls.ts';
import type { Language } from '../core/language.ts';
import { checkOptions, type OptionsOf, ownOptions } from '../options/options.ts';
import { generalEndpoints } from '../resources/command-sheets.ts';
import { commandSheets } from '../resources/registry.ts';
import { type Session, withSession } from '../session/open-session.ts';
import type { CallsDocument } from './documents.ts';
import { callsDocument } from './make-documents.ts';

/**
 * Sends purchase orders over EDI, those named or all that the service has to send, each at most once by the
 * ledger. Asks nothing. Throws StopError for what stops it.
 */
export async function sendOrders(
  orders: readonly number[] | 'all',
  options: OptionsOf<'sendOrders'> = {},
): Promise<CallsDocument> {
  const given = checkOptions('sendOrders', options, orders === 'all' ? {} : { ids: orders });
  const ids = orders === 'all' ? orders : orders.map(String);
  return await withSession(given, 'wait', async (session) => {
    return documentOrThrow(await ordersIn(session, ids, given), session.settings.lang);
  });
}

/** Has the service refresh the events of these ids. As `sendOrders`. */
export async function refreshEventIds(
  ids: readonly number[],
  options: OptionsOf<'refreshEventIds'> = {},
): Promise<CallsDocument> {
  const given = checkOptions('refreshEventIds', options, { ids });
  return await withSession(given, 'wait', async (session) => {
    return documentOrThrow(await refreshIn(session, ids.map(String)), session.settings.lang);
  });
}

/** Sends purchase orders within a session. */
export async function ordersIn(
  { context }: Session,
  ids: readonly string[] | 'all',
  options: OptionsOf<'sendOrders'>,
): Promise<CallsResult> {
  const { again = false } = options;
  return await send(context, generalEndpoints, { ...ownOptions(options), ids, again });
}

/** When all purchase orders were last sent, or may have been, as text; undefined if never. */
export async function allOrdersSentAt({ context }: Session): Promise<string | undefined> {
  return (await earlierPosting(context, 'all'))?.at;
}

/** Has events refreshed within a session. */
export async function refreshIn({ context }: Session, ids: readonly string[]): Promise<CallsResult> {
  return await refresh(context, commandSheets.refreshes, ids);
}

function documentOrThrow(result: CallsResult, language: Language): CallsDocument {
  if (result.stopped !== null) throw result.stopped;
  return callsDocument(result, language);
}
