import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import type { PathParams } from './address.ts';
import type { ClientState } from './client-state.ts';
import { type AttemptFailure, backoff, mayRetry, toRequestError, transportFailure } from './failure.ts';
import type { RequestEnding } from './gate.ts';
import { type AttemptResult, readAnswer } from './read-answer.ts';
import { interruption } from './request-error.ts';
import { TransportError, type WireRequest } from './transport.ts';

const SHORT_MS = 250;

/**
 * Attempts until the request is settled: answered, failed for good, or stopped.
 * @throws RequestError, StopError or InterruptedError, as `Service.send` says.
 */
export async function sendUntilSettled<A>(wiring: ClientState, call: RequestCall<A>): Promise<A> {
  const endpoint = call.endpoint as Endpoint;
  let doubt: AttemptFailure | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await attemptInTurn(wiring, call, attempt);
      if (result.ok) return result.answer;
      const { failure } = result;
      if (attempt > wiring.retries || !mayRetry(endpoint, failure)) {
        throw toRequestError(endpoint, failure, attempt, doubt !== null);
      }
      if (failure.effect) doubt = failure;
      // Where the service named a time, the gate waits for all; next to no time is no reason to hammer it.
      if ((failure.wait ?? 0) < SHORT_MS) await waitBeforeRetry(wiring, call.signal, attempt);
    } catch (error) {
      // Stopped on the way: what an earlier attempt may have done must not be forgotten.
      if (doubt !== null && error instanceof StopError) throw toRequestError(endpoint, doubt, attempt, true);
      throw error;
    }
  }
}

async function waitBeforeRetry({ clock }: ClientState, signal: AbortSignal, attempt: number): Promise<void> {
  try {
    await clock.sleep(backoff(attempt, clock.random), signal);
  } catch (error) {
    throw signal.aborted ? interruption(signal) : error;
  }
}

async function attemptInTurn<A>(
  wiring: ClientState,
  call: RequestCall<A>,
  attempt: number,
): Promise<AttemptResult<A>> {
  const leave = await wiring.gate.enter(call.signal, attempt > 1);
  const startedAt = wiring.clock.now();
  wiring.counts.requests += 1;
  if (attempt > 1) wiring.counts.retried += 1;
  let leaving: RequestEnding = 'failed';
  try {
    const heard = await exchange(wiring, call);
    leaving = judgeLeaving(heard);
    const ms = wiring.clock.now() - startedAt;
    if (leaving === 'accepted') wiring.latency.answered(ms);
    logExchange(wiring, call, heard, { attempt, ms });
    if (heard.status === 401) throw refuseToken(wiring, heard);
    return heard.attempt;
  } finally {
    leave(leaving);
  }
}

function judgeLeaving({ attempt, status }: Exchange<unknown>): RequestEnding {
  if (status === null || (!attempt.ok && attempt.failure.kind === 'lost')) return 'failed';
  if (status !== 429 && status !== 503) return 'accepted';
  return { turnedAway: true, wait: attempt.ok ? null : attempt.failure.wait, tooMany: status === 429 };
}

/** One request on its way, possibly in several attempts. */
interface RequestCall<A> {
  readonly endpoint: Endpoint<never, A>;
  readonly request: WireRequest;
  readonly params: PathParams;
  readonly signal: AbortSignal;
}

/** What came of one attempt, with what a log says about it. */
interface Exchange<A> {
  readonly attempt: AttemptResult<A>;
  readonly status: number | null;
  readonly bytes: number;
}

/** Sends an attempt and reads what comes back. @throws InterruptedError or what ended the service. */
async function exchange<A>(wiring: ClientState, call: RequestCall<A>): Promise<Exchange<A>> {
  const endpoint = call.endpoint as Endpoint;
  // A write in flight is always heard out: cutting it off would only make its outcome unknown.
  const signal = endpoint.effect === 'none' ? call.signal : undefined;
  try {
    const answer = await wiring.transport.exchange(call.request, signal);
    const reading = { scrub: wiring.scrub, now: wiring.clock.now(), path: call.request.path };
    wiring.ahead = aheadIn(answer.headers.date, reading.now) ?? wiring.ahead;
    const attempt = readAnswer(call.endpoint, answer, reading);
    return { attempt, status: answer.status, bytes: answer.bytes.length };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (signal?.aborted) throw interruption(signal);
    // undici's errors hold bytes of the answer; a code and a scrubbed message are all that is kept.
    const failure = transportFailure(endpoint, error, new Error(wiring.scrub(error.message)));
    return { attempt: { ok: false, failure }, status: error.status, bytes: 0 };
  }
}

/** How far the clock of an answer's `Date`, which is whole seconds of UTC, is ahead of ours; null where it says nothing. */
function aheadIn(date: string | undefined, now: number): number | null {
  const told = Date.parse(date ?? '');
  return Number.isNaN(told) ? null : told + 500 - now;
}

/** Counts an attempt and logs it: one line, without bodies. */
function logExchange<A>(
  wiring: ClientState,
  call: RequestCall<A>,
  heard: Exchange<A>,
  line: { attempt: number; ms: number },
): void {
  const { counts, log } = wiring;
  const { attempt, status, bytes } = heard;
  counts.bytes += bytes;
  if (status === 429 || status === 503) counts.refused += 1;
  const { name, method, path } = call.endpoint;
  const entry = { endpoint: name, method, path, ...call.params, status, bytes, ...line };
  if (attempt.ok) {
    log.info(entry, 'request');
    return;
  }
  const { kind, reason, words, wait } = attempt.failure;
  if (kind === 'lost') counts.lost += 1;
  log.warn({ ...entry, kind, reason: reason.en, words, wait }, 'request');
}

/** A token that is refused once is refused always: nothing more is sent. */
function refuseToken(wiring: ClientState, heard: Exchange<unknown>): StopError {
  const said = heard.attempt.ok ? null : heard.attempt.failure.words;
  const tail = said === null ? '' : `: ${said}`;
  const stop = new StopError(
    EXIT.service,
    t(`The service refuses the token (401)${tail}`, `De dienst weigert het token (401)${tail}`),
    {
      next: t(
        'Check the token in CATERSHEET_TOKEN or in the token file, and that it belongs to this base URL.',
        'Kijk het token na in CATERSHEET_TOKEN of in het tokenbestand, en of het bij dit adres hoort.',
      ),
    },
  );
  if (!wiring.ending.signal.aborted) wiring.ending.abort(stop);
  return stop;
}
