import { StopError } from '../../core/errors.ts';
import { issueAt } from '../../core/issue.ts';
import { inOne, t } from '../../core/language.ts';
import type { Step } from '../../core/plan.ts';
import type { Values } from '../../core/value.ts';
import { lookUntil, rememberResend } from '../../records/doubts.ts';
import { ALREADY_GONE } from '../../records/planning.ts';
import type { EffectVerdict, ResolvedStep } from '../../records/row-guard.ts';
import { arrivesUntil, momentOf, tellText } from '../../records/sent-before.ts';
import { wallClock } from '../../run/context.ts';
import type { WriteAnswer } from '../../schema/answer.ts';
import { FROM_PROXIES } from '../../service/failure.ts';
import { RequestError } from '../../service/request-error.ts';
import {
  changedMeanwhile,
  ended,
  intentOf,
  KeptIn,
  overtaken,
  repeats,
  resolveStep,
  sendResolved,
} from './intent.ts';
import { doubtText, lookedForAgainText, NO_ID, NO_RECORD, REFUSED, unansweredText } from './outcomes.ts';
import { type Attempt, type Ending, isTurnedAway, type Sending, type Sent } from './sending.ts';

/** How often what is not there is sent again. */
const RESENDS = 3;
/** How long an update or delete is looked for before that, ms. */
const SOON = 1200;

/** What became of a row is in doubt, and left to who goes on with the run. */
export class LeftInDoubt extends Error {
  override readonly name = 'LeftInDoubt';
}

/** How a request was not done, as far as its answer tells. */
type Answered = 'lost' | 'unclear' | 'refused' | 'missing' | 'turned away';

function answeredBy({ kind, mayHaveTakenEffect, unclear }: RequestError): Answered {
  if (mayHaveTakenEffect) return 'lost';
  if (unclear) return 'unclear';
  if (kind === 'missing') return 'missing';
  return kind === 'refused' || kind === 'conflict' ? 'refused' : 'turned away';
}

/**
 * What follows: it is looked for until it can no longer arrive (`wait`), or once (`look`), it is as it should
 * be (`gone`), nobody can tell (`unknown`); else it failed.
 */
const NEXT: Partial<
  Record<Step['purpose'], Partial<Record<Answered, 'wait' | 'look' | 'gone' | 'unknown'>>>
> = {
  create: { lost: 'wait', unclear: 'look' },
  update: { lost: 'wait' },
  delete: { lost: 'wait', unclear: 'look', refused: 'look', missing: 'gone' },
  post: { lost: 'unknown', unclear: 'unknown' },
};

/**
 * Sends one step so that it takes effect once. What an earlier try left in doubt is settled first. Where an
 * answer is lost, it is looked for: what is there is done, what is not is sent again, a create only when it can
 * no longer arrive and is proven not to be there. Where that can't be told, the row's outcome is `unknown`. A
 * posting is never looked for, nor sent again.
 */
export async function sendOnce(sending: Sending, one: Attempt): Promise<Sent> {
  if (one.doubt !== null && sending.leaves) throw new LeftInDoubt();
  const resolved = await resolveStep(sending, one.step, one.id);
  if (resolved === null) return ended('not sent', one.id, NO_RECORD);
  const { body } = resolved;
  let sent = one.doubt === null ? null : await settleEarlier(sending, one, body);
  for (let left = RESENDS; sent === null; left--) sent = await attempt(sending, one, resolved, left);
  if (!('ending' in sent) || sent.ending.status !== 'unknown') return sent;
  // What the user can look at.
  const words = sending.guard.describeDoubt?.({ planned: one.planned, body });
  const told = [sent.ending.message ?? [], words ?? []].flat();
  return { ending: { ...sent.ending, message: inOne(told, '; ') } };
}

/** What an earlier try of it came to; null where it is to be sent again. */
async function settleEarlier(sending: Sending, one: Attempt, body: Values): Promise<Sent | null> {
  const { planned, step, id } = one;
  const { context, resource, run, late } = sending;
  const { fingerprint = '' } = step;
  // How long ago it was sent only our clock tells, which may have been set since.
  const latest = context.doubts.fromStart();
  // An update or delete may be repeated at once; it may arrive twice until then.
  if (!repeats(step)) await late.add(planned, id, latest);
  const postings = await context.ledger.findPostings(context.serviceKey, resource.name, [fingerprint]);
  const holder = postings.get(fingerprint);
  // Answered and recorded; the run was cut off before the row's outcome was.
  if (holder?.run === run && holder.seq === planned.seq && holder.state === 'done')
    return { id: holder.id ?? id, body };
  const until = repeats(step) ? latest : 0;
  // Another run sent it since, as this try had not arrived.
  const isOthers = holder !== undefined && holder.run !== run;
  const verdict = isOthers
    ? 'no'
    : await look(sending, one, { body, since: momentOf(one.doubt ?? ''), until });
  if (verdict !== 'no' && verdict !== null) return { id: verdict.id ?? id, body };
  if (verdict === null && repeats(step))
    return ended('unknown', id, doubtText(one.doubt ?? '', nextOf(sending, one, one.doubt)));
  return await beforeAgain(sending, one, body);
}

