import { EXIT, type ExitCode, StopError } from '../core/errors.ts';
import { type Bilingual, same, t, withFlag } from '../core/language.ts';
import { shownMinute } from '../core/shown-moment.ts';
import type { Posting } from '../ledger/ledger.ts';
import { type Context, wallClock } from '../run/context.ts';
import { elsewhereText, openElsewhere } from '../run/posted-elsewhere.ts';
import { newRunId } from '../run/runs.ts';
import { caughtStop, serviceStop } from '../run/stop.ts';
import type { OpenAnswer } from '../schema/answer.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { judgeAnswer } from '../schema/judge-answer.ts';
import type { RefreshResource } from '../schema/resource.ts';
import { interruption, RequestError } from '../service/request-error.ts';

/** The outcome of one call. */
interface CallOutcome {
  /** An id, or `all`. */
  readonly id: string;
  readonly status: 'done' | 'unchanged' | 'failed' | 'unknown' | 'not sent';
  readonly message: Bilingual | null;
}

/** The outcome of a call, and the stop that ends the run after it, if any. */
interface CallEnd extends Omit<CallOutcome, 'id'> {
  readonly stop?: StopError | null;
}

/** The outcomes of all calls. */
export interface CallsResult {
  readonly service: string;
  readonly calls: readonly CallOutcome[];
  readonly requests: number;
  /** Why the run ended early; null when it did not. */
  readonly stopped: StopError | null;
}

/** The exit code of calls: unknown outcomes come first. */
export function exitCodeOfCalls({ calls, stopped }: CallsResult): ExitCode {
  if (calls.some(({ status }) => status === 'unknown')) return EXIT.unknown;
  if (stopped !== null) return stopped.exit;
  return calls.some(({ status }) => status === 'failed') ? EXIT.rows : EXIT.ok;
}

/** Makes calls one by one until one stops the run; the others are then not sent. */
async function makeCalls(
  context: Context,
  ids: readonly string[],
  call: (id: string) => Promise<CallEnd>,
): Promise<CallsResult> {
  const calls: CallOutcome[] = [];
  let stopped: StopError | null = null;
  for (const id of new Set(ids)) {
    stopped ??= context.signal?.aborted === true ? interruption(context.signal) : null;
    if (stopped !== null) {
      calls.push({ id, status: 'not sent', message: null });
      continue;
    }
    try {
      const { stop = null, ...called } = await call(id);
      calls.push({ id, ...called });
      stopped = stop;
    } catch (error) {
      if (!(error instanceof StopError)) throw error;
      stopped = error;
      calls.push({ id, status: 'not sent', message: null });
    }
    context.onProgress?.({ stage: 'sending', done: calls.length, total: ids.length });
  }
  return { service: context.serviceName, calls, requests: context.service.stats.requests, stopped };
}

/** The end of a call that was not sent as the service can't be reached; null for another failure. */
function unreachableEnd(context: Context, error: RequestError): CallEnd | null {
  if (error.kind !== 'unreachable') return null;
  return { status: 'not sent', message: error.reasons, stop: serviceStop(context, error, REST_NOT_SENT) };
}

const REST_NOT_SENT: Bilingual = t('The rest was not sent.', 'De rest is niet verstuurd.');

/** Has the service refresh events; a repeated refresh does no harm. */
export async function refreshEvents(
  context: Context,
  { requests }: RefreshResource,
  ids: readonly string[],
): Promise<CallsResult> {
  return await makeCalls(context, ids, async (ID) => {
    try {
      const { success, message } = await context.service.send(requests.refresh, { params: { ID } });
      const said = message ?? 'success: false';
      return success ? { status: 'done', message: null } : { status: 'failed', message: same(said) };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return (
        unreachableEnd(context, error) ?? {
          status: error.mayHaveTakenEffect ? 'unknown' : 'failed',
          message: error.text,
        }
      );
    }
  });
}

/** The requests that send purchase orders; the interface does not show their answers (4.7). */
interface OrderRequests {
  readonly sendOrder: Endpoint<unknown, OpenAnswer>;
  readonly sendAllOrders: Endpoint<unknown, OpenAnswer>;
}

/** The purchase orders to send: those named, or all that the service has waiting. */
interface OrdersRequest {
  readonly ids: readonly string[] | 'all';
  /** Also those that were sent before, or may have been. */
  readonly again: boolean;
}

/** The resource name of purchase orders in the ledger. */
const ORDERS = 'orders';
const ALL = 'all';

const nameOf = (id: string): string => (id === ALL ? ALL : `order:${id}`);

/**
 * Sends purchase orders, each at most once by the ledger: an order that was sent, or may have been, is only
 * sent again with `again`. The intent is in the ledger before the request.
 */
