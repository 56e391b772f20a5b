import { thisMoment } from '../../core/elapsed.ts';
import { StopError } from '../../core/errors.ts';
import { issueAt } from '../../core/issue.ts';
import { type Bilingual, composed, t } from '../../core/language.ts';
import type { Step } from '../../core/plan.ts';
import type { Values } from '../../core/value.ts';
import { DELETED } from '../../records/fresh.ts';
import { rememberResend } from '../../records/late-doubles.ts';
import { arrivesText, arrivesUntil, tellText } from '../../records/posting-doubt.ts';
import { ALREADY_GONE } from '../../records/row-decision.ts';
import type { EffectVerdict, ResolvedStep } from '../../records/row-guard.ts';
import { momentOf } from '../../records/sent-before.ts';
import type { WriteAnswer } from '../../schema/answer.ts';
import { FROM_PROXIES } from '../../service/failure.ts';
import { interruption, RequestError } from '../../service/request-error.ts';
import {
  doubtText,
  lookedForAgainText,
  noIdText,
  noRecordText,
  refusedText,
  takenText,
  unansweredText,
} from './apply-texts.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { Changed, type Marks, marksOf, repeats, resolveStep, sendResolved, Taken } from './send-step.ts';
import { type Attempt, type Ending, isTurnedAway, type Sending, type Sent } from './sending.ts';

/** How often a request whose answer was lost, and that certainly had no effect, is sent again. */
const RESENDS = 3;
/** How long one that may be repeated is looked for before that, ms. */
const SOON = 1200;

/** What became of a row is in doubt, and left to who sends the run after this program. */
export class LeftInDoubt extends Error {
  override readonly name = 'LeftInDoubt';
}

/** Sends one step so that it takes effect once; where that can't be told, the row's outcome is `unknown`. */
export async function attempt(sending: Sending, one: Attempt): Promise<Sent> {
  const { step, id, doubt } = one;
  if (doubt !== null && sending.leaves) throw new LeftInDoubt();
  const resolved = await resolveStep(sending, step, id);
  if (resolved === null) return ended('not sent', id, noRecordText());
  const { body } = resolved;
  if (doubt !== null) {
    const since = momentOf(doubt);
    // How long ago that was only our clock tells, which may have been set since.
    const latest = sending.context.doubts.fromStart();
    if (!repeats(step)) await sending.unrest(one.planned, id, latest);
    const until = repeats(step) ? latest : 0;
    const verdict = await verdictOnDoubt(sending, one, { body, since, until });
    if (verdict !== 'no' && verdict != null) return { id: verdict.id ?? id, body };
    const unknown = ended('unknown', id, doubtText(doubt, await nextOf(sending, one)));
    if (verdict === undefined) return stopped(sending, one, unknown);
    if (verdict === null && repeats(step)) {
      orInterrupted(sending);
      return await explained(sending, one, body, unknown);
    }
    const changed = await changedSince(sending, one);
    // Neither what came of it nor whether the record moved can be read.
    if (changed?.status === 'failed' && verdict === null)
      return { ending: { ...changed, status: 'unknown', message: doubtText(doubt) } };
    if (changed !== null) return arrived(changed, body);
    if (verdict === 'no') await sendingAgain(sending, one, body);
  }
  const now = doubt === null ? one : lookedAt(sending, one);
  return await explained(sending, one, body, await sendUntilKnown(sending, now, resolved));
}

function ended(status: Ending['status'], id: number | null, message: Bilingual | null) {
  return { ending: { status, id, message, issues: [] } };
}

async function sendUntilKnown(
  sending: Sending,
  one: Attempt,
  resolved: ResolvedStep,
  resends = RESENDS,
): Promise<Sent> {
  const sent = await sendOnce(sending, one, resolved, resends === RESENDS || repeats(one.step));
  if (!('error' in sent)) return sent;
  const { body } = resolved;
  const { error } = sent;
  const isNew = repeats(one.step);
  // One that may be repeated was sent several times by the client when it was turned away.
  const last = resends === 0 || (!isNew && FROM_PROXIES.has(error.status));
  const settled = await settleFailed(sending, one, { ...sent, body, again: resends < RESENDS, last });
  if (settled !== 'again') return settled;
  // What stands there as it was at the end of the doubt time was not changed.
  if (last) return await failed(sending, one, error, isNew && error.mayHaveTakenEffect);
  await sendingAgain(sending, one, body);
  return await sendUntilKnown(sending, lookedAt(sending, one), resolved, resends - 1);
}

