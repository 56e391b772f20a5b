import type { CountResource } from '../../schema/resource.ts';
import type { RowGuard, SenderSetup } from '../kind.ts';
import { NO_KEYS } from '../posting/guard.ts';
import { productId } from '../posting/product.ts';
import { lookAtTotal, readTotal } from '../posting/total.ts';
import { sameAmount } from './counted.ts';
import { type PlannedCount, plannedCount } from './planned-count.ts';
import { verdictOf } from './settle.ts';
import { goneText, movedText, totalsText } from './texts.ts';

/** Reads the total again right before the difference is posted, and by it settles a lost answer. */
export function countGuard({ context }: SenderSetup, resource: CountResource): RowGuard {
  const totalNow = async (
    { amount }: PlannedCount,
    body: Readonly<Record<string, unknown>>,
  ): Promise<bigint | null> => {
    const product = await productId(context, resource, body);
    const total = product === null ? null : await lookAtTotal(context, resource, product);
    return total?.[amount.total] ?? null;
  };
  return {
    async check(planned) {
      const count = plannedCount(resource, planned);
      const product = await productId(context, resource, planned.steps[0]?.body ?? {});
      // A product that was to be created and was not: that it lacks is said where its id is needed.
      if (count === null || product === null) return null;
      const now = (await readTotal(context, resource, product))?.[count.amount.total] ?? null;
      if (now === null) return { message: goneText() };
      return sameAmount(count.amount, now, count.from) ? null : { message: movedText(count.from, now) };
    },
    wrote: async () => {},
    async tookEffect({ planned, body }) {
      const count = plannedCount(resource, planned);
      const now = count === null ? null : await totalNow(count, body);
      return count === null || now === null ? null : verdictOf(count, now);
    },
    async describeDoubt({ planned, body }) {
      const count = plannedCount(resource, planned);
      return count === null ? null : totalsText(count.from, count, await totalNow(count, body));
    },
    keys: NO_KEYS,
    notes: () => [],
  };
}
