import type { DraftDocument, JobDocument } from '../contract/documents.ts';
import type { BodyOf } from '../contract/routes.ts';
import { call } from './call.ts';
import { keepJob } from './live.ts';
import { goTo, type Place } from './router.ts';

/** What is answered before a plan is made. */
export type PlanWishes = BodyOf<'makePlan'>;

/** Begins to make a draft's plan; rejects with CallError. */
export async function beginPlan(draft: string, body: PlanWishes = {}): Promise<JobDocument> {
  return keepJob((await call('makePlan', { params: { draft }, body })).job);
}

/** Goes on with a file that was brought: to its plan where nothing is to be decided, else to its reading. */
export async function goOnWith({ id }: Pick<DraftDocument, 'id'>): Promise<void> {
  const params = { draft: id };
  const { exact } = await call('sheets', { params }).catch(async (error: unknown) => {
    // What can't be read is of no use here: nobody is asked to go on with it.
    await call('dropDraft', { params }).catch(() => {});
    throw error;
  });
  if (exact) await beginPlan(id);
  goTo({ page: 'draft', draft: id, step: exact ? 'plan' : 'read' });
}

/** The step at which a file is gone on with. */
export function placeOf({ id, stage, job }: DraftDocument): Place {
  if (stage === 'sent') {
    const isSending = job?.kind === 'send' && job.endedAt === null;
    return { page: 'draft', draft: id, step: isSending ? 'send' : 'done' };
  }
  const plans = job?.kind === 'plan' && job.endedAt === null;
  return { page: 'draft', draft: id, step: stage === 'planned' || plans ? 'plan' : 'read' };
}
