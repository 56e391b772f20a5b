import { StopError } from '../../errors.ts';
import { RequestError } from '../../service/request-error.ts';
import { wallClock } from '../context.ts';
import { failureOf } from './failure-outcome.ts';
import { changedSince, orInterrupted, repeats, settleSoon } from './look-whether.ts';
import { type resolveStep, sendResolved } from './send-steps.ts';
import type { Attempt, Sending, Sent } from './sending.ts';
import { noIdText, refusedText, takenText } from './texts.ts';

type Resolved = Awaited<ReturnType<typeof resolveStep>>;

export async function sendUntilKnown(
  sending: Sending,
  one: Attempt,
  resolved: Resolved,
  resends: number,
): Promise<Sent> {
  const { context } = sending;
  const giveBack = await sending.turns.take();
  const since = context.clock();
  try {
    orInterrupted(sending);
    return await sendOnce(sending, one, resolved, since);
  } catch (error) {
    giveBack();
    if (!(error instanceof RequestError)) throw error;
    const settled = await settleFailed(sending, one, { resolved, since, error });
    if (settled !== 'again') return settled;
    return resends > 0
      ? await sendUntilKnown(sending, one, resolved, resends - 1)
      : failed(sending, one, error);
  } finally {
    giveBack();
  }
}

function failed(sending: Sending, { planned, id }: Attempt, error: RequestError): Sent {
  return { ending: { id, ...failureOf(planned, error, sending.addressOf) } };
}

/** Writes down that it is sent, and sends it. Throws RequestError where no answer came that could be understood. */
async function sendOnce(sending: Sending, one: Attempt, resolved: Resolved, since: Date): Promise<Sent> {
  const { context, resource, run } = sending;
  const { planned, step, at, id } = one;
  const holder = await claim(sending, one, since);
  if (holder !== undefined) {
    const status = holder.state === 'done' ? 'unchanged' : 'conflict';
    return { ending: { status, id: holder.id ?? id, message: takenText(holder), issues: [] } };
  }
  const progress = { done: at, id, sendingSince: exactly(since) };
  await context.ledger.saveProgress(run, planned.seq, progress, repeats(step));
  try {
    const answer = await (sending.guard.carryOut?.(step, resolved) ??
      sendResolved(context, resource, step, resolved));
    sending.breaker.note(null);
    if (answer.success && (step.purpose !== 'create' || answer.id !== null))
      return { id: answer.id ?? id, body: resolved.body };
    if (answer.success) return { ending: { status: 'unknown', id, message: noIdText(), issues: [] } };
    await unsent(sending, one);
    return { ending: { status: 'failed', id, message: refusedText(answer.message), issues: [] } };
  } catch (error) {
    if (error instanceof StopError) await unsent(sending, one);
    throw error;
  }
}

interface Failed {
  readonly resolved: Resolved;
  readonly since: Date;
  readonly error: RequestError;
}

/** What became of a request that failed; `again` when it certainly did not take effect and may be sent once more. */
async function settleFailed(
  sending: Sending,
  one: Attempt,
  { resolved, since, error }: Failed,
): Promise<Sent | 'again'> {
  const { planned, id } = one;
  if (!error.mayHaveTakenEffect) {
    sending.breaker.note(error);
    await unsent(sending, one);
    return failed(sending, one, error);
  }
  const verdict = await settleSoon(sending, one, resolved.body, since);
  // Where the service could be asked what became of it, it is there.
  sending.breaker.note(verdict === null ? error : null);
  if (verdict === 'no') {
    const changed = await changedSince(sending, one);
    return changed === null ? 'again' : { ending: changed };
  }
  if (verdict !== null) return { id: verdict.id ?? id, body: resolved.body };
  // What could be settled were it not for the interruption is settled when the run goes on.
  if (planned.steps.every(({ purpose }) => purpose !== 'post')) orInterrupted(sending);
  return failed(sending, one, error);
}

/** Takes the posting's place in the ledger; answers who has it, when it is another row. */
async function claim({ context, resource, run }: Sending, { planned, step }: Attempt, since: Date) {
  const { fingerprint } = step;
  if (fingerprint === undefined) return undefined;
  const posting = {
    fingerprint,
    run,
    seq: planned.seq,
    state: 'sending',
    at: wallClock(since),
    id: null,
  } as const;
  return await context.ledger.claimPosting(context.serviceKey, resource.name, posting, step.also);
}

/** The request certainly had no effect: nothing is in doubt any more. */
async function unsent(
  { context, resource, run }: Sending,
  { planned, step, at, id }: Attempt,
): Promise<void> {
  const { ledger, serviceKey } = context;
  if (step.fingerprint !== undefined)
    await ledger.settlePosting(serviceKey, resource.name, step.fingerprint, null, false);
  await ledger.saveProgress(run, planned.seq, { done: at, id, sendingSince: null }, false);
}

function exactly(moment: Date): string {
  return `${wallClock(moment)}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
}
