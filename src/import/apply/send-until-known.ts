import { setTimeout as sleep } from 'node:timers/promises';
import { StopError } from '../../core/errors.ts';
import { type Issue, issueAt, shorten } from '../../core/issue.ts';
import { type Language, t } from '../../core/language.ts';
import type { FieldChange, Outcome, PlannedRow, Step } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Locale, Value, Values } from '../../core/value.ts';
import { sameValue } from '../../records/existing-record.ts';
import type { RecordConflict } from '../../records/freshness.ts';
import type { EffectVerdict, ResolvedStep } from '../../records/row-guard.ts';
import { wallClock } from '../../run/context.ts';
import { interruption, RequestError } from '../../service/request-error.ts';
import { doubtText, noIdText, noRecordText, refusedText, takenText } from './apply-texts.ts';
import { MissingRecord, resolveStep, sendResolved } from './send-steps.ts';
import { type Attempt, cannotCheck, type Ending, failureOf, type Sending, type Sent } from './sending.ts';

async function sendUntilKnown(
  sending: Sending,
  one: Attempt,
  resolved: ResolvedStep,
  resends: number,
): Promise<Sent> {
  const { context } = sending;
  const giveBack = await sending.slots.take();
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

/** Records the intent, then sends. Throws RequestError where no answer came that is understood. */
async function sendOnce(sending: Sending, one: Attempt, resolved: ResolvedStep, since: Date): Promise<Sent> {
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
  readonly resolved: ResolvedStep;
  readonly since: Date;
  readonly error: RequestError;
}

/** What became of a failed request; `again` when it certainly had no effect and may be sent once more. */
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
  // A service that can be asked is reachable.
  sending.breaker.note(verdict === null ? error : null);
  if (verdict === 'no') {
    const changed = await changedSince(sending, one);
    return changed === null ? 'again' : { ending: changed };
  }
  if (verdict !== null) return { id: verdict.id ?? id, body: resolved.body };
  // What the interruption left unsettled is settled when the run goes on.
  if (planned.steps.every(({ purpose }) => purpose !== 'post')) orInterrupted(sending);
  return failed(sending, one, error);
}

/** Claims the posting in the ledger; answers the one that another row holds, if any. */
async function claim({ context, resource, run }: Sending, { planned, step }: Attempt, since: Date) {
  const { fingerprint } = step;
  if (fingerprint === undefined) return undefined;
  const own = { fingerprint, run, seq: planned.seq, at: wallClock(since), id: null };
  const posting = { ...own, state: 'sending' } as const;
  return await context.ledger.claimPosting(context.serviceKey, resource.name, posting, step.also);
}

/** Records that the request had no effect: nothing is in doubt any more. */
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

/** How often a request whose answer was lost, and that certainly had no effect, is sent again. */
const RESENDS = 3;

/** Sends one step so that it takes effect once; where that can't be told, the row's outcome is `unknown`. */
export async function attempt(sending: Sending, one: Attempt): Promise<Sent> {
  const resolved = await resolveOrNull(sending, one);
  if (resolved === null)
    return { ending: { status: 'not sent', id: one.id, message: noRecordText(), issues: [] } };
  const { body } = resolved;
  if (one.doubt !== null) {
    // Answered and recorded; the run was cut off before the row's outcome was.
    const settled = await ownPosting(sending, one);
    if (settled?.state === 'done') return { id: settled.id ?? one.id, body };
    const verdict = await verdictOn(sending, one, body, new Date(one.doubt.replace(' ', 'T')));
    if (verdict !== 'no' && verdict !== null) return { id: verdict.id ?? one.id, body };
    if (verdict === null && repeats(one.step)) {
      orInterrupted(sending);
      const message = doubtText(one.doubt);
      const ending = { status: 'unknown', id: one.id, message, issues: [] } as const;
      return { ending: await explainDoubt(sending, { planned: one.planned, body }, ending) };
    }
    const changed = await changedSince(sending, one);
    // Neither what came of it nor whether the record moved can be read.
    if (changed?.status === 'failed' && verdict === null)
      return { ending: { ...changed, status: 'unknown', message: doubtText(one.doubt) } };
    if (changed !== null) return { ending: changed };
  }
  const sent = await sendUntilKnown(sending, one, resolved, RESENDS);
  if (!('ending' in sent)) return sent;
  return { ending: await explainDoubt(sending, { planned: one.planned, body }, sent.ending) };
}

/** A step with its ids filled in; null where it refers to a record that was not created. */
export async function resolveOrNull(
  { context, resource }: Sending,
  { step, id }: Pick<Attempt, 'step' | 'id'>,
): Promise<ResolvedStep | null> {
  try {
    return await resolveStep(context, resource, step, id);
  } catch (error) {
    if (error instanceof MissingRecord) return null;
    throw error;
  }
}