/** A create that was not answered may arrive after all, later than it could: it is remembered. */
async function sendingAgain(
  { context, resource, run }: Sending,
  { step: { purpose, fingerprint } }: Attempt,
  body: Values,
): Promise<void> {
  if (purpose === 'create' && fingerprint !== undefined)
    await rememberResend({ ...context, resource }, { fingerprint, run, body });
}

/** What a failed request means for its row, with the service's words about fields on their columns. */
async function failed(
  sending: Sending,
  one: Attempt,
  error: RequestError,
  mayBeDone = error.mayHaveTakenEffect,
): Promise<Sent> {
  const { planned, id } = one;
  const issues = Object.entries(error.fields).map(([field, words]) =>
    issueAt(
      { code: 'service-refused', found: '', hint: words.join(' ') },
      { field, address: sending.addressOf(planned, field) },
    ),
  );
  if (mayBeDone) {
    const message = unansweredText(error, await nextOf(sending, one, true));
    return { ending: { status: 'unknown', id, issues, message } };
  }
  const { words, reasons } = error;
  return { ending: { status: 'failed', id, issues, message: t(words ?? reasons.en, words ?? reasons.nl) } };
}

/** No answer came that is understood. */
interface Unanswered {
  readonly marks: Marks;
  readonly error: RequestError;
}

/** The same of a request that may have been sent before (`again`), and will not be once more (`last`). */
interface Failed extends Unanswered {
  readonly body: Values;
  readonly again: boolean;
  readonly last: boolean;
}

/** Sends; the intent is recorded when the bytes go out. */
async function sendOnce(
  sending: Sending,
  one: Attempt,
  resolved: ResolvedStep,
  mayForget: boolean,
): Promise<Sent | Unanswered> {
  const { step, id } = one;
  orInterrupted(sending);
  const marks = marksOf(sending, one);
  try {
    const answer = await (sending.guard.carryOut?.(step, resolved, marks) ??
      sendResolved(sending, step, resolved, marks));
    sending.breaker.note(null);
    if (answer.success && step.purpose === 'create')
      sending.creates.made(answer.id, resolved.body, sending.context.time.now());
    if (answer.success && (step.purpose !== 'create' || answer.id !== null))
      return { id: answer.id ?? id, body: resolved.body };
    return { marks, error: answer.success ? withoutId(step) : refused(step, answer) };
  } catch (error) {
    if (error instanceof Taken) {
      const { holder } = error;
      const isOwn = holder.run === sending.run && holder.seq === one.planned.seq;
      // Sent by this run, of which the ledger has lost the rest, or by one that ended before its row's next step.
      const goesOn = isOwn || (one.planned.steps.length > 1 && holder.id !== null);
      if (goesOn && holder.state === 'done') return { id: holder.id ?? id, body: resolved.body };
      return ended(holder.state === 'done' ? 'unchanged' : 'unknown', holder.id ?? id, takenText(holder));
    }
    if (error instanceof Changed) return await changedWaiting(one, error, { marks, body: resolved.body });
    if (error instanceof RequestError) return { marks, error };
    // An earlier try of an update, looked for only shortly, may still arrive.
    if (error instanceof StopError && mayForget) await marks.unsent();
    throw error;
  } finally {
    marks.over();
  }
}

/** What became of a row whose record was changed while its request waited. */
async function changedWaiting(
  { id }: Attempt,
  { ending }: Changed,
  { marks, body }: { readonly marks: Marks; readonly body: Values },
): Promise<Sent> {
  if (marks.isUnsent()) {
    await marks.unsent();
    return { ending };
  }
  // Neither what came of a try before nor whether the record moved can be read.
  if (ending.status === 'failed') return { ending: { ...ending, id, status: 'unknown' } };
  return arrived(ending, body);
}

/** What stands there by now just as it was sent came late. */
const arrived = (changed: Ending, body: Values): Sent =>
  changed.status === 'unchanged' ? { id: changed.id, body } : { ending: changed };

/** Of an answer that says that a record was made, and not which. */
const withoutId = ({ endpoint }: Step): RequestError =>
  new RequestError({ kind: 'lost', endpoint, status: 200, reason: noIdText(), mayHaveTakenEffect: true });

/** A plain no of the service: only a create without a reason is looked for all the same. */
const refused = ({ endpoint, purpose }: Step, { message: words }: WriteAnswer): RequestError => {
  const unclear = purpose === 'create' && words === null;
  return new RequestError({ kind: 'refused', endpoint, status: 200, reason: refusedText(), words, unclear });
};

