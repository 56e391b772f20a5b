import type { PlannedRow } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import type { PostingResource } from '../../schema/resource.ts';
import { byReference } from '../fingerprint.ts';
import type { Unplaced } from '../kind.ts';
import { backAgainText, takenBackOtherwiseText, takenBackText } from './texts.ts';
import { undoKey } from './undo-key.ts';

/** What a row comes to that takes another one back, where that was done before. */
type TakenBack = Pick<Unplaced, 'action' | 'id' | 'message'>;

/**
 * Decides a row that takes another one back and whose like was posted before: it is taken back already, unless that was
 * taken back in its turn; then the undo of that is what takes it back again. `differs`: it would post other amounts.
 */
export async function takenBack(
  { context, shared }: { readonly context: Context; readonly shared: { readonly resource: PostingResource } },
  posting: Posting,
  { sent, differs }: { readonly sent: PlannedRow | undefined; readonly differs: boolean },
): Promise<TakenBack> {
  const { id } = posting;
  if (differs) return { action: 'conflict', id, message: takenBackOtherwiseText(posting) };
  const later = sent === undefined ? [] : await undosOf(context, shared.resource, posting, sent);
  const last = later.at(-1);
  return last === undefined || later.length % 2 === 0
    ? { action: 'unchanged', id, message: takenBackText(posting) }
    : { action: 'conflict', id, message: backAgainText(posting, last.run) };
}

/** The postings that took one back, and that one, and so on. */
async function undosOf(
  { ledger, serviceKey }: Context,
  { name }: PostingResource,
  posting: Posting,
  row: PlannedRow,
): Promise<readonly Posting[]> {
  const found: Posting[] = [];
  let key = byReference(undoKey(posting.run, row));
  for (;;) {
    const next = (await ledger.findPostings(serviceKey, name, [key])).get(key);
    if (next?.state !== 'done') return found;
    found.push(next);
    const [planned] = await ledger.readRows(next.run, { after: next.seq - 1, limit: 1 });
    if (planned?.planned.seq !== next.seq) return found;
    key = byReference(undoKey(next.run, planned.planned));
  }
}
