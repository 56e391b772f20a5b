import { setTimeout as sleep } from 'node:timers/promises';
import { StopError } from '../../core/errors.ts';
import { type Issue, issueAt, shorten } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { FieldChange, PlannedRow, Step } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Locale, Value, Values } from '../../core/value.ts';
import { sameValue } from '../../records/existing-record.ts';
import type { RecordConflict } from '../../records/freshness.ts';
import type { EffectVerdict, ResolvedStep } from '../../records/row-guard.ts';
import { wallClock } from '../../run/context.ts';
import { interruption, RequestError } from '../../service/request-error.ts';
import {
  doubtText,
  noIdText,
  noRecordText,
  refusedText,
  takenText,
  unansweredText,
  uncheckedText,
} from './apply-texts.ts';
import { resolveStep, sendResolved } from './send-steps.ts';
import type { Attempt, Ending, Sending, Sent } from './sending.ts';

/** How often a request whose answer was lost, and that certainly had no effect, is sent again. */
const RESENDS = 3;

/** Sends one step so that it takes effect once; where that can't be told, the row's outcome is `unknown`. */
export async function attempt(sending: Sending, one: Attempt): Promise<Sent> {
  const { step, id, doubt } = one;
  const resolved = await resolveStep(sending, step, id);
  if (resolved === null) return ended('not sent', id, noRecordText());
  const { body } = resolved;
  if (doubt !== null) {
    const verdict = await verdictOnDoubt(sending, one, doubt, { body, patience: [] });
    if (verdict !== 'no' && verdict !== null) return { id: verdict.id ?? id, body };
    if (verdict === null && repeats(step)) {
      orInterrupted(sending);
      return await explained(sending, one, body, ended('unknown', id, doubtText(doubt)));
    }
    const changed = await changedSince(sending, one);
    // Neither what came of it nor whether the record moved can be read.
    if (changed?.status === 'failed' && verdict === null)
      return { ending: { ...changed, status: 'unknown', message: doubtText(doubt) } };
    if (changed !== null) return { ending: changed };
  }
  return await explained(sending, one, body, await sendUntilKnown(sending, one, resolved));
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
  const sent = await sending.inSlot(() => sendOnce(sending, one, resolved));
  if (!('error' in sent)) return sent;
  const settled = await settleFailed(sending, one, resolved.body, sent);
  if (settled !== 'again') return settled;
  return resends > 0
    ? await sendUntilKnown(sending, one, resolved, resends - 1)
    : failed(sending, one, sent.error);
}

/** What a failed request means for its row, with the service's words about fields on their columns. */
function failed({ addressOf }: Sending, { planned, id }: Attempt, error: RequestError): Sent {
  const issues = Object.entries(error.fields).map(([field, words]) =>
    issueAt(
      { code: 'service-refused', found: '', hint: words.join(' ') },
      { field, address: addressOf(planned, field) },
    ),
  );
  if (error.mayHaveTakenEffect)
    return { ending: { status: 'unknown', id, issues, message: unansweredText(error) } };
  const { words, reasons } = error;
  return { ending: { status: 'failed', id, issues, message: t(words ?? reasons.en, words ?? reasons.nl) } };
}

/** No answer came that is understood, to a request sent at `since`. */
interface Unanswered {
  readonly since: Date;
  readonly error: RequestError;
}

/** Records the intent, then sends. */
async function sendOnce(sending: Sending, one: Attempt, resolved: ResolvedStep): Promise<Sent | Unanswered> {
  const { context, run } = sending;
  const { planned, step, at, id } = one;
  const since = context.clock();
  orInterrupted(sending);
  const holder = await claim(sending, one, since);
  if (holder !== undefined)
    return ended(holder.state === 'done' ? 'unchanged' : 'conflict', holder.id ?? id, takenText(holder));
  const progress = { done: at, id, sendingSince: exactly(since) };
  await context.ledger.saveProgress(run, planned.seq, progress, repeats(step));
  try {
    const answer = await (sending.guard.carryOut?.(step, resolved) ?? sendResolved(sending, step, resolved));
    sending.breaker.note(null);
    if (answer.success && (step.purpose !== 'create' || answer.id !== null))
      return { id: answer.id ?? id, body: resolved.body };
    if (answer.success) return ended('unknown', id, noIdText());
    await unsent(sending, one);
    return ended('failed', id, refusedText(answer.message));
  } catch (error) {
    if (error instanceof RequestError) return { since, error };
    if (error instanceof StopError) await unsent(sending, one);
    throw error;
  }
}

