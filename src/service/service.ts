import { EXIT, StopError } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { endpointPath, type PathParams, sameOriginPath, serviceAddress } from './address.ts';
import { type ClientState, openClientState, type ServiceOptions } from './client-state.ts';
import { type AttemptFailure, backoff, mayRetry, toRequestError, transportFailure } from './failure.ts';
import { type RequestEnding, SlotMissed } from './gate.ts';
import { type AttemptResult, readAnswer } from './read-answer.ts';
import { InterruptedError, interruption } from './request-error.ts';
import { encodeRequest, TransportError, type WireRequest } from './transport.ts';

/** What goes with a request. */
export interface SendInput<B> {
  readonly params?: PathParams | undefined;
  readonly body?: B | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly marks?: SendMarks | undefined;
}

/** The HTTP client of one service: one pool of connections, one gate for all requests. */
export interface Service {
  /** Ends in `/`. */
  readonly baseUrl: string;
  /** How long an answer may take, ms. */
  readonly timeout: number;
  /**
   * Sends one request and reads its answer, with retries where a repeat is safe.
   * @throws RequestError when it failed; StopError (service) when the token is refused, then for all that
   * follow; InterruptedError when a signal stopped it; what `marks` throws; TypeError, before sending, for a
   * body or parameter not as declared.
   */
  send<B, A>(endpoint: Endpoint<B, A>, input?: SendInput<B>): Promise<A>;
  /**
   * As `send`, to a link from an answer of the same endpoint.
   * @throws StopError (service) for a link to another origin.
   */
  follow<B, A>(endpoint: Endpoint<B, A>, link: string, body?: B, signal?: AbortSignal): Promise<A>;
  /** Is told how far lists are read. */
  readonly onList?: ServiceOptions['onList'];
  /** Live. */
  readonly stats: Readonly<ClientState['stats']>;
  /** Sends nothing new and waits for the writes in flight. */
  close(): Promise<void>;
}

/**
 * Opens a service without sending anything.
 * @throws StopError (usage) for an address or token that can't be used.
 */
export function openService(options: ServiceOptions): Service {
  const base = serviceAddress(options.baseUrl, options.allowHttp);
  const client = openClientState(base, options);
  const { ending } = client;
  let closing: Promise<void> | undefined;

  const call = async <A>(
    endpoint: Endpoint<never, A>,
    path: string,
    params: PathParams,
    body: unknown,
    { signal, marks }: Pick<SendInput<never>, 'signal' | 'marks'>,
  ) => {
    const request = await encodeRequest(endpoint as Endpoint, path, body, options.token);
    const both = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
    return sendUntilSettled(client, { endpoint, request, params, signal: both, marks });
  };

  return {
    baseUrl: base.href,
    timeout: options.timeout,
    async send(endpoint, input = {}) {
      const { params = {}, body, ...rest } = input;
      return call(endpoint as never, endpointPath(base, endpoint as Endpoint, params), params, body, rest);
    },
    async follow(endpoint, link, body, signal) {
      const path = sameOriginPath(base, link, endpoint as Endpoint);
      return call(endpoint as never, path, pageOf(path), body, { signal });
    },
    onList: options.onList,
    stats: client.stats,
    close() {
      if (!ending.signal.aborted) ending.abort(new InterruptedError('closed'));
      const { transport, stats, cut } = client;
      closing ??= (stats.out === 0 ? transport.destroy() : transport.close()).finally(() => cut.abort());
      return closing;
    },
  };
}

/** What the log says of a link: its page. */
function pageOf(path: string): PathParams {
  const page = new URLSearchParams(path.split('?')[1] ?? '').get('page');
  return page !== null && /^\d+$/.test(page) ? { page } : {};
}

const SHORT_MS = 250;

/** A request waited for so long that what it was decided by has to be looked at again before it goes out. */
export class OutOfDate extends Error {}

/** Told what is out of a write, so that it can be written down. */
export interface SendMarks {
  /** Awaited before an attempt is made, once the gate lets it out; what it throws keeps it in. */
  ready(): Promise<void>;
  /** Called when its connection is there, right before its first byte goes out; throwing keeps it in. */
  sending(): void;
  /** Looks again after one of these threw OutOfDate; what it throws keeps the request in. */
  renew?(): Promise<void>;
  /** No attempt so far had any effect, and another one follows when it may. */
  unsent(): Promise<void>;
  /** An attempt without an answer may still take effect, and another one follows. */
  doubted(): Promise<void>;
}