/** What changed by now of a record that does not show what was sent is not overwritten. */
async function beforeAgain(sending: Sending, one: Attempt, body: Values): Promise<Sent | null> {
  const { context, resource, run } = sending;
  const { planned, step, fresh } = one;
  const changed = fresh ? await changedMeanwhile(sending, planned, { inDoubt: true }) : null;
  if (changed !== null) return overtaken(changed, body);
  // It may arrive after all, later than it could.
  if (step.purpose === 'create' && step.fingerprint !== undefined)
    await rememberResend({ ...context, resource }, { fingerprint: step.fingerprint, run, body });
  return null;
}

/** Sends it; null where it is proven not to be there, and is to be sent again (`left` times at most). */
async function attempt(
  sending: Sending,
  one: Attempt,
  resolved: ResolvedStep,
  left: number,
): Promise<Sent | null> {
  const stop = sending.breaker.stop();
  if (stop !== null) throw stop;
  // Of one that may have had an effect before what came of that is not forgotten.
  const isNew = left === RESENDS || repeats(one.step);
  const { step, id } = one;
  const { body } = resolved;
  const { guard, breaker, creates, context } = sending;
  const intent = intentOf(sending, one, body, isNew);
  let error: RequestError;
  try {
    const sent = guard.carryOut?.(step, resolved, intent) ?? sendResolved(sending, step, resolved, intent);
    if (step.purpose === 'create') creates.begun(sent);
    const answer = await sent;
    const isMade = answer.success && step.purpose === 'create';
    if (isMade) creates.made(answer.id, body, context.time.now());
    if (answer.success && (!isMade || answer.id !== null)) {
      breaker.note(null);
      return { id: answer.id ?? id, body };
    }
    error = errorOf(step, answer);
  } catch (thrown) {
    if (thrown instanceof KeptIn) return thrown.sent;
    if (thrown instanceof StopError && isNew) await intent.unsent();
    if (!(thrown instanceof RequestError)) throw thrown;
    error = thrown;
  }
  return await settleFailed(sending, one, { error, intent, body, left });
}

/** Of an answer that says no, or that a record was made, and not which. */
function errorOf({ endpoint, purpose }: Step, { success, message: words }: WriteAnswer): RequestError {
  const answered = { endpoint, status: 200 } as const;
  if (success)
    return new RequestError({ ...answered, kind: 'lost', reason: NO_ID, mayHaveTakenEffect: true });
  const unclear = purpose === 'create' && words === null;
  return new RequestError({ ...answered, kind: 'refused', reason: REFUSED, words, unclear });
}

interface Failed {
  readonly error: RequestError;
  readonly intent: ReturnType<typeof intentOf>;
  readonly body: Values;
  readonly left: number;
}

/** What became of a failed request; null where it is to be sent again. */
async function settleFailed(sending: Sending, one: Attempt, failure: Failed): Promise<Sent | null> {
  const { error, intent, body, left } = failure;
  const { id, step, doubt } = one;
  const next = NEXT[step.purpose]?.[answeredBy(error)] ?? 'failed';
  if (next === 'wait') return await settleLost(sending, one, failure);
  sending.breaker.note(error);
  if (next === 'unknown') return unanswered(sending, one, error);
  // A delete that is turned down may have been done by a try before.
  const isOurs = doubt !== null || left < RESENDS || intent.tries() > 1 || step.purpose !== 'delete';
  let there: EffectVerdict = next === 'gone' ? { id } : null;
  if (next === 'look') {
    const until = isOurs && step.purpose === 'delete' ? sending.context.doubts.fromNow() : 0;
    if (sending.leaves && isOurs) throw new LeftInDoubt();
    there = await look(sending, one, { body, since: intent.since(), until, turnedDown: true });
  }
  if (there !== null && there !== 'no' && isOurs) return { id: there.id ?? id, body };
  await intent.unsent();
  if (there === null || there === 'no') return failed(sending, one, error);
  return ended('unchanged', id, ALREADY_GONE.message ?? null);
}

