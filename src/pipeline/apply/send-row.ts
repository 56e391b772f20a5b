import { StopError } from '../../errors.ts';
import type { RowProgress } from '../../ledger/ledger.ts';
import type { Outcome, PlannedRow, Status, Step } from '../../schema/plan.ts';
import type { Bilingual } from '../../schema/value.ts';
import { RequestError } from '../../service/request-error.ts';
import { wallClock } from '../context.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import type { Ending } from './ending.ts';
import { recordWrite, rememberedId } from './record-write.ts';
import { sendStep } from './send-steps.ts';
import type { Sending } from './sending.ts';
import { createdAllTheSameText, goneSinceText, keyPendingText, keyRefusedText } from './texts.ts';

import { sendWithOrWithoutKey } from './without-key.ts';

const DONE: Readonly<Record<Exclude<Step['purpose'], 'key'>, Status>> = {
  create: 'created',
  post: 'created',
  download: 'created',
  update: 'updated',
  delete: 'deleted',
};

/** What an earlier try of the same run left of a row. */
export interface EarlierTry {
  readonly progress: RowProgress | null;
  /** Its record was written by that try, otherwise than by a request of the row's own that is in doubt. */
  readonly begun: boolean;
}

/**
 * Sends a planned row's requests one after the other, from where an earlier try left off, and says what became of it.
 * Throws StopError when nothing more can be sent at all (token refused, interrupted).
 */
export async function sendRow(sending: Sending, planned: PlannedRow, earlier: EarlierTry): Promise<Outcome> {
  const { progress } = earlier;
  const ending =
    (await refusal(sending, planned, earlier)) ??
    (await sendSteps(sending, { planned, progress, recheck: !earlier.begun }));
  return { seq: planned.seq, ...ending, at: wallClock(sending.context.clock()) };
}

/** Why a row that was not begun may not be sent: its record changed, or that can't be found out. */
async function refusal(
  sending: Sending,
  planned: PlannedRow,
  { progress, begun }: EarlierTry,
): Promise<Ending | null> {
  // A row that was begun may have changed its record itself, or an earlier row about it has.
  if (begun) return null;
  if (progress !== null && (progress.done > 0 || progress.sendingSince !== null)) return null;
  return await changedMeanwhile(sending, planned);
}

interface RowToSend {
  readonly planned: PlannedRow;
  readonly progress: RowProgress | null;
  /** That the record changed since the plan is somebody else's doing. */
  readonly recheck: boolean;
}

async function sendSteps(sending: Sending, { planned, progress, recheck }: RowToSend): Promise<Ending> {
  let id = progress?.id ?? planned.id ?? (await rememberedId(sending, planned));
  let status = progress === null ? 'not sent' : statusAfter(planned, progress.done);
  let message: Bilingual | null = null;
  for (const [at, step] of planned.steps.entries()) {
    if (at < (progress?.done ?? 0)) continue;
    if (step.purpose === 'key') {
      const stored = await storeKey(sending, planned, step, id);
      if (stored.pending)
        return { status: status as Status, id, message: stored.message, issues: [], unfinished: true };
      message = stored.message;
      continue;
    }
    const doubt = at === progress?.done ? progress.sendingSince : null;
    const { sent, message: told } = await sendWithOrWithoutKey(sending, {
      planned,
      step,
      at,
      id,
      doubt,
      recheck,
    });
    if ('ending' in sent) return at === 0 ? sent.ending : halfDone(sent.ending, id);
    id = sent.id ?? id;
    message = told ?? message;
    await recordWrite(sending, planned, step, id, sent.body);
    status = statusAfter(planned, at + 1);
    if (at + 1 < planned.steps.length) {
      const next = { done: at + 1, id, sendingSince: null };
      await sending.context.ledger.saveProgress(sending.run, planned.seq, next, false);
    }
  }
  return { status: status as Status, id, message, issues: [] };
}

/** The record is there, and what should follow its create did not go through. */
function halfDone(ending: Ending, id: number | null): Ending {
  if (ending.status !== 'failed' && ending.status !== 'unknown') return ending;
  return { ...ending, id: ending.id ?? id, message: createdAllTheSameText(id, ending.message) };
}

/** A row that creates its record is created, whatever else it sends then. */
function statusAfter(planned: PlannedRow, done: number): Status {
  const first = planned.steps.slice(0, done).find((step) => step.purpose !== 'key');
  return first === undefined || first.purpose === 'key' ? 'not sent' : DONE[first.purpose];
}

/** Stores the ExternalID on a record just created. A service that won't have it costs the row nothing but a word. */
async function storeKey(
  sending: Sending,
  planned: PlannedRow,
  step: Step,
  id: number | null,
): Promise<{ readonly message: Bilingual | null; readonly pending: boolean }> {
  const { context, resource } = sending;
  const { keys } = sending.guard;
  const { external } = planned;
  const done = (message: Bilingual | null) => ({ message, pending: false });
  if (id === null || external === null || !keys.kept()) return done(null);
  try {
    const { answer } = await sendStep(context, resource, step, id);
    if (answer.success) await keys.stored(planned, id);
    else await keys.refused(answer.message ?? 'success false');
    return done(answer.success ? null : keyRefusedText(external, answer.message ?? 'success false'));
  } catch (error) {
    // The record is there, whatever ends the run now: its row must not count as unsent.
    if (error instanceof StopError)
      return { message: keyPendingText(external, error.texts.message), pending: true };
    if (!(error instanceof RequestError)) throw error;
    if (error.kind === 'missing') return done(goneSinceText(external));
    if (error.kind !== 'refused') return { message: keyPendingText(external, error.reasons), pending: true };
    await keys.refused(error.words ?? error.reason);
    return done(keys.kept() ? keyRefusedText(external, error.words ?? error.reason) : null);
  }
}
