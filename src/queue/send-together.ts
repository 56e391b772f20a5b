import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Applied } from '../import/apply/apply-plan.ts';
import { cutParts, sendParts } from '../import/apply/parts.ts';
import { beginForOthers, sendForOthers } from '../import/import.ts';
import { reopenSentPlan, type SentPlan } from '../import/plan/saved-plan.ts';
import type { ProgramOptions } from '../options/options.ts';
import { type Session, withSession } from '../session/open-session.ts';

/** How often it is looked whether the others are done, ms. */
const LOOK = 250;

/**
 * Sends a plan that this program has the right to send: first its parts, beside the workers that join, then
 * alone what is left: rows in doubt, rows behind them, and what comes after all others. Whatever ends it
 * early is in `stopped`, or is the answer where nothing can be told of its rows.
 */
export async function sendTogether(session: Session, plan: SentPlan): Promise<Applied | StopError> {
  const { context, right } = session;
  await beginForOthers(context, plan);
  const parts = await cutParts(context, plan.run);
  const team = right?.team;
  if (parts.length < 2 || team === undefined) return await sendForOthers(context, plan);
  await team.share(plan.run, parts);
  for (;;) {
    // Also what others who died were at.
    const stop = await sendParts(context, plan, team);
    if (stop !== null) return stop;
    if (await team.alone()) break;
    await sleep(LOOK);
    if (context.signal?.aborted === true) return interrupted(context.signal.reason);
  }
  // What others left in doubt was sent a moment ago: from now on it has its whole time.
  return await sendForOthers(session.anew(), plan);
}

const interrupted = (reason: unknown): StopError =>
  reason instanceof StopError
    ? reason
    : new StopError(EXIT.interrupted, t('Interrupted.', 'Onderbroken.'), { cause: reason });

/** What a worker did for a run that another one leads. */
export interface Helped {
  /** Why it stopped before there was nothing left to take; null when it did not. */
  readonly stop: StopError | null;
  readonly stats: Session['context']['service']['stats'];
}

/** Sends parts of a run beside the worker that leads it; undefined where it can't be joined any more. */
export async function helpRun(
  options: ProgramOptions,
  { run, concurrency, began }: { run: string; concurrency: number; began: () => void },
): Promise<Helped | undefined> {
  const help = async ({ context, right }: Session): Promise<Helped | undefined> => {
    if (right?.team === undefined) return undefined;
    began();
    const stop = await sendParts(context, await reopenSentPlan(context, run), right.team);
    return { stop, stats: context.service.stats };
  };
  return await withSession(options, { join: run }, help, { sharedConcurrency: concurrency });
}
