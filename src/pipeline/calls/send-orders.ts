import type { Posting } from '../../ledger/ledger.ts';
import type { Endpoint } from '../../schema/endpoint.ts';
import { judgeAnswer, type OpenAnswer, type Verdict } from '../../schema/open-answer.ts';
import type { Bilingual } from '../../schema/value.ts';
import { RequestError } from '../../service/request-error.ts';
import { type Context, wallClock } from '../context.ts';
import { newRunId } from '../plan/run-id.ts';
import { type Called, type CallsResult, makeCalls } from './calls.ts';

/** The two requests that send purchase orders; what they answer is not shown (interface 4.7). */
export interface OrderRequests {
  readonly sendOrder: Endpoint<unknown, OpenAnswer>;
  readonly sendAllOrders: Endpoint<unknown, OpenAnswer>;
}

/** Which purchase orders to send: those named, or all that the service has to send. */
export interface OrdersRequest {
  readonly ids: readonly string[] | 'all';
  /** Also what was sent before, or may have been. */
  readonly again: boolean;
}

/** What the ledger knows purchase orders by. */
const ORDERS = 'orders';
const ALL = 'all';

const nameOf = (id: string): string => (id === ALL ? ALL : `order:${id}`);

/**
 * Sends purchase orders, each at most once as the ledger has it: an order that was sent, or may have been, is not sent
 * again by itself. That it goes out is on disk before it does.
 */
export async function sendOrders(
  context: Context,
  requests: OrderRequests,
  { ids, again }: OrdersRequest,
): Promise<CallsResult> {
  const run = newRunId(context.clock());
  const asked = ids === 'all' ? [ALL] : ids;
  let seq = 0;
  return await makeCalls(context, asked, async (id) => {
    const { ledger, serviceKey, clock } = context;
    const fingerprint = nameOf(id);
    const posting: Posting = {
      fingerprint,
      run,
      seq: seq++,
      state: 'sending',
      at: wallClock(clock()),
      id: null,
    };
    const earlier = await earlierSending(context, id);
    // All is another question each time; only a sending whose end is not known is left alone.
    const repeatable = again || (id === ALL && earlier?.state === 'done');
    if (earlier !== undefined && repeatable) await settle(context, fingerprint, null);
    const holder = await ledger.claimPosting(serviceKey, ORDERS, posting);
    if (holder !== undefined)
      return holder.state === 'done'
        ? { status: 'unchanged', message: sentText(holder) }
        : { status: 'unknown', message: doubtText(holder) };
    return await send(context, requests, id);
  });
}

/** When an order, or all of them (`all`), were sent before, or may have been. */
export async function earlierSending(
  { ledger, serviceKey }: Context,
  id: string,
): Promise<Posting | undefined> {
  return (await ledger.findPostings(serviceKey, ORDERS, [nameOf(id)])).get(nameOf(id));
}

async function send(
  context: Context,
  { sendOrder, sendAllOrders }: OrderRequests,
  id: string,
): Promise<Omit<Called, 'id'>> {
  const fingerprint = nameOf(id);
  try {
    const answer = await (id === ALL
      ? context.service.send(sendAllOrders)
      : context.service.send(sendOrder, { params: { ID: id } }));
    const verdict = judgeAnswer(answer);
    if (verdict !== 'doubtful') await settle(context, fingerprint, verdict === 'done' ? 'done' : null);
    return outcomeOf(verdict, answer.words);
  } catch (error) {
    const doubtful = error instanceof RequestError && error.mayHaveTakenEffect;
    if (!doubtful) await settle(context, fingerprint, null);
    if (!(error instanceof RequestError)) throw error;
    return doubtful
      ? { status: 'unknown', message: lostText(error.reasons) }
      : { status: 'failed', message: error.text };
  }
}

/** What the service said is always shown; an error may have come after the order went out. */
function outcomeOf(verdict: Verdict, words: string | null): Omit<Called, 'id'> {
  const said = words === null ? null : { en: words, nl: words };
  if (verdict === 'done') return { status: 'done', message: said };
  if (verdict === 'refused')
    return { status: 'failed', message: said ?? { en: 'success: false', nl: 'success: false' } };
  return { status: 'unknown', message: erredText(words ?? '') };
}

async function settle(
  { ledger, serviceKey }: Context,
  fingerprint: string,
  state: 'done' | null,
): Promise<void> {
  await ledger.settlePosting(serviceKey, ORDERS, fingerprint, null, state === 'done');
}

const sentText = ({ at }: Posting): Bilingual => ({
  en: `sent before, at ${at}; --again sends it once more`,
  nl: `al eerder verstuurd, om ${at}; --again verstuurt het nog eens`,
});

const doubtText = ({ at }: Posting): Bilingual => ({
  en: `sent at ${at}, and no answer is known, so it is not sent again by itself; look on the service, and if it did not go out: --again`,
  nl: `verstuurd om ${at}, en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd; kijk op de dienst, en is het niet verzonden: --again`,
});

const erredText = (words: string): Bilingual => ({
  en: `sent, and the service answered with an error (${words}); look on the service whether it went out before sending it again with --again`,
  nl: `verstuurd, en de dienst antwoordde met een fout (${words}); kijk op de dienst of het verzonden is voor je het met --again nog eens verstuurt`,
});

const lostText = ({ en, nl }: Bilingual): Bilingual => ({
  en: `sent, but no answer came back (${en}); look on the service whether it went out before sending it again with --again`,
  nl: `verstuurd, maar er kwam geen antwoord (${nl}); kijk op de dienst of het verzonden is voor je het met --again nog eens verstuurt`,
});
