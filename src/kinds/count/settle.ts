import type { Posting } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import type { CountResource } from '../../schema/resource.ts';
import type { Verdict } from '../kind.ts';
import { type Counted, sameAmount } from './counted.ts';
import { type PlannedCount, plannedCount } from './planned-count.ts';

/** Whether a count's posting took effect, by the total now: it is as counted, as before, or neither and can't be told. */
export function verdictOf({ amount, micros, from }: PlannedCount, now: bigint): Verdict {
  if (sameAmount(amount, now, micros)) return { id: null };
  return sameAmount(amount, now, from) ? 'no' : null;
}

/** The total from which an earlier run planned a count that it sent; null when its plan can't be read. */
export async function sentFrom(
  { ledger }: Context,
  resource: CountResource,
  { run, seq }: Posting,
): Promise<bigint | null> {
  const [sent] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  if (sent === undefined || sent.planned.seq !== seq) return null;
  return plannedCount(resource, sent.planned)?.from ?? null;
}

/**
 * Settles what an earlier run left open, by the total now, when no other program is sending; true when its posting
 * certainly did not take effect, so that the count may be posted.
 */
export async function settleSent(
  context: Context,
  resource: CountResource,
  posting: Posting,
  counted: Counted,
  now: { readonly from: bigint | null; readonly total: bigint },
): Promise<boolean> {
  if (!context.exclusive || now.from === null) return false;
  const verdict = verdictOf({ ...counted, from: now.from }, now.total);
  if (verdict === null) return false;
  const { ledger, serviceKey } = context;
  await ledger.settlePosting(serviceKey, resource.name, posting.fingerprint, null, verdict !== 'no');
  return verdict === 'no';
}