/** The same of one without an answer that is understood. */
async function settleLost(sending: Sending, one: Attempt, failure: Failed): Promise<Sent | null> {
  const { error, intent, body, left } = failure;
  const { breaker, leaves } = sending;
  const { doubts, time } = sending.context;
  const isNew = repeats(one.step);
  if (!isNew) await intent.doubted();
  if (leaves) {
    breaker.note(error);
    throw new LeftInDoubt();
  }
  // What may be repeated is so soon, but where the client did it already, as it was turned away.
  const isLast = left === 0 || (!isNew && FROM_PROXIES.has(error.status));
  const latest = doubts.fromNow();
  const until = isNew || isLast ? latest : Math.min(latest, time.steady() + SOON);
  // That reads are answered tells nothing of a service that turns writes away.
  let isNoted = isTurnedAway(error);
  if (isNoted) breaker.note(error);
  const verdict = await look(sending, one, { body, since: intent.since(), until }, (seen) => {
    // A run whose service is gone must not wait. One that can be asked is reachable.
    if (!isNoted) breaker.note(seen === null ? error : null);
    isNoted = true;
  });
  if (verdict === null) return unanswered(sending, one, error);
  if (verdict !== 'no') return { id: verdict.id ?? one.id, body };
  const changed = await beforeAgain(sending, one, body);
  if (changed !== null || !isLast) return changed;
  return isNew ? unanswered(sending, one, error) : failed(sending, one, error);
}

/** The service's words, those about fields on their columns. */
const failed = (sending: Sending, one: Attempt, error: RequestError): { readonly ending: Ending } => {
  const { words, reasons } = error;
  const message = t(words ?? reasons.en, words ?? reasons.nl);
  const issues = Object.entries(error.fields).map(([field, said]) =>
    issueAt(
      { code: 'service-refused', found: '', hint: said.join(' ') },
      { field, address: sending.addressOf(one.planned, field) },
    ),
  );
  return { ending: { status: 'failed', id: one.id, issues, message } };
};

function unanswered(sending: Sending, one: Attempt, error: RequestError): Sent {
  const { ending } = failed(sending, one, error);
  const message = unansweredText(error, nextOf(sending, one, null));
  return { ending: { ...ending, status: 'unknown', message } };
}

/** What the user does about a row that was not settled: of a posting a look tells, at once or from then on. */
function nextOf({ run, context }: Sending, { step, planned }: Attempt, since: string | null) {
  if (step.purpose !== 'post') return context.doubts.ended() ? lookedForAgainText(run) : undefined;
  return tellText(
    run,
    planned,
    arrivesUntil(context, since ?? wallClock(context.time.now()), since !== null),
  );
}

/** A request in doubt, and until when it may appear. */
interface Sought {
  readonly body: Values;
  readonly since: Date;
  readonly until: number;
  readonly turnedDown?: boolean;
}

/** Whether a step took effect, by what the service holds. Throws LeftInDoubt when the wait for that is ended. */
async function look(
  { guard, run, context, aside, looking, creates: { answered, sought } }: Sending,
  { planned, step, id }: Attempt,
  { until, ...sent }: Sought,
  onSeen: (verdict: EffectVerdict) => void = () => {},
): Promise<EffectVerdict> {
  if (step.purpose === 'post') return null;
  const search = (to: number) =>
    lookUntil(
      context,
      to,
      (when) => {
        const ask = async () =>
          await guard.tookEffect?.({ run, planned, step, id, answered, ...sent, ...when });
        // A run that stopped does not ask for all those that wait for their turn.
        return looking(async () => (context.doubts.ended() ? null : await ask()));
      },
      (verdict) => {
        context.log.info(
          { row: planned.row, endpoint: step.endpoint, verdict },
          'looked whether it took effect',
        );
        onSeen(verdict);
      },
    );
  const seen = await aside(async () => {
    const searching = search(until);
    sought.add(searching);
    const first = await searching.finally(() => sought.delete(searching));
    if (first !== null || step.purpose !== 'create' || sent.turnedDown === true) return first;
    // What others that are looked for made they have claimed by then.
    await Promise.allSettled(sought);
    return await search(0);
  });
  if (seen === undefined) throw new LeftInDoubt();
  return seen;
}