export async function sendOrders(
  context: Context,
  requests: OrderRequests,
  { ids, again }: OrdersRequest,
): Promise<CallsResult> {
  const run = newRunId(context.time.now());
  const asked = ids === 'all' ? [ALL] : ids;
  let seq = 0;
  const findElsewhere = await openElsewhere(context, ORDERS);
  return await makeCalls(context, asked, async (id) => {
    const { ledger, serviceKey, time } = context;
    const fingerprint = nameOf(id);
    const at = wallClock(time.now());
    const posting: Posting = { fingerprint, run, seq: seq++, state: 'sending', at, id: null };
    const earlier = await earlierPosting(context, id);
    const other = again || id === ALL ? undefined : (await findElsewhere([fingerprint])).get(fingerprint);
    if (other !== undefined && earlier === undefined)
      return { status: 'failed', message: elsewhereText(other) };
    // All of them may be sent each time, unless the last answer was lost.
    const repeatable = again || (id === ALL && earlier?.state === 'done');
    if (earlier === undefined || !repeatable) {
      const holder = await ledger.claimPosting(serviceKey, ORDERS, posting);
      if (holder !== undefined) return leftAlone(holder);
      return await send(context, requests, { id, earlier: null });
    }
    // Replaced in one step: at no moment does it count as never sent.
    await ledger.settlePosting(serviceKey, ORDERS, fingerprint, posting);
    return await send(context, requests, { id, earlier });
  });
}

const leftAlone = (holder: Posting): CallEnd =>
  holder.state === 'done'
    ? { status: 'unchanged', message: sentText(holder) }
    : { status: 'unknown', message: doubtText(holder) };

/** The posting of an order, or of `all`, that was sent before or may have been. */
export async function earlierPosting(
  { ledger, serviceKey }: Context,
  id: string,
): Promise<Posting | undefined> {
  const name = nameOf(id);
  return (await ledger.findPostings(serviceKey, ORDERS, [name])).get(name);
}

interface Sending {
  readonly id: string;
  /** The earlier posting, restored where this one certainly did not go out; null for none. */
  readonly earlier: Posting | null;
}

async function send(context: Context, requests: OrderRequests, sending: Sending): Promise<CallEnd> {
  const answer = await ask(context, requests, sending.id).catch(async (error: unknown) => {
    const doubtful = error instanceof RequestError && error.mayHaveTakenEffect;
    if (!doubtful) await settle(context, sending, false);
    if (error instanceof RequestError) return error;
    throw error;
  });
  if (answer instanceof RequestError) return failedEnd(context, answer);
  const verdict = judgeAnswer(answer.content);
  const end = outcomeOf(verdict, answer.words);
  if (verdict === 'doubtful') return end;
  // Tells the outcome even where the ledger then fails.
  return { ...end, stop: await caughtStop(() => settle(context, sending, verdict === 'done')) };
}

async function ask(
  { service }: Context,
  { sendOrder, sendAllOrders }: OrderRequests,
  id: string,
): Promise<OpenAnswer> {
  return await (id === ALL ? service.send(sendAllOrders) : service.send(sendOrder, { params: { ID: id } }));
}

function failedEnd(context: Context, error: RequestError): CallEnd {
  if (error.mayHaveTakenEffect) {
    const { reasons, words } = error;
    const said = words === null ? '' : `: ${words}`;
    return { status: 'unknown', message: openText(t(`${reasons.en}${said}`, `${reasons.nl}${said}`)) };
  }
  return unreachableEnd(context, error) ?? { status: 'failed', message: error.text };
}

/** The outcome of an answer, with the service's own words. */
function outcomeOf(verdict: ReturnType<typeof judgeAnswer>, words: string | null): CallEnd {
  const said = words === null ? null : same(words);
  if (verdict === 'done') return { status: 'done', message: said };
  if (verdict === 'refused') return { status: 'failed', message: said ?? same('success: false') };
  return { status: 'unknown', message: openText(said ?? EMPTY) };
}

const EMPTY: Bilingual = t('an answer without words', 'een antwoord zonder woorden');

async function settle(
  { ledger, serviceKey }: Context,
  { id, earlier }: Sending,
  done: boolean,
): Promise<void> {
  const now = done ? ({ state: 'done', id: null } as const) : earlier;
  await ledger.settlePosting(serviceKey, ORDERS, nameOf(id), now);
}

const sentText = ({ at }: Posting): Bilingual =>
  withFlag(
    t(`sent before, on ${shownMinute(at).en}`, `al eerder verstuurd, op ${shownMinute(at).nl}`),
    '--again',
  );

const doubtText = ({ at }: Posting): Bilingual =>
  withFlag(
    t(
      `sent on ${shownMinute(at).en}, and no answer is known that says it went out, so it is not sent again by itself; look on the service, and if it did not, send it once more`,
      `verstuurd op ${shownMinute(at).nl}, en er is geen antwoord bekend dat zegt dat het verzonden is, dus het gaat niet vanzelf opnieuw; kijk in het systeem, en is het niet verzonden, verstuur het dan nog eens`,
    ),
    '--again',
  );

/** In brackets: an answer that does not say that it went out, or what became of the answer. */
const openText = ({ en, nl }: Bilingual): Bilingual =>
  withFlag(
    t(
      `sent, and no answer says that it went out (${en}); look on the service whether it did before sending it once more`,
      `verstuurd, en geen antwoord zegt dat het verzonden is (${nl}); kijk in het systeem of dat zo is voor je het nog eens verstuurt`,
    ),
    '--again',
  );
