import { type Bilingual, t } from '../../core/language.ts';
import type { RowDependency } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { RunOf } from '../../records/planning.ts';
import { arrivesUntil } from '../../records/posting-doubt.ts';
import { momentOf, neverSent } from '../../records/sent-before.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import { wallClock } from '../../run/context.ts';
import { LONG_AGO } from '../../run/doubt-time.ts';
import type { CountResource } from '../../schema/resource.ts';
import { ofKind } from '../kind.ts';
import { type Body, movedIn, neededMutations } from './later-mutations.ts';
import { sentMutations } from './sent-mutations.ts';
import type { StockContext } from './stock-row.ts';
import { amountText, isOne, isShownAs, readTotal, type StockTotals, totalBefore } from './stock-total.ts';
import { orderOf } from './tellings.ts';
import { UnreadTotal } from './unread-total.ts';

/** What a run posted on a product, which its total may not show until then, by `performance.now()`. */
interface RecentPosting extends Pick<Posting, 'run'> {
  readonly body: Body;
  readonly until: number;
}

/** The total from before the first of some postings, and those. */
interface Expected {
  readonly base: StockTotals['micros'];
  readonly posted: RecentPosting[];
}

/**
 * Reads totals anew that are still as they were before this program's own postings of late, until they move
 * or can no longer be late; what is late even then is no total. `needs`: what the row waited for.
 */
export function createShownTotals(context: RunOf<CountResource>) {
  const { doubts, signal, run } = context;
  const earlier = askedOnce((_: 'earlier') => recentPostings(context));
  return async (
    product: number,
    total: StockTotals | null,
    needs: readonly RowDependency[] = [],
  ): Promise<StockTotals | UnreadTotal | null> => {
    const own = await neededMutations(context, needs);
    const recent = [
      ...((await earlier('earlier')).get(product) ?? []),
      ...own.map((body) => ({ run, body, until: doubts.fromNow() })),
    ];
    const expected = await expect(context, product, recent);
    const late = (seen: StockTotals | null): Bilingual | null =>
      expected === null || seen === null ? null : lateIn(context, expected, seen.micros);
    if (late(total) === null) return total;
    const until = Math.max(...recent.map((one) => one.until));
    const isShown = (seen: StockTotals | null): boolean => late(seen) === null;
    const seen = await doubts.look(until, () => readTotal(context, product, isOne), isShown);
    signal?.throwIfAborted();
    const now = seen === undefined ? total : seen;
    const why = late(now);
    return why === null ? now : new UnreadTotal(why);
  };
}

/** What earlier runs posted of late, by product, as it came. */
async function recentPostings(
  context: RunOf<CountResource>,
): Promise<ReadonlyMap<number, readonly RecentPosting[]>> {
  const { resources, clock, run } = context;
  const found = new Map<number, (RecentPosting & Posting)[]>();
  const stock = [...ofKind(resources, 'posting'), ...ofKind(resources, 'count')];
  const days = { from: wallClock(new Date(clock().getTime() - LONG_AGO)), to: '9999-12-31' };
  for await (const sent of sentMutations(context, stock, days))
    for (const { posting, record: body, place } of sent) {
      const product = body[context.resource.product];
      const resource = stock.find(({ kind }) => kind === place?.kind);
      if (resource === undefined || posting.run === run || typeof product !== 'number') continue;
      const until = await shownBy({ ...context, resource }, posting);
      if (until < performance.now()) continue;
      const known = found.get(product) ?? [];
      known.push({ ...posting, body, until });
      found.set(product, known);
    }
  for (const one of found.values()) one.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return found;
}

/** Until when totals may not show a posting, by `performance.now()`; one in doubt may still arrive. */
async function shownBy(context: StockContext, posting: Posting): Promise<number> {
  if (posting.state === 'done') return context.doubts.ofDone(momentOf(posting.at));
  if (await neverSent(context, posting)) return 0;
  const until = await arrivesUntil(context, posting, posting.at);
  return until === null ? 0 : performance.now() + until.getTime() - Date.now();
}

/** What a product's total is to show; null where nothing was posted, or no total from before is known. */
async function expect(
  context: RunOf<CountResource>,
  product: number,
  recent: readonly RecentPosting[],
): Promise<Expected | null> {
  let expected: Expected | null = null;
  let last = '';
  for (const posting of recent) {
    const { run } = posting;
    const base = run === last ? null : await totalBefore(context, { run, product });
    last = run;
    // What a run read before it posted may have been late itself.
    if (base !== null && (expected === null || lateIn(context, expected, base) === null))
      expected = { base, posted: [] };
    expected?.posted.push(posting);
  }
  return expected;
}

/** So many totals that are late are told apart: each posting may be in one, or not. */
const MOST_SUMS = 1000;

/** Says that a total lacks some of what was posted; null where nothing tells. */
function lateIn(
  context: RunOf<CountResource>,
  { base, posted }: Expected,
  total: StockTotals['micros'],
): Bilingual | null {
  const { resource } = context;
  const movedOf = (amount: (typeof resource.amounts)[number]) =>
    posted.flatMap(({ body }) => movedIn(resource, body, amount) ?? []);
  const amount = resource.amounts.find((one) => movedOf(one).length === posted.length);
  const name = (amount ?? resource.amounts[0])?.total ?? '';
  const [was, shown, { run = '' } = {}] = [base[name], total[name], posted.at(-1)];
  if (was == null || shown == null) return null;
  // Of postings in several units nobody can tell the sum.
  if (amount === undefined)
    return resource.amounts.every((one) => base[one.total] === total[one.total])
      ? lateText(run, shown, null)
      : null;
  const sums = new Set([was]);
  let full = was;
  for (const moved of movedOf(amount)) {
    full += moved;
    if (sums.size < MOST_SUMS) for (const sum of [...sums]) sums.add(sum + moved);
  }
  return sums.has(shown) && !isShownAs(context, amount, shown, full) ? lateText(run, shown, full) : null;
}

function lateText(run: string, shown: bigint, full: bigint | null): Bilingual {
  const is = amountText(shown);
  const be = full === null ? t('another', 'een ander') : amountText(full);
  return t(
    `the total is still ${is.en}, without all that was posted last, in run ${run}: with that it would be ${be.en}, so no difference is known; import again to take it as it is`,
    `het totaal is nog steeds ${is.nl}, zonder alles wat het laatst geboekt is, in run ${run}: daarmee zou het ${be.nl} zijn, dus er is geen verschil bekend; importeer opnieuw om het te nemen zoals het is`,
  );
}
