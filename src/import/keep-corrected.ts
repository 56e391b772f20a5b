import type { Ledger } from '../ledger/ledger.ts';
import type { ConflictDecision } from '../records/planning.ts';
import type { KeptCorrection } from './correct/corrected-workbook.ts';
import { planDetails } from './plan/saved-plan.ts';

/** All that the user corrected and decided of a file. */
export interface Corrected {
  readonly corrections: readonly KeptCorrection[];
  readonly decisions: readonly ConflictDecision[];
}

/**
 * Keeps with a plan what the user corrected and decided since: its file has to be planned anew before anything of
 * it is sent, so the plan counts as one that is being made. False where its sending was begun meanwhile.
 */
export async function keepCorrected(
  ledger: Pick<Ledger, 'findRun' | 'updateRun'>,
  run: string,
  { corrections, decisions }: Corrected,
): Promise<boolean> {
  const details = await planDetails(ledger, run);
  if (details === undefined) throw new Error(`the plan of run ${run} was never completed`);
  const kept = { ...details, corrections, options: { ...details.options, decisions } };
  return await ledger.updateRun(run, { state: 'planning', details: kept }, ['planning', 'planned']);
}