/**
 * Attempts until the request is settled: answered, failed for good, or stopped.
 * @throws RequestError, StopError or InterruptedError, as `Service.send` says.
 */
export async function sendUntilSettled<A>(client: ClientState, call: RequestCall<A>): Promise<A> {
  const endpoint = call.endpoint as Endpoint;
  let doubt: AttemptFailure | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await attemptUpToDate(client, call, attempt);
      if (result.ok) return result.answer;
      const { failure } = result;
      if (attempt > client.retries || !mayRetry(endpoint, failure)) {
        throw toRequestError(endpoint, failure, attempt, doubt !== null);
      }
      if (failure.effect) doubt = failure;
      if (doubt === null) await call.marks?.unsent();
      // A busy service turns away by the dozen: later rows and runs do not wait for each of them.
      else if (doubt.kind !== 'busy') await call.marks?.doubted();
      // Where the service named a time the gate waits, for all requests; a very short one is not trusted.
      if ((failure.wait ?? 0) < SHORT_MS) await waitBeforeRetry(client, call, { attempt, failure });
    } catch (error) {
      // Stopped meanwhile: an earlier attempt may have taken effect.
      if (doubt !== null && error instanceof StopError) throw toRequestError(endpoint, doubt, attempt, true);
      throw error;
    }
  }
}

async function waitBeforeRetry(
  { time, random, waits }: ClientState,
  { endpoint, signal }: Pick<RequestCall<unknown>, 'endpoint' | 'signal'>,
  { attempt, failure }: { readonly attempt: number; readonly failure: AttemptFailure },
): Promise<void> {
  const wait = backoff(attempt, random);
  waits.retry(wait, endpoint.name, failure.reason);
  try {
    await time.sleep(wait, signal);
  } catch (error) {
    throw signal.aborted ? interruption(signal) : error;
  }
}

/** An attempt of which what it was decided by is not old: that is looked at again, out of turn, where it is. */
async function attemptUpToDate<A>(
  client: ClientState,
  call: RequestCall<A>,
  attempt: number,
): Promise<AttemptResult<A>> {
  for (let isFirst = attempt === 1; ; isFirst = false) {
    try {
      return await attemptInTurn(client, call, { attempt, isFirst });
    } catch (error) {
      if (!(error instanceof OutOfDate) || call.marks?.renew === undefined) throw error;
      await call.marks.renew();
    }
  }
}

async function attemptInTurn<A>(
  client: ClientState,
  call: RequestCall<A>,
  { attempt, isFirst }: { readonly attempt: number; readonly isFirst: boolean },
): Promise<AttemptResult<A>> {
  const { slot, release } = await client.gate.acquire(call.signal, !isFirst);
  let ending: RequestEnding = 'failed';
  try {
    const turnAt = client.time.steady();
    await call.marks?.ready();
    if (call.signal.aborted) throw interruption(call.signal);
    client.gate.prepared(client.time.steady() - turnAt);
    const first = await client.gate.ready(slot, call.signal);
    const startedAt = client.time.steady();
    client.stats.requests += 1;
    if (attempt > 1) client.stats.retried += 1;
    const exchanged = await exchangeInSlot(client, call, first);
    ending = endingOf(exchanged);
    const ms = client.time.steady() - startedAt;
    if (ending === 'accepted') client.latency.answered(ms);
    logExchange(client, call, exchanged, { attempt, ms });
    if (exchanged.status === 401) throw refuseToken(client, exchanged);
    if (!exchanged.ok) heedPause(client, exchanged.failure);
    return exchanged;
  } finally {
    release(ending);
  }
}

function endingOf(exchanged: Exchange<unknown>): RequestEnding {
  const { status } = exchanged;
  const failure = exchanged.ok ? null : exchanged.failure;
  if (status === null || (failure?.kind === 'lost' && status !== 503)) return 'failed';
  if (status !== 429 && status !== 503) return 'accepted';
  return { turnedAway: true, wait: failure?.wait ?? null, tooMany: status === 429 };
}

/** One request on its way, possibly in several attempts. */
interface RequestCall<A> {
  readonly endpoint: Endpoint<never, A>;
  readonly request: WireRequest;
  readonly params: PathParams;
  readonly signal: AbortSignal;
  readonly marks: SendMarks | undefined;
}

/** One attempt's result, with what the log says about it. */
type Exchange<A> = AttemptResult<A> & { readonly status: number | null; readonly bytes: number };

/** A slot is missed while a connection is made; the next request of it finds one. */
const CONNECTING = 3;

