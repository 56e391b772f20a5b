import type { PlannedRow } from '../../schema/plan.ts';
import { RequestError } from '../../service/request-error.ts';
import type { Ending } from './ending.ts';
import { cannotCheck } from './failure-outcome.ts';
import type { Sending } from './sending.ts';

/** Why a row may not be sent: its record changed since the plan, or that can't be found out; null when it may. */
export async function changedMeanwhile({ guard }: Sending, planned: PlannedRow): Promise<Ending | null> {
  try {
    const moved = await guard.check(planned);
    return moved === null ? null : { status: 'conflict', id: planned.id, message: moved, issues: [] };
  } catch (error) {
    if (error instanceof RequestError) return cannotCheck(planned, error);
    throw error;
  }
}
