import { type Issue, issueAt } from '../../core/issue.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { sameValue } from '../../records/existing-record.ts';
import type { RecordConflict } from '../../records/fresh.ts';
import { believed } from '../../records/stale-reads.ts';
import { RequestError } from '../../service/request-error.ts';
import { conflictTexts, uncheckedText } from './apply-texts.ts';
import type { Ending, Sending } from './sending.ts';

/**
 * Why a row may not be sent: its record changed since the plan, or that can't be read; null when it may.
 * `inDoubt` and `anew` are those of `RowGuard.check`.
 */
export async function changedMeanwhile(
  sending: Sending,
  planned: PlannedRow,
  { inDoubt = false, anew = inDoubt }: { readonly inDoubt?: boolean; readonly anew?: boolean } = {},
): Promise<Ending | null> {
  const { id } = planned;
  try {
    const first = await sending.guard.check(planned, inDoubt, anew);
    if (first === null) return null;
    const again = () => sending.guard.check(planned, true);
    const { context, resource } = sending;
    const seen = await sending.aside(() => believed({ ...context, resource }, planned, first, again));
    // Its LMT tells nothing, as this run moved it: what others changed the values tell.
    const isMoved = seen !== null && planned.lmt !== null && (await isOwn(sending, planned));
    const conflict = isMoved ? await sending.guard.check({ ...planned, lmt: null }, inDoubt, true) : seen;
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

/** Whether the record was written last by another row of the run, in an earlier session too. */
async function isOwn({ context, resource, run }: Sending, { key, seq }: PlannedRow): Promise<boolean> {
  if (key === null) return false;
  const last = (await context.ledger.findWrites(context.serviceKey, resource.name, [key])).get(key);
  return last?.run === run && last.seq !== seq;
}

/** Issues on the row's fields that someone else changed: what the plan read, the service holds, the sheet says. */
const conflictIssues = (sending: Sending, planned: PlannedRow, { now = {} }: RecordConflict): Issue[] =>
  planned.changes.flatMap((change) => {
    const { field, from } = change;
    const is = now[field];
    if (is === undefined || sameValue(is, from)) return [];
    const texts = conflictTexts(change, is, sending.locale);
    const address = sending.addressOf(planned, field);
    return [issueAt({ code: 'changed-meanwhile', ...texts }, { field, address })];
  });