/** Exchanges within a slot: in another one where a connection took too long. */
async function exchangeInSlot<A>(
  client: ClientState,
  call: RequestCall<A>,
  first: number,
): Promise<Exchange<A>> {
  let slot = first;
  for (let missed = 0; ; missed += 1) {
    try {
      // A service that closes each connection makes all requests late alike, and so none too many.
      return await exchange(client, call, missed < CONNECTING ? slot : Number.NEGATIVE_INFINITY);
    } catch (error) {
      if (!(error instanceof SlotMissed)) throw error;
      slot = await client.gate.ready(slot, call.signal);
    }
  }
}

/** Sends an attempt and reads its answer. @throws InterruptedError, SlotMissed, or what ended the service. */
async function exchange<A>(client: ClientState, call: RequestCall<A>, slot: number): Promise<Exchange<A>> {
  const endpoint = call.endpoint as Endpoint;
  const isRead = endpoint.effect === 'none';
  // A write that is out gets its answer where that comes soon: cut off at once, it would be in doubt.
  const cuts = { stop: call.signal, cut: isRead ? call.signal : client.cut.signal };
  let out = 0;
  const sending = (): void => {
    client.gate.check(slot);
    if (!isRead) client.mayWrite?.();
    call.marks?.sending();
    out = isRead ? 0 : 1;
    client.stats.out += out;
  };
  try {
    const answer = await client.transport.exchange(call.request, cuts, sending);
    const reading = { scrub: client.scrub, now: client.time.now(), path: call.request.path };
    client.stats.ahead = aheadIn(answer.headers.date, reading.now) ?? client.stats.ahead;
    const result = readAnswer(call.endpoint, answer, reading);
    return { ...result, status: answer.status, bytes: answer.bytes.length };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (call.signal.aborted && (isRead || !error.written)) throw interruption(call.signal);
    // undici's errors hold bytes of the answer: the code and a scrubbed message alone are kept.
    const cause = new Error(client.scrub(error.message));
    const failure = transportFailure(endpoint, error, { cause, timeout: client.timeout });
    return { ok: false, failure, status: error.status, bytes: 0 };
  } finally {
    client.stats.out -= out;
  }
}

/** How far an answer's `Date` (whole seconds, UTC) is ahead of our clock, ms; null without one. */
function aheadIn(date: string | undefined, now: number): number | null {
  const told = Date.parse(date ?? '');
  return Number.isNaN(told) ? null : told + 500 - now;
}

/** Counts an attempt and logs one line about it, without bodies. */
function logExchange<A>(
  client: ClientState,
  call: RequestCall<A>,
  exchanged: Exchange<A>,
  line: { attempt: number; ms: number },
): void {
  const { stats, log } = client;
  const { status, bytes } = exchanged;
  stats.bytes += bytes;
  if (status === 429 || status === 503) stats.refused += 1;
  const { name, method, path } = call.endpoint;
  const entry = { endpoint: name, method, path, ...call.params, status, bytes, ...line };
  if (exchanged.ok) {
    log.info(entry, 'request');
    return;
  }
  const { kind, reason, words, wait } = exchanged.failure;
  if (kind === 'lost') stats.lost += 1;
  log.warn({ ...entry, kind, reason: reason.en, words, wait }, 'request');
}

/** Tells of a pause that the service asks for; one that is not waited for ends the service. */
function heedPause({ waits, ending }: ClientState, { wait, reason, effect }: AttemptFailure): void {
  try {
    waits.asked(wait ?? 0, reason);
  } catch (stop) {
    if (!ending.signal.aborted) ending.abort(stop);
    // What may have been done is in doubt, and no request asks any more.
    if (!effect) throw stop;
  }
}

/** A token that is refused once is refused always: ends the service. */
function refuseToken(client: ClientState, exchanged: Exchange<unknown>): StopError {
  const said = exchanged.ok ? null : exchanged.failure.words;
  const tail = said === null ? '' : `: ${said}`;
  const text = t(`The service refuses the token (401)${tail}`, `Het systeem weigert het token (401)${tail}`);
  const stop = new StopError(EXIT.service, text, { next: CHECK_TOKEN });
  if (!client.ending.signal.aborted) client.ending.abort(stop);
  return stop;
}

const CHECK_TOKEN = withFlag(
  t(
    'Check the token, and that it belongs to this address.',
    'Kijk het token na, en of het bij dit adres hoort.',
  ),
  'CATERSHEET_TOKEN, --token-file',
);
