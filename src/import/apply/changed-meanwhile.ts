import { type Issue, issueAt } from '../../core/issue.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { plainValues, sameValue } from '../../records/existing-record.ts';
import type { RecordConflict } from '../../records/freshness.ts';
import { RequestError } from '../../service/request-error.ts';
import { conflictTexts, madeTexts, uncheckedText } from './apply-texts.ts';
import type { Ending, Sending } from './sending.ts';

/** Why a row may not be sent: its record changed since the plan, or that can't be read; null when it may. */
export async function changedMeanwhile(
  sending: Sending,
  planned: PlannedRow,
  inDoubt = false,
): Promise<Ending | null> {
  const { id } = planned;
  try {
    await sending.stored.load();
    const conflict = await sending.guard.check(planned, inDoubt);
    if (conflict === null) return null;
    if (conflict.same !== undefined)
      return { status: 'unchanged', id: conflict.same, message: conflict.message, issues: [] };
    await sending.conflicts.left(planned);
    const issues = conflictIssues(sending, planned, conflict);
    return { status: 'conflict', id, message: conflict.message, issues };
  } catch (error) {
    if (error instanceof RequestError)
      return { status: 'failed', id, message: uncheckedText(error), issues: [] };
    throw error;
  }
}

/**
 * Issues on the row's fields that someone else changed, or made otherwise: what the plan read, the service
 * holds, the sheet says.
 */
function conflictIssues(sending: Sending, planned: PlannedRow, { now = {} }: RecordConflict): Issue[] {
  const { addressOf, locale, stored } = sending;
  const place = (field: string) => ({ field, address: addressOf(planned, field) });
  if (planned.steps[0]?.purpose === 'create') {
    const said = Object.entries(plainValues(Object.assign({}, ...planned.steps.map(({ body }) => body))));
    return said.flatMap(([field, to]) => {
      const is = now[field];
      if (is === undefined || stored.same(field, is, to)) return [];
      return [issueAt({ code: 'made-meanwhile', ...madeTexts(to, is, locale) }, place(field))];
    });
  }
  return planned.changes.flatMap((change) => {
    const { field, from } = change;
    const is = now[field];
    if (is === undefined || sameValue(is, from)) return [];
    return [issueAt({ code: 'changed-meanwhile', ...conflictTexts(change, is, locale) }, place(field))];
  });
}
