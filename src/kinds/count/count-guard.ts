import type { PlannedRow } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { type EffectVerdict, type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import { sentRow } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import type { CountResource } from '../../schema/resource.ts';
import { productId } from '../stock/stock-product.ts';
import { lookAtTotal, readTotal, toMicros } from '../stock/stock-total.ts';
import { productGoneText, totalMovedText, totalsText } from './count-texts.ts';
import { type Counted, sameAmount } from './counted.ts';

/** Reads the total again right before the difference is posted, and by it settles a lost answer. */
export function countGuard({ context }: GuardSetup, resource: CountResource): RowGuard {
  const totalNow = async (
    { amount }: PlannedCount,
    body: Readonly<Record<string, unknown>>,
  ): Promise<bigint | null> => {
    const product = await productId(context, resource, body);
    const total = product === null ? null : await lookAtTotal(context, resource, product);
    return total?.[amount.total] ?? null;
  };
  return {
    ...UNGUARDED,
    async check(planned) {
      const count = plannedCount(resource, planned);
      const product = await productId(context, resource, planned.steps[0]?.body ?? {});
      // A product that was to be created and was not: that it lacks is said where its id is needed.
      if (count === null || product === null) return null;
      const now = (await readTotal(context, resource, product))?.[count.amount.total] ?? null;
      if (now === null) return { message: productGoneText() };
      return sameAmount(count.amount, now, count.from) ? null : { message: totalMovedText(count.from, now) };
    },
    async tookEffect({ planned, body }) {
      const count = plannedCount(resource, planned);
      const now = count === null ? null : await totalNow(count, body);
      return count === null || now === null ? null : verdictOf(count, now);
    },
    async describeDoubt({ planned, body }) {
      const count = plannedCount(resource, planned);
      return count === null ? null : totalsText(count.from, count, await totalNow(count, body));
    },
  };
}

/** Whether a count was posted, by the total now: as counted, as before, or neither (null). */
function verdictOf({ amount, micros, from }: PlannedCount, now: bigint): EffectVerdict {
  if (sameAmount(amount, now, micros)) return { id: null };
  return sameAmount(amount, now, from) ? 'no' : null;
}

/** The total from which an earlier run planned a count that it sent; null when its plan can't be read. */
export async function sentFrom(
  context: Context,
  resource: CountResource,
  posting: Posting,
): Promise<bigint | null> {
  const sent = await sentRow(context, posting);
  return sent === undefined ? null : (plannedCount(resource, sent.planned)?.from ?? null);
}

/**
 * Settles what an earlier run left open, by the total now, when no other program is sending; true when its
 * posting certainly did not take effect, so that the count may be posted.
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

/** A planned count read back: from which total to which. */
interface PlannedCount extends Counted {
  readonly from: bigint;
}

/** What a planned row counts; null for one that posts nothing. */
function plannedCount(
  { amounts }: CountResource,
  { changes: [change] }: Pick<PlannedRow, 'changes'>,
): PlannedCount | null {
  const amount = amounts.find(({ counted }) => counted === change?.field);
  if (amount === undefined || typeof change?.from !== 'number' || typeof change.to !== 'number') return null;
  const [from, micros] = [toMicros(change.from), toMicros(change.to)];
  return from === null || micros === null ? null : { amount, from, micros };
}
