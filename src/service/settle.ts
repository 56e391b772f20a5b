import { StopError } from '../errors.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import type { Attempt } from './attempt.ts';
import { type Failure, mayRepeat, toRequestError } from './failure.ts';
import type { Leaving } from './gate.ts';
import { type Call, type Heard, hear, note, refuseToken } from './hear.ts';
import { interruption } from './interrupted-error.ts';
import { backoff } from './retry-timing.ts';
import type { Wiring } from './wiring.ts';

const SHORT_MS = 250;

/**
 * Attempts until the request is settled: answered, failed for good, or stopped.
 * @throws RequestError, StopError or InterruptedError, as `Service.send` says.
 */
export async function settle<A>(wiring: Wiring, call: Call<A>): Promise<A> {
  const endpoint = call.endpoint as Endpoint;
  let doubt: Failure | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await inTurn(wiring, call, attempt);
      if (result.ok) return result.answer;
      const { failure } = result;
      if (attempt > wiring.retries || !mayRepeat(endpoint, failure)) {
        throw toRequestError(endpoint, failure, attempt, doubt !== null);
      }
      if (failure.effect) doubt = failure;
      // Where the service named a time, the gate waits for all; next to no time is no reason to hammer it.
      if ((failure.wait ?? 0) < SHORT_MS) await rest(wiring, call.signal, attempt);
    } catch (error) {
      // Stopped on the way: what an earlier attempt may have done must not be forgotten.
      if (doubt !== null && error instanceof StopError) throw toRequestError(endpoint, doubt, attempt, true);
      throw error;
    }
  }
}

async function rest({ clock }: Wiring, signal: AbortSignal, attempt: number): Promise<void> {
  try {
    await clock.sleep(backoff(attempt, clock.random), signal);
  } catch (error) {
    throw signal.aborted ? interruption(signal) : error;
  }
}

async function inTurn<A>(wiring: Wiring, call: Call<A>, attempt: number): Promise<Attempt<A>> {
  const leave = await wiring.gate.enter(call.signal, attempt > 1);
  const startedAt = wiring.clock.now();
  wiring.counts.requests += 1;
  if (attempt > 1) wiring.counts.retried += 1;
  let leaving: Leaving = 'failed';
  try {
    const heard = await hear(wiring, call);
    leaving = judgeLeaving(heard);
    const ms = wiring.clock.now() - startedAt;
    if (leaving === 'accepted') wiring.latency.answered(ms);
    note(wiring, call, heard, { attempt, ms });
    if (heard.status === 401) throw refuseToken(wiring, heard);
    return heard.attempt;
  } finally {
    leave(leaving);
  }
}

function judgeLeaving({ attempt, status }: Heard<unknown>): Leaving {
  if (status === null || (!attempt.ok && attempt.failure.kind === 'lost')) return 'failed';
  if (status !== 429 && status !== 503) return 'accepted';
  return { turnedAway: true, wait: attempt.ok ? null : attempt.failure.wait, tooMany: status === 429 };
}
