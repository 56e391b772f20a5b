import type { Logger } from 'pino';
import { EXIT, StopError } from '../errors.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import type { PathParams } from './address.ts';
import { type Attempt, readAnswer } from './attempt.ts';
import type { Clock } from './clock.ts';
import { type Failure, mayRepeat, toRequestError, transportFailure } from './failure.ts';
import type { Gate, Leaving } from './gate.ts';
import { interruption } from './interrupted-error.ts';
import { backoff } from './retry-timing.ts';
import { type Transport, TransportError, type WireRequest } from './transport.ts';
import type { Scrub } from './words.ts';

/** What all requests of one service share. */
export interface House {
  readonly transport: Transport;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly scrub: Scrub;
  readonly log: Logger;
  readonly counts: { requests: number; retried: number; refused: number; lost: number; bytes: number };
  /** Aborted when nothing may be sent any more; its reason says why. */
  readonly ending: AbortController;
  readonly retries: number;
}

/** One request on its way, possibly in several attempts. */
export interface Call<A> {
  readonly endpoint: Endpoint<never, A>;
  readonly request: WireRequest;
  readonly params: PathParams;
  readonly signal: AbortSignal;
}

const SHORT_MS = 250;

/**
 * Attempts until the request is settled: answered, failed for good, or stopped.
 * @throws RequestError, StopError or InterruptedError, as `Service.send` says.
 */
export async function settle<A>(house: House, call: Call<A>): Promise<A> {
  const endpoint = call.endpoint as Endpoint;
  let doubt: Failure | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await inTurn(house, call, attempt);
      if (result.ok) return result.answer;
      const { failure } = result;
      if (attempt > house.retries || !mayRepeat(endpoint, failure)) {
        throw toRequestError(endpoint, failure, attempt, doubt !== null);
      }
      if (failure.effect) doubt = failure;
      // Where the service named a time, the gate waits for all; next to no time is no reason to hammer it.
      if ((failure.wait ?? 0) < SHORT_MS) await rest(house, call.signal, attempt);
    } catch (error) {
      // Stopped on the way: what an earlier attempt may have done must not be forgotten.
      if (doubt !== null && error instanceof StopError) throw toRequestError(endpoint, doubt, attempt, true);
      throw error;
    }
  }
}

async function rest({ clock }: House, signal: AbortSignal, attempt: number): Promise<void> {
  try {
    await clock.sleep(backoff(attempt, clock.random), signal);
  } catch (error) {
    throw signal.aborted ? interruption(signal) : error;
  }
}

async function inTurn<A>(house: House, call: Call<A>, attempt: number): Promise<Attempt<A>> {
  const leave = await house.gate.enter(call.signal, attempt > 1);
  const startedAt = house.clock.now();
  house.counts.requests += 1;
  if (attempt > 1) house.counts.retried += 1;
  let leaving: Leaving = 'failed';
  try {
    const heard = await hear(house, call);
    leaving = judgeLeaving(heard);
    note(house, call, heard, { attempt, ms: house.clock.now() - startedAt });
    if (heard.status === 401) throw refuseToken(house, heard);
    return heard.attempt;
  } finally {
    leave(leaving);
  }
}

interface Heard<A> {
  readonly attempt: Attempt<A>;
  readonly status: number | null;
  readonly bytes: number;
}

async function hear<A>(house: House, call: Call<A>): Promise<Heard<A>> {
  const endpoint = call.endpoint as Endpoint;
  // A write in flight is always heard out: cutting it off would only make its outcome unknown.
  const signal = endpoint.effect === 'none' ? call.signal : undefined;
  try {
    const answer = await house.transport.exchange(call.request, signal);
    const reading = { scrub: house.scrub, now: house.clock.now(), path: call.request.path };
    const attempt = readAnswer(call.endpoint, answer, reading);
    return { attempt, status: answer.status, bytes: answer.bytes.length };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (signal?.aborted) throw interruption(signal);
    // undici's errors hold bytes of the answer; a code and a scrubbed message are all that is kept.
    const failure = transportFailure(endpoint, error, new Error(house.scrub(error.message)));
    return { attempt: { ok: false, failure }, status: error.status, bytes: 0 };
  }
}

function judgeLeaving({ attempt, status }: Heard<unknown>): Leaving {
  if (status === null || (!attempt.ok && attempt.failure.kind === 'lost')) return 'failed';
  if (status !== 429 && status !== 503) return 'accepted';
  return { turnedAway: true, wait: attempt.ok ? null : attempt.failure.wait };
}

function note<A>(house: House, call: Call<A>, heard: Heard<A>, line: { attempt: number; ms: number }): void {
  const { counts, log } = house;
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
  log.warn({ ...entry, kind, reason, words, wait }, 'request');
}

/** A token that is refused once is refused always: nothing more is sent. */
function refuseToken(house: House, heard: Heard<unknown>): StopError {
  const said = heard.attempt.ok ? null : heard.attempt.failure.words;
  const stop = new StopError(
    EXIT.service,
    `The service refuses the token (401)${said === null ? '' : `: ${said}`}`,
    {
      next: 'Check the token in CATERSHEET_TOKEN or in the token file, and that it belongs to this base URL.',
    },
  );
  if (!house.ending.signal.aborted) house.ending.abort(stop);
  return stop;
}
