import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { DeskRun } from '../contract/documents.ts';
import type { Desk } from './desk.ts';
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

/** Marks drafts whose run was sent or begun as sent, also where the run's own page or a terminal did that. */
export async function settleStages(desk: Desk): Promise<void> {
  for (const { id, stage, run } of desk.drafts.list()) {
    if (stage !== 'planned' || run === null) continue;
    const state = await stateOf(desk, run);
    if (state === undefined || state === 'planned' || state === 'planning') continue;
    if (desk.drafts.ofRun(run)?.id === id) desk.drafts.change(id, { stage: 'sent' });
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