/** The row's own posting, as the ledger holds it. */
export async function ownPosting(
  { context, resource, run }: Sending,
  { planned, step }: Pick<Attempt, 'planned' | 'step'>,
) {
  const { fingerprint } = step;
  if (fingerprint === undefined) return undefined;
  const found = await context.ledger.findPostings(context.serviceKey, resource.name, [fingerprint]);
  const posting = found.get(fingerprint);
  return posting?.run === run && posting.seq === planned.seq ? posting : undefined;
}

/** Pauses, ms, before a lost request is believed to have had no effect: the service may still be at it. */
const PATIENCE = [300, 1200];

/** Whether a step takes effect anew each time it is sent. */
const repeats = ({ purpose }: Step): boolean => purpose === 'create' || purpose === 'post';

/** What does not stand there as it was sent may be what someone else wrote since: that is not overwritten. */
async function changedSince(sending: Sending, { planned, step, recheck }: Attempt): Promise<Ending | null> {
  // A link has no id: what it held when it was read stands for its LMT.
  const isNew = planned.id === null && planned.lmt === null;
  if (!recheck || repeats(step) || isNew) return null;
  return await changedMeanwhile(sending, planned);
}

/** Throws the reason when the run was interrupted. */
function orInterrupted({ context: { signal } }: Sending): void {
  if (signal?.aborted === true) throw interruption(signal);
}

/** Whether a step took effect, looked for more than once before a no is believed. */
export async function settleSoon(
  sending: Sending,
  one: Attempt,
  body: Values,
  since: Date,
): Promise<EffectVerdict> {
  for (const wait of PATIENCE) {
    const verdict = await verdictOn(sending, one, body, since);
    if (verdict !== 'no') return verdict;
    await sleep(wait);
  }
  return await verdictOn(sending, one, body, since);
}

/** Whether a step took effect, by what the service holds now. */
async function verdictOn(sending: Sending, one: Attempt, body: Values, since: Date): Promise<EffectVerdict> {
  const { planned, step, id } = one;
  const verdict = await sending.guard.tookEffect({ run: sending.run, planned, step, id, body, since });
  sending.context.log.info(
    { sheet: planned.sheet, row: planned.row, endpoint: step.endpoint, verdict },
    'looked whether it took effect',
  );
  return verdict;
}

/** Adds to an unknown outcome what the user can look at; any other stays as it is. */
async function explainDoubt<E extends Pick<Outcome, 'status' | 'message'>>(
  { guard, context }: Sending,
  doubt: { readonly planned: PlannedRow; readonly body: Values },
  ending: E,
): Promise<E> {
  if (ending.status !== 'unknown') return ending;
  // Only words: whatever goes wrong with them, the outcome must be recorded.
  const words = await guard.describeDoubt?.(doubt).catch((error: unknown) => {
    context.log.warn({ row: doubt.planned.row, error: String(error) }, 'cannot tell what to look at');
    return null;
  });
  if (words == null) return ending;
  const { message } = ending;
  if (message === null) return { ...ending, message: words };
  return { ...ending, message: t(`${message.en}; ${words.en}`, `${message.nl}; ${words.nl}`) };
}

/** Why a row may not be sent: its record changed since the plan, or that can't be read; null when it may. */
export async function changedMeanwhile(sending: Sending, planned: PlannedRow): Promise<Ending | null> {
  try {
    const conflict = await sending.guard.check(planned);
    if (conflict === null) return null;
    await sending.conflicts.left(planned);
    const issues = conflictIssues(sending, planned, conflict);
    return { status: 'conflict', id: planned.id, message: conflict.message, issues };
  } catch (error) {
    if (error instanceof RequestError) return cannotCheck(planned, error);
    throw error;
  }
}

/**
 * Issues on the row's fields that someone else changed: what the plan read, the service holds, the sheet
 * says.
 */
function conflictIssues(
  { addressOf, locale }: Sending,
  planned: PlannedRow,
  { now = {} }: RecordConflict,
): Issue[] {
  return planned.changes.flatMap((change) => {
    const is = now[change.field];
    if (is === undefined || sameValue(is, change.from)) return [];
    const place = { field: change.field, address: addressOf(planned, change.field) };
    return [issueAt({ code: 'changed-meanwhile', ...conflictTexts(change, is, locale) }, place)];
  });
}

function conflictTexts({ from, to }: FieldChange, is: Value, locale?: Locale) {
  const shown = (value: Value, language: Language): string => shorten(valueText(value, language, locale));
  return {
    found: to === null ? '#CLEAR' : typeof to === 'number' ? valueText(to, 'en', locale) : String(to),
    hint: t(
      `${shown(from, 'en')}, is now ${shown(is, 'en')}`,
      `${shown(from, 'nl')}, is nu ${shown(is, 'nl')}`,
    ),
  };
}