/** What became of a failed request; `again` when it certainly had no effect and may be sent once more. */
async function settleFailed(
  sending: Sending,
  one: Attempt,
  body: Values,
  { since, error }: Unanswered,
): Promise<Sent | 'again'> {
  const { planned, id } = one;
  if (!error.mayHaveTakenEffect) {
    sending.breaker.note(error);
    await unsent(sending, one);
    return failed(sending, one, error);
  }
  const verdict = await tookEffect(sending, one, { body, since }, PATIENCE);
  // A service that can be asked is reachable.
  sending.breaker.note(verdict === null ? error : null);
  if (verdict === 'no') {
    const changed = await changedSince(sending, one);
    return changed === null ? 'again' : { ending: changed };
  }
  if (verdict !== null) return { id: verdict.id ?? id, body };
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

/** Pauses, ms, before a lost request is believed to have had no effect: the service may still be at it. */
const PATIENCE: readonly number[] = [300, 1200];

/** Whether what an earlier try sent at `since` took effect: it was answered, or the service tells. */
export async function verdictOnDoubt(
  sending: Sending,
  one: Attempt,
  since: string,
  { body, patience = PATIENCE }: { readonly body: Values; readonly patience?: readonly number[] },
): Promise<EffectVerdict> {
  const { context, resource, run } = sending;
  const { fingerprint } = one.step;
  if (fingerprint !== undefined) {
    const found = await context.ledger.findPostings(context.serviceKey, resource.name, [fingerprint]);
    const own = found.get(fingerprint);
    // Answered and recorded; the run was cut off before the row's outcome was.
    if (own?.run === run && own.seq === one.planned.seq && own.state === 'done') return { id: own.id };
  }
  return await tookEffect(sending, one, { body, since: new Date(since.replace(' ', 'T')) }, patience);
}

/** Whether a step took effect, by what the service holds; after each pause a no is looked at once more. */
async function tookEffect(
  sending: Sending,
  one: Attempt,
  sent: { readonly body: Values; readonly since: Date },
  [pause, ...patience]: readonly number[],
): Promise<EffectVerdict> {
  const { guard, run, context } = sending;
  const { planned, step, id } = one;
  const verdict = await guard.tookEffect({ run, planned, step, id, ...sent });
  context.log.info(
    { sheet: planned.sheet, row: planned.row, endpoint: step.endpoint, verdict },
    'looked whether it took effect',
  );
  if (verdict !== 'no' || pause === undefined) return verdict;
  await sleep(pause);
  return await tookEffect(sending, one, sent, patience);
}

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
  const both = message && t(`${message.en}; ${words.en}`, `${message.nl}; ${words.nl}`);
  return { ending: { ...sent.ending, message: both ?? words } };
}

/** Why a row may not be sent: its record changed since the plan, or that can't be read; null when it may. */
export async function changedMeanwhile(sending: Sending, planned: PlannedRow): Promise<Ending | null> {
  const { id } = planned;
  try {
    const conflict = await sending.guard.check(planned);
    if (conflict === null) return null;
    if (conflict.same !== undefined)
      return { status: 'unchanged', id: conflict.same, message: conflict.message, issues: [] };
    await sending.conflicts.left(planned);
    const issues = conflictIssues(sending, planned, conflict);
    return { status: 'conflict', id, message: conflict.message, issues };
  } catch (error) {
    if (error instanceof RequestError) return ended('failed', id, uncheckedText(error)).ending;
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
