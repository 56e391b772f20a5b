import type { Draft } from '../contract/answers.ts';
import type { BodyOf } from '../contract/asked.ts';
import { call } from './call.ts';
import { doJob } from './live.ts';
import { goTo, type Place } from './router.ts';

/** Makes a draft's plan; resolves when it is there, rejects with CallError. `onBegun` hears that it was begun. */
export async function makePlan(
  draft: string,
  body: BodyOf<'makePlan'> = {},
  onBegun?: () => void,
): Promise<void> {
  await doJob(call('makePlan', { params: { draft }, body }), onBegun);
}

/** Goes on with a file that was brought: to its plan where nothing is to be decided, else to its reading. */
export async function goOnWith(draft: string): Promise<void> {
  const { exact } = await call('sheets', { params: { draft } });
  const go = (step: 'plan' | 'read') => () => goTo({ page: 'draft', draft, step });
  if (!exact) go('read')();
  // What stops it is told on the step itself.
  else void makePlan(draft, {}, go('plan')).catch(() => {});
}

/** Where a file is gone on with. */
export function placeOf({ id: draft, stage, run, planning }: Draft): Place {
  if (stage === 'sent' && run !== null) return { page: 'run', run };
  const isPlanned = stage === 'planned' || planning?.endedAt === null;
  return { page: 'draft', draft, step: isPlanned ? 'plan' : 'read' };
}
