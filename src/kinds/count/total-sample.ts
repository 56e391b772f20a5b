import type { ContextOf } from '../../records/planning.ts';
import { storedValues } from '../../records/stored-values.ts';
import { findHabit, type StoredPair } from '../../records/value-habits.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { fromMicros, lookAtTotal } from '../stock/stock-total.ts';

/** A total before a count is posted, and what it is to be with it. */
interface PostedTotal {
  readonly product: number;
  readonly amount: CountedAmount;
  readonly was: bigint;
  readonly is: bigint;
}

/** Of several totals a habit shows, which one alone may have by chance. */
const MOST = 2;
/** Rounding takes less away as a rule, in millionths. */
const CENT = 10_000n;
const isNear = (a: bigint, b: bigint): boolean => a - b < CENT && b - a < CENT;

/**
 * Reads a few totals once more when all is sent, those that tell most of whether the service rounds them; it
 * does so once for amounts of a kind.
 */
export function createTotalSample(context: ContextOf<CountResource>) {
  const stored = storedValues(context);
  let best: readonly PostedTotal[] = [];
  const decimals = ({ is }: PostedTotal): number => String(fromMicros(is)).split('.')[1]?.length ?? 0;
  return {
    add(total: PostedTotal): void {
      const { amount, is } = total;
      // A whole number tells nothing of rounding.
      const isNews = decimals(total) > 0 && stored.news(amount.counted, fromMicros(is)).length > 0;
      if (!isNews || best.some((one) => one.is === is)) return;
      best = [...best, total].sort((a, b) => decimals(b) - decimals(a)).slice(0, MOST);
    },
    async learn(): Promise<void> {
      const pairs: (StoredPair & { readonly field: string })[] = [];
      let isClose = true;
      for (const { product, amount, was, is } of best) {
        const shown = (await lookAtTotal(context, product))?.micros[amount.total] ?? null;
        // It may not show the count yet, or that was not sent after all.
        if (shown === null || (shown === was && !isNear(is, was))) continue;
        pairs.push({ field: amount.counted, sent: fromMicros(is), held: fromMicros(shown) });
        isClose &&= isNear(is, shown);
      }
      best = [];
      // Stock moves: one total alone may be more than rounded by what somebody used meanwhile.
      if (findHabit('decimal', pairs) === null || !(isClose || pairs.length === MOST)) return;
      for (const { field, sent, held } of pairs) await stored.saw({ [field]: sent }, { [field]: held });
    },
  };
}
