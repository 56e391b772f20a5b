import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../../schema/plan.ts';
import type { Values } from '../../schema/value.ts';
import { interruption } from '../../service/interrupted-error.ts';
import type { Verdict } from '../kinds/kind.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import type { Ending } from './ending.ts';
import type { Attempt, Sending } from './sending.ts';

/** How long to wait before believing that a lost request did not take effect: the service may be at it still. */
const PATIENCE = [300, 1200];

/** A step that takes place anew each time it is sent. */
export const repeats = ({ purpose }: Step): boolean => purpose === 'create' || purpose === 'post';

/** What is not there as it was sent may be there as somebody else wrote it since: that is not overwritten. */
export async function changedSince(
  sending: Sending,
  { planned, step, recheck }: Attempt,
): Promise<Ending | null> {
  // A link has no id: what it held when it was read stands for its LMT.
  const isNew = planned.id === null && planned.lmt === null;
  if (!recheck || repeats(step) || isNew) return null;
  return await changedMeanwhile(sending, planned);
}

/** Throws what interrupted the run, if anything did. */
export function orInterrupted({ context: { signal } }: Sending): void {
  if (signal?.aborted === true) throw interruption(signal);
}

/** Looks, and when it is not there looks again a little later, before that is believed. */
export async function settleSoon(
  sending: Sending,
  one: Attempt,
  body: Values,
  since: Date,
): Promise<Verdict> {
  for (const wait of PATIENCE) {
    const verdict = await verdictOn(sending, one, body, since);
    if (verdict !== 'no') return verdict;
    await sleep(wait);
  }
  return await verdictOn(sending, one, body, since);
}

/** Whether a step took effect, by what the service holds now. */
export async function verdictOn(sending: Sending, one: Attempt, body: Values, since: Date): Promise<Verdict> {
  const { planned, step, id } = one;
  const verdict = await sending.guard.tookEffect({ run: sending.run, planned, step, id, body, since });
  sending.context.log.info(
    { sheet: planned.sheet, row: planned.row, endpoint: step.endpoint, verdict },
    'looked whether it took effect',
  );
  return verdict;
}
