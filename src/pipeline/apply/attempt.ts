import { setTimeout as sleep } from 'node:timers/promises';
import { StopError } from '../../errors.ts';
import type { PlannedRow, Step } from '../../schema/plan.ts';
import type { Values } from '../../schema/value.ts';
import { RequestError } from '../../service/request-error.ts';
import { wallClock } from '../context.ts';
import type { Verdict } from '../kinds/kind.ts';
import type { Ending } from './ending.ts';
import { explainDoubt } from './explain-doubt.ts';
import { failureOf } from './failure-outcome.ts';
import { MissingRecord, resolveStep, sendResolved } from './send-steps.ts';
import type { Sending } from './sending.ts';
import { doubtText, noIdText, noRecordText, refusedText, takenText } from './texts.ts';

/** One step of a row, about to be sent. */
export interface Attempt {
  readonly planned: PlannedRow;
  readonly step: Step;
  /** Its place among the row's steps. */
  readonly at: number;
  readonly id: number | null;
  /** When an earlier try sent it without an answer; null when it was not sent before. */
  readonly doubt: string | null;
}

/** It went through, or what became of the row. */
export type Sent = { readonly id: number | null; readonly body: Values } | { readonly ending: Ending };

/** How long to wait before believing that a lost request did not take effect: the service may be at it still. */
const PATIENCE = [300, 1200];
/** How often a create whose answer was lost, and that certainly is not there, is sent again. */
const RESENDS = 3;

/** Sends one step so that it takes effect once, or it is known that this is not known. */
export async function attempt(sending: Sending, one: Attempt): Promise<Sent> {
  const { context, resource } = sending;
  const resolved = await resolveStep(context, resource, one.step, one.id).catch((error: unknown) => {
    if (error instanceof MissingRecord) return null;
    throw error;
  });
  if (resolved === null)
    return { ending: { status: 'not sent', id: one.id, message: noRecordText(), issues: [] } };
  const { body } = resolved;
  if (one.doubt !== null) {
    // Answered and written down, and cut off before the row's outcome was.
    const settled = await ownPosting(sending, one);
    if (settled?.state === 'done') return { id: settled.id ?? one.id, body };
    const verdict = await verdictOn(sending, one, body, new Date(one.doubt.replace(' ', 'T')));
    if (verdict !== 'no' && verdict !== null) return { id: verdict.id ?? one.id, body };
    if (verdict === null && repeats(one.step)) {
      const message = doubtText(one.doubt);
      const ending = { status: 'unknown', id: one.id, message, issues: [] } as const;
      return { ending: await explainDoubt(sending, { planned: one.planned, body }, ending) };
    }
  }
  const sent = await sendUntilKnown(sending, one, resolved, RESENDS);
  if (!('ending' in sent)) return sent;
  return { ending: await explainDoubt(sending, { planned: one.planned, body }, sent.ending) };
}

/** A step that takes place anew each time it is sent. */
const repeats = ({ purpose }: Step): boolean => purpose === 'create' || purpose === 'post';

type Resolved = Awaited<ReturnType<typeof resolveStep>>;

async function sendUntilKnown(
  sending: Sending,
  one: Attempt,
  resolved: Resolved,
  resends: number,
): Promise<Sent> {
  const { context, resource, run } = sending;
  const { planned, step, at, id } = one;
  const since = context.clock();
  const holder = await claim(sending, one, since);
  if (holder !== undefined) {
    const status = holder.state === 'done' ? 'unchanged' : 'conflict';
    return { ending: { status, id: holder.id ?? id, message: takenText(holder), issues: [] } };
  }
  const progress = { done: at, id, sendingSince: exactly(since) };
  await context.ledger.saveProgress(run, planned.seq, progress, repeats(step));
  try {
    const answer = await sendResolved(context, resource, step, resolved);
    sending.breaker.note(null);
    if (answer.success && (step.purpose !== 'create' || answer.id !== null))
      return { id: answer.id ?? id, body: resolved.body };
    if (answer.success) return { ending: { status: 'unknown', id, message: noIdText(), issues: [] } };
    await unsent(sending, one);
    return { ending: { status: 'failed', id, message: refusedText(answer.message), issues: [] } };
  } catch (error) {
    if (error instanceof StopError) await unsent(sending, one);
    if (!(error instanceof RequestError)) throw error;
    sending.breaker.note(error);
    if (!error.mayHaveTakenEffect) {
      await unsent(sending, one);
      return { ending: { id, ...failureOf(planned, error, sending.addressOf) } };
    }
    const verdict = await settleSoon(sending, one, resolved.body, since);
    if (verdict !== 'no' && verdict !== null) return { id: verdict.id ?? id, body: resolved.body };
    if (verdict === 'no' && resends > 0) return await sendUntilKnown(sending, one, resolved, resends - 1);
    return { ending: { id, ...failureOf(planned, error, sending.addressOf) } };
  }
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
  return await context.ledger.claimPosting(context.serviceKey, resource.name, posting);
}

async function ownPosting({ context, resource, run }: Sending, { planned, step }: Attempt) {
  const { fingerprint } = step;
  if (fingerprint === undefined) return undefined;
  const found = await context.ledger.findPostings(context.serviceKey, resource.name, [fingerprint]);
  const posting = found.get(fingerprint);
  return posting?.run === run && posting.seq === planned.seq ? posting : undefined;
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

/** Looks, and when it is not there looks again a little later, before that is believed. */
async function settleSoon(sending: Sending, one: Attempt, body: Values, since: Date): Promise<Verdict> {
  for (const wait of PATIENCE) {
    const verdict = await verdictOn(sending, one, body, since);
    if (verdict !== 'no') return verdict;
    await sleep(wait);
  }
  return await verdictOn(sending, one, body, since);
}

async function verdictOn(sending: Sending, one: Attempt, body: Values, since: Date): Promise<Verdict> {
  const { planned, step, id } = one;
  const verdict = await sending.guard.tookEffect({ run: sending.run, planned, step, id, body, since });
  sending.context.log.info(
    { sheet: planned.sheet, row: planned.row, endpoint: step.endpoint, verdict },
    'looked whether it took effect',
  );
  return verdict;
}

function exactly(moment: Date): string {
  return `${wallClock(moment)}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
}