/** Whether no read showed what a row is about: it is sent on by what the row itself says. */
const isUnseen = ({ planned }: Attempt): boolean => planned.id === null && planned.lmt === null;

/**
 * What a delete that was turned down comes to where nothing is left to delete: done where an earlier try of it
 * got no answer, else there was nothing to do. Null where the record is there, after the doubt time.
 */
async function goneAlready(
  sending: Sending,
  one: Attempt,
  { error, body, marks, again }: Failed,
): Promise<Sent | null> {
  const { id, step, doubt } = one;
  if (step.purpose !== 'delete' || error.mayHaveTakenEffect) return null;
  const isOurs = again || marks.isRepeated() || doubt !== null;
  if (error.kind !== 'missing') {
    if (error.kind !== 'refused' && error.kind !== 'conflict') return null;
    const until = isOurs ? sending.context.doubts.fromNow() : 0;
    const verdict = await lookUntil(sending, one, { body, since: marks.since(), until });
    if (verdict === undefined) orInterrupted(sending);
    if (verdict == null || verdict === 'no') return null;
  }
  if (isOurs) return { id, body };
  await marks.unsent();
  return ended('unchanged', id, isUnseen(one) ? (ALREADY_GONE.message ?? null) : DELETED);
}

/** Whether a create that was turned down was done before that, as far as one look tells. */
const lookOnce = (
  { context: { time }, guard, run, looking, creates: { answered } }: Sending,
  { planned, step, id }: Attempt,
  { body, marks }: Failed,
): Promise<EffectVerdict> => {
  const doubt = { run, planned, step, id, body, answered, since: marks.since(), turnedDown: true };
  return looking(() => guard.tookEffect({ ...doubt, asked: time.steady() }));
};

/** Whether it took effect has to be looked for. */
const isDoubtful = ({ error, marks, again }: Failed, { step: { purpose } }: Attempt): boolean =>
  error.mayHaveTakenEffect ||
  (purpose === 'create' && error.unclear) ||
  // One that was turned down may have been done by an earlier try.
  (purpose === 'delete' && (again || marks.isRepeated()));

/** What became of a failed request; `again` when it certainly had no effect and may be sent once more. */
async function settleFailed(sending: Sending, one: Attempt, failure: Failed): Promise<Sent | 'again'> {
  const { marks, error, body, last } = failure;
  const { id, step } = one;
  const { doubts, time } = sending.context;
  if (sending.leaves && isDoubtful(failure, one)) {
    sending.breaker.note(error);
    if (!repeats(step)) await marks.doubted();
    throw new LeftInDoubt();
  }
  const gone = await goneAlready(sending, one, failure);
  if (gone !== null) return gone;
  if (!error.mayHaveTakenEffect) {
    sending.breaker.note(error);
    if (error.unclear && step.purpose === 'post') return await failed(sending, one, error, true);
    const there = error.unclear && step.purpose === 'create' ? await lookOnce(sending, one, failure) : null;
    if (there !== null && there !== 'no') return { id: there.id ?? id, body };
    await marks.unsent();
    return await failed(sending, one, error);
  }
  if (!repeats(step)) await marks.doubted();
  const latest = doubts.fromNow();
  const soon = !repeats(step) && !last;
  const until = soon ? Math.min(latest, time.steady() + SOON) : latest;
  let noted = isTurnedAway(error);
  if (noted) sending.breaker.note(error);
  const verdict = await lookUntil(sending, one, { body, since: marks.since(), until, soon }, (seen) => {
    // At the first look: a run whose service is gone must not wait. One that can be asked is reachable.
    if (!noted) sending.breaker.note(seen === null ? error : null);
    noted = true;
  });
  if (verdict === undefined) return stopped(sending, one, await failed(sending, one, error));
  if (verdict === 'no') {
    const changed = await changedSince(sending, one);
    return changed === null ? 'again' : arrived(changed, body);
  }
  return verdict === null
    ? stopped(sending, one, await failed(sending, one, error))
    : { id: verdict.id ?? id, body };
}

/** What an interruption left unsettled is settled when the run goes on: only a posting gets its outcome. */
function stopped(sending: Sending, { planned }: Attempt, otherwise: Sent): Sent {
  if (planned.steps.every(({ purpose }) => purpose !== 'post')) orInterrupted(sending);
  return otherwise;
}

