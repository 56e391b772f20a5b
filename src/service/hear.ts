import { EXIT, StopError } from '../errors.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import type { PathParams } from './address.ts';
import { type Attempt, readAnswer } from './attempt.ts';
import { interruption } from './interrupted-error.ts';
import { TransportError, type WireRequest } from './transport.ts';
import { transportFailure } from './transport-failure.ts';
import type { Wiring } from './wiring.ts';

/** One request on its way, possibly in several attempts. */
export interface Call<A> {
  readonly endpoint: Endpoint<never, A>;
  readonly request: WireRequest;
  readonly params: PathParams;
  readonly signal: AbortSignal;
}

/** What came of one attempt, with what a log says about it. */
export interface Heard<A> {
  readonly attempt: Attempt<A>;
  readonly status: number | null;
  readonly bytes: number;
}

/** Sends an attempt and reads what comes back. @throws InterruptedError or what ended the service. */
export async function hear<A>(wiring: Wiring, call: Call<A>): Promise<Heard<A>> {
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
export function note<A>(
  wiring: Wiring,
  call: Call<A>,
  heard: Heard<A>,
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
export function refuseToken(wiring: Wiring, heard: Heard<unknown>): StopError {
  const said = heard.attempt.ok ? null : heard.attempt.failure.words;
  const tail = said === null ? '' : `: ${said}`;
  const stop = new StopError(
    EXIT.service,
    { en: `The service refuses the token (401)${tail}`, nl: `De dienst weigert het token (401)${tail}` },
    {
      next: {
        en: 'Check the token in CATERSHEET_TOKEN or in the token file, and that it belongs to this base URL.',
        nl: 'Kijk het token na in CATERSHEET_TOKEN of in het tokenbestand, en of het bij dit adres hoort.',
      },
    },
  );
  if (!wiring.ending.signal.aborted) wiring.ending.abort(stop);
  return stop;
}
