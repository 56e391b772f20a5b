import { type Issue, issueAt } from '../../core/issue.ts';
import type { Bilingual } from '../../core/language.ts';
import type { PlannedRow, RecordReference, Step } from '../../core/plan.ts';
import { isMade } from '../../core/row-text.ts';
import { elapsed, thisMoment } from '../../core/time.ts';
import type { Value, Values } from '../../core/value.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { sameValue } from '../../records/existing-record.ts';
import { apartFinding, wantedBy } from '../../records/plan-on-baseline.ts';
import { referredId } from '../../records/references.ts';
import type { RecordConflict, ResolvedStep } from '../../records/row-guard.ts';
import { type Context, wallClock } from '../../run/context.ts';
import type { WriteAnswer } from '../../schema/answer.ts';
import type { WriteEndpoint } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { OutOfDate, type SendMarks } from '../../service/service.ts';
import { takenText, uncheckedText } from './outcomes.ts';
import type { Attempt, Ending, Sending, Sent } from './sending.ts';

/** Fills in the ids of a planned step; null where it refers to a record that was not created. */
export async function resolveStep(
  { context }: Sending,
  step: Step,
  ownId: number | null,
): Promise<ResolvedStep | null> {
  const body = await fillIn(context, step.body, ownId);
  const params = await fillIn(context, step.params ?? {}, ownId);
  return body && params && { body, params: params as ResolvedStep['params'] };
}

async function fillIn(
  context: Context,
  planned: Readonly<Record<string, Value | RecordReference>>,
  ownId: number | null,
): Promise<Values | null> {
  const filled: Record<string, Value> = {};
  for (const [name, value] of Object.entries(planned)) {
    if (value === null || typeof value !== 'object') {
      filled[name] = value;
      continue;
    }
    const id = 'external' in value ? await referredId(context, value) : ownId;
    if (id === null) return null;
    filled[name] = id;
  }
  return filled;
}

/** Sends a resolved step. Throws RequestError for what the service does. */
export async function sendResolved(
  { context, resource }: Sending,
  step: Step,
  { body, params }: ResolvedStep,
  marks?: SendMarks,
): Promise<WriteAnswer> {
  // A plan names its endpoints, so that it stays plain data.
  const endpoint = Object.values(resource.requests).find(({ name }) => name === step.endpoint);
  if (endpoint === undefined) throw new TypeError(`${step.endpoint} is no request of ${resource.name}`);
  const request = endpoint.body === undefined ? { params, marks } : { params, body, marks };
  return await context.service.send(endpoint as WriteEndpoint, request);
}

/** Whether a step takes effect anew each time it is sent. */
export const repeats = ({ purpose }: Step): boolean => purpose === 'create' || purpose === 'post';

/** Keeps a request in: what comes of its row is known without it. */
export class KeptIn extends Error {
  readonly sent: Sent;

  constructor(sent: Sent) {
    super('kept in');
    this.sent = sent;
  }
}

/** What became of a row, in a word for the user. */
export const ended = (status: Ending['status'], id: number | null, message: Bilingual | null) => ({
  ending: { status, id, message, issues: [] },
});

/** Of a request that may have arrived, on a record that was changed since. */
export function overtaken(changed: Ending, body: Values): Sent {
  if (changed.status === 'unchanged') return { id: changed.id, body };
  // Neither what came of it nor whether the record changed can be read.
  return { ending: changed.status === 'failed' ? { ...changed, status: 'unknown' } : changed };
}

/**
 * Why a row may not be sent: its record changed since the plan, or that can't be read; null when it may.
 * `inDoubt` and `anew` are those of `RowGuard.check`.
 */
export async function changedMeanwhile(
  sending: Sending,
  planned: PlannedRow,
  { inDoubt = false, anew = inDoubt }: { readonly inDoubt?: boolean; readonly anew?: boolean } = {},
): Promise<Ending | null> {
  const { id } = planned;
  try {
    const conflict = await sending.guard.check?.(planned, inDoubt, anew);
    if (conflict == null) return null;
    if (conflict.same !== undefined)
      return { status: 'unchanged', id: conflict.same, message: conflict.message, issues: [] };
    await sending.conflicts.left(planned);
    const issues = conflictIssues(sending, planned, conflict);
    const message = issues.length === 0 ? conflict.message : (conflict.beside ?? null);
    return { status: 'conflict', id, message, issues };
  } catch (error) {
    if (error instanceof RequestError)
      return { status: 'failed', id, message: uncheckedText(error), issues: [] };
    throw error;
  }
}

/**
 * Issues on the row's fields that someone else changed, or made otherwise: what the plan read, the service holds,
 * the sheet says.
 */