/** What the user does about a row that was not settled (given up `now`): a look tells, but of a posting. */
async function nextOf({ run, context }: Sending, { step, planned, doubt }: Attempt, now = false) {
  if (step.purpose !== 'post') return context.doubts.ended() ? lookedForAgainText(run) : undefined;
  const until = await arrivesUntil(context, { run, seq: planned.seq }, now ? null : doubt);
  return tellText(run, planned, until && arrivesText(until, context));
}

/** A request in doubt, and until when it may appear. */
interface Sought {
  readonly body: Values;
  readonly since: Date;
  readonly until: number;
  /** It may still appear then, and is sent again. */
  readonly soon?: boolean;
}

/** Whether what an earlier try sent took effect: it was answered, or the service tells; see `lookUntil`. */
export async function verdictOnDoubt(
  sending: Sending,
  one: Attempt,
  sought: Sought,
): Promise<EffectVerdict | undefined> {
  const { context, resource, run } = sending;
  const { fingerprint } = one.step;
  if (fingerprint !== undefined) {
    const found = await context.ledger.findPostings(context.serviceKey, resource.name, [fingerprint]);
    const own = found.get(fingerprint);
    // Answered and recorded; the run was cut off before the row's outcome was.
    if (own?.run === run && own.seq === one.planned.seq && own.state === 'done') return { id: own.id };
  }
  return await lookUntil(sending, one, sought);
}

/**
 * Whether a step took effect, by what the service holds, looked at until it can no longer appear; undefined
 * when that was ended before. What can't be told of a posting no wait will tell.
 */
async function lookUntil(
  { guard, run, context, aside, looking, creates: { answered } }: Sending,
  { planned, step, id }: Attempt,
  { until, soon = false, ...sent }: Sought,
  onSeen: (verdict: EffectVerdict) => void = () => {},
): Promise<EffectVerdict | undefined> {
  const { sheet, row } = planned;
  const look = async (): Promise<EffectVerdict> => {
    const asked = context.time.steady();
    const last = !soon && asked >= until;
    const ask = () => guard.tookEffect({ run, planned, step, id, answered, asked, last, ...sent });
    // A run that stopped does not ask for all those that wait for their turn.
    const verdict = await looking(() => (context.doubts.ended() ? null : ask()));
    context.log.info({ sheet, row, endpoint: step.endpoint, verdict }, 'looked whether it took effect');
    onSeen(verdict);
    return verdict;
  };
  const isKnown = (verdict: EffectVerdict): boolean =>
    verdict === null ? step.purpose === 'post' : verdict !== 'no';
  return await aside(() => context.doubts.look(until, look, isKnown));
}

/** What does not stand there as it was sent may be what someone else wrote since: that is not overwritten. */
async function changedSince(sending: Sending, one: Attempt): Promise<Ending | null> {
  return isLookedFor(one) ? await changedMeanwhile(sending, one.planned, { inDoubt: true }) : null;
}

function isLookedFor({ planned, step, recheck }: Attempt): boolean {
  // A link has no id: what it held when it was read stands for its LMT.
  const isNew = planned.id === null && planned.lmt === null;
  const isUpdate = !repeats(step) && !isNew;
  return recheck && (isUpdate || step.purpose === 'create');
}

/** An attempt of which it was looked for that now. */
const lookedAt = ({ context: { time } }: Sending, one: Attempt): Attempt => ({
  ...one,
  looked: isLookedFor(one) ? thisMoment(time) : null,
});

/** Throws the reason when the run was interrupted. */
function orInterrupted({ context: { signal } }: Sending): void {
  if (signal?.aborted === true) throw interruption(signal);
}

/** Adds to an unknown outcome what the user can look at; any other stays as it is. */
async function explained(
  { guard, context }: Sending,
  { planned }: Attempt,
  body: Values,
  sent: Sent,
): Promise<Sent> {
  if (!('ending' in sent) || sent.ending.status !== 'unknown') return sent;
  // Only words: whatever goes wrong with them, the outcome must be recorded.
  const words = await guard.describeDoubt?.({ planned, body }).catch((error: unknown) => {
    context.log.warn({ row: planned.row, error: String(error) }, 'cannot tell what to look at');
    return null;
  });
  if (words == null) return sent;
  const { message } = sent.ending;
  const both =
    message && composed([message, words], (one, two) => t(`${one.en}; ${two.en}`, `${one.nl}; ${two.nl}`));
  return { ending: { ...sent.ending, message: both ?? words } };
}
