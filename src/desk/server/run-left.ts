import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { DeskRun, PlanDocument } from '../contract/documents.ts';
import type { Desk } from './desk.ts';
import type { StoredDraft } from './drafts.ts';
import { NotNow } from './refusal.ts';

/** Deleting is agreed to on its own, by the number of rows that do: throws StopError for another number. */
export function refuseDeletes(deletes: number, agreed: number): void {
  if (deletes === agreed) return;
  throw new StopError(EXIT.usage, t('Deleting was not agreed to.', 'Met verwijderen is niet ingestemd.'), {
    next: t('Agree to it, or plan the file without.', 'Stem ermee in, of plan het bestand zonder.'),
  });
}

/** Throws NotNow for a plan that is not what would be sent any more. */
export function refuseOld({ replacedBy, stale }: Pick<DeskRun, 'replacedBy' | 'stale'>): void {
  if (replacedBy !== null)
    throw new NotNow(
      t('This plan was made anew since.', 'Dit plan is sindsdien opnieuw gemaakt.'),
      t('Send the newest plan of the file.', 'Verstuur het nieuwste plan van het bestand.'),
    );
  if (stale)
    throw new NotNow(
      t('Cells were corrected since this plan was made.', 'Sinds dit plan zijn er cellen verbeterd.'),
      t('Have all checked again, then send that.', 'Laat alles opnieuw nakijken en verstuur dat.'),
    );
}

/** Rows of a run that delete and were not sent. */
export async function deletesLeft(desk: Desk, run: string): Promise<number> {
  const [plan, { state }] = await Promise.all([desk.runs.plan(run), desk.runs.state(run)]);
  const planned = plan?.sheets.reduce((sum, { counts }) => sum + counts.deleted, 0) ?? 0;
  return planned === 0 || state === 'planned' ? planned : await desk.runs.deletesLeft(run);
}

/** Throws NotNow for a plan that can't be handed over to workers. */
export function refuseNoWorkers({ workers }: Pick<PlanDocument, 'workers'>): void {
  if (workers) return;
  throw new NotNow(
    t('Workers can’t send this plan.', 'Workers kunnen dit plan niet versturen.'),
    t('Send it here.', 'Verstuur het hier.'),
  );
}

/** Throws NotNow for a run that workers have: it is sent by them alone. */
export function refuseTheirs({ workers }: Pick<DeskRun, 'workers'>): void {
  if (workers === null) return;
  throw new NotNow(
    t('Workers have this run, and send it.', 'Workers hebben deze run, en versturen hem.'),
    t('Follow it, or pause it first.', 'Volg hem, of pauzeer hem eerst.'),
  );
}

/**
 * Marks drafts whose run was sent, begun or handed over as sent, also where the run's own page or a terminal
 * did that.
 */
export async function settleStages(desk: Desk): Promise<void> {
  const open = desk.drafts.list().filter(({ stage, run }) => stage === 'planned' && run !== null);
  const theirs = open.length === 0 ? undefined : await workersOf(desk);
  for (const { id, run } of open as (StoredDraft & { run: string })[]) {
    const state = await stateOf(desk, run);
    const isUnsent = state === undefined || state === 'planned' || state === 'planning';
    if (isUnsent && theirs?.has(run) !== true) continue;
    if (desk.drafts.ofRun(run)?.id === id) desk.drafts.change(id, { stage: 'sent' });
  }
}

/** The runs that workers have; undefined where that can't be told. */
async function workersOf(desk: Desk) {
  try {
    return await (await desk.runs.queued())?.list();
  } catch {
    return undefined;
  }
}

/** A run's state; undefined in another ledger, and where this one can't be opened. */
async function stateOf(desk: Desk, run: string): Promise<DeskRun['state'] | undefined> {
  try {
    return await desk.runs.stateOf(run);
  } catch {
    return undefined;
  }
}