function conflictIssues(sending: Sending, planned: PlannedRow, { now = {} }: RecordConflict): Issue[] {
  return Object.entries(wantedBy(planned)).flatMap(([field, { from: base, to: mine }]) => {
    const theirs = now[field];
    if (theirs === undefined || sameValue(theirs, isMade(planned) ? mine : base)) return [];
    const finding = apartFinding(
      'changed-meanwhile',
      { field, mine, base, theirs },
      sending.resource,
      sending,
    );
    return [issueAt(finding, { field, address: sending.addressOf(planned, field) })];
  });
}

/** How old what a row was decided by may be when its request leaves, ms. */
const FRESH = 2_500;

/**
 * The intent of a step: on disk before its first byte leaves, and taken back where it had no effect. `isNew`: no
 * try before may have had an effect.
 */
export function intentOf(sending: Sending, one: Attempt, body: Values, isNew: boolean) {
  const { context, run, resource } = sending;
  const { planned, step, at, id } = one;
  const { ledger, serviceKey, time } = context;
  let since: Date | null = null;
  let isOut = false;
  let tries = 0;
  let looked = one.fresh ? thisMoment(time) : null;
  let mostAge = FRESH;
  const progress = (moment: Date | null) => ({ done: at, id, sendingSince: moment && exactly(moment) });
  const isFresh = (): void => {
    if (looked !== null && elapsed(time, looked) > mostAge) throw new OutOfDate();
  };
  const unsent = async (): Promise<void> => {
    if (since === null) return;
    since = null;
    isOut = false;
    tries = 0;
    if (step.fingerprint !== undefined)
      await ledger.settlePosting(serviceKey, resource.name, step.fingerprint, null);
    await ledger.saveRow(run, planned.seq, { progress: progress(null) });
  };
  return {
    async ready() {
      isFresh();
      if (since !== null) return;
      const now = new Date(time.now());
      // A sync takes as long as a kill needs, and so does a connection: a second mark tells that it is
      // out, of what must not happen twice. Of anything else the record tells, and one mark is enough.
      const out = progress(now);
      const marked = repeats(step)
        ? ledger.intend(run, planned.seq, out)
        : ledger.saveRow(run, planned.seq, { progress: out });
      // Side by side they are one commit.
      const [holder] = await Promise.all([claim(sending, one, now), marked]);
      if (holder !== undefined) {
        await ledger.saveRow(run, planned.seq, { progress: progress(null) });
        throw new KeptIn(heldBy(holder, sending, one, body));
      }
      since = now;
      isOut = !repeats(step);
    },
    sending() {
      isFresh();
      mostAge = FRESH;
      tries++;
      if (since === null || isOut) return;
      ledger.markSending(run, planned.seq, progress(since));
      isOut = true;
    },
    async renew() {
      // What a try before may have changed is no change of others.
      const changed = await changedMeanwhile(sending, planned, { inDoubt: tries > 0, anew: true });
      if (changed !== null && (tries > 0 || !isNew)) throw new KeptIn(overtaken(changed, body));
      if (changed !== null) {
        await unsent();
        throw new KeptIn({ ending: changed });
      }
      looked = thisMoment(time);
      // Each look may be older than the one before, so that they end.
      mostAge *= 2;
    },
    unsent,
    doubted: () => sending.late.add(planned, id, context.doubts.fromNow()),
    /** When it was sent. */
    since: () => since ?? new Date(time.now()),
    /** How often, as far as each may have had an effect. */
    tries: () => tries,
  } satisfies SendMarks & Record<string, unknown>;
}

/** What comes of a row whose posting is another row's, or done. */
function heldBy(holder: Posting, { run }: Sending, { planned, id }: Attempt, body: Values): Sent {
  const isDone = holder.state === 'done';
  const isOwn = holder.run === run && holder.seq === planned.seq;
  // Sent by this run, of which the ledger has lost the rest, or by one that ended before its row's next step.
  if (isDone && (isOwn || (planned.steps.length > 1 && holder.id !== null)))
    return { id: holder.id ?? id, body };
  return ended(isDone ? 'unchanged' : 'unknown', holder.id ?? id, takenText(holder));
}

/** Claims the posting in the ledger; answers the one that another row holds, if any. */
async function claim({ context, resource, run }: Sending, { planned, step }: Attempt, since: Date) {
  const { fingerprint } = step;
  if (fingerprint === undefined) return undefined;
  const at = wallClock(since);
  const posting = { fingerprint, run, seq: planned.seq, at, id: null, state: 'sending' } as const;
  return await context.ledger.claimPosting(context.serviceKey, resource.name, posting, step.also);
}

function exactly(moment: Date): string {
  return `${wallClock(moment)}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
}
