import { type Bilingual, t } from '../../core/language.ts';
import type { RowDependency, Step } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { askedOnce } from '../../records/asked-once.ts';
import type { RunOf } from '../../records/planning.ts';
import { arrivesUntil } from '../../records/posting-doubt.ts';
import { momentOf, neverSent } from '../../records/sent-before.ts';
import { wallClock } from '../../run/context.ts';
import { LONG_AGO } from '../../run/doubt-time.ts';
import type { CountResource } from '../../schema/resource.ts';
import { ofKind } from '../kind.ts';
import { movedIn, neededMutations } from './later-mutations.ts';
import { sentMutations } from './sent-mutations.ts';
import type { StockContext } from './stock-row.ts';
import { amountText, isOne, isShownAs, readTotal, type StockTotals, totalBefore } from './stock-total.ts';
import { orderOf } from './tellings.ts';
import { UnreadTotal } from './unread-total.ts';

/** What this program posted on a product so lately that its total may not show it yet. */
interface RecentPosting extends Posting {
  readonly body: Step['body'];
  /** Until when, by `performance.now()`. */
  readonly until: number;
}

/** The total from before the first of some postings, and those. */
interface Expected {
  readonly base: StockTotals;
  readonly posted: readonly RecentPosting[];
}

/**
 * Reads totals anew that are still as they were before this program's own postings of late, until they move
 * or can no longer be late; what is late even then is no total. `needs`: what the row waited for.
 */
export function createShownTotals(context: RunOf<CountResource>) {
  const { doubts, signal } = context;
  const earlier = askedOnce((_: 'earlier') => recentPostings(context));
  return async (
    product: number,
    total: StockTotals | null,
    needs: readonly RowDependency[] = [],
  ): Promise<StockTotals | UnreadTotal | null> => {
    const recent = [
      ...((await earlier('earlier')).get(product) ?? []),
      ...(await postedInPlan(context, needs)),
    ].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const expected = total === null ? null : await expect(context, product, recent);
    if (total === null || expected === null || lateIn(context, expected, total) === null) return total;
    const isShown = (seen: StockTotals | null): boolean =>
      seen === null || lateIn(context, expected, seen) === null;
    const until = Math.max(...expected.posted.map((one) => one.until));
    const seen = await doubts.look(until, () => readTotal(context, product, isOne), isShown);
    signal?.throwIfAborted();
    const late = seen == null ? null : lateIn(context, expected, seen);
    return late === null ? (seen ?? total) : new UnreadTotal(lateText(expected, late));
  };
}

/** What earlier runs posted of late, by product. */
async function recentPostings(
  context: RunOf<CountResource>,
): Promise<ReadonlyMap<number, readonly RecentPosting[]>> {
  const { resources, clock, run } = context;
  const found = new Map<number, RecentPosting[]>();
  const stock = [...ofKind(resources, 'posting'), ...ofKind(resources, 'count')];
  const days = { from: wallClock(new Date(clock().getTime() - LONG_AGO)), to: '9999-12-31' };
  for await (const sent of sentMutations(context, stock, days))
    for (const { posting, record: body, place } of sent) {
      const [product, resource] = [
        body[context.resource.product],
        stock.find(({ kind }) => kind === place?.kind),
      ];
      if (resource === undefined || posting.run === run || typeof product !== 'number') continue;
      const until = await shownBy({ ...context, resource }, posting);
      if (until > performance.now())
        found.set(product, [
          ...(found.get(product) ?? []),
          { ...posting, body: body as Step['body'], until },
        ]);
    }
  return found;
}

/** Until when totals may not show a posting, by `performance.now()`; one in doubt may still arrive. */
async function shownBy(context: StockContext, posting: Posting): Promise<number> {
  if (posting.state === 'done') return context.doubts.ofDone(momentOf(posting.at));
  if (await neverSent(context, posting)) return 0;
  const until = await arrivesUntil(context, posting, posting.at);
  return until === null ? 0 : performance.now() + until.getTime() - Date.now();
}

/** What the mutations that a row waited for posted, in its own run. */
async function postedInPlan(
  context: RunOf<CountResource>,
  needs: readonly RowDependency[],
): Promise<RecentPosting[]> {
  const { ledger, serviceKey, doubts } = context;
  const found: RecentPosting[] = [];
  for (const { resource, fingerprint = '', body } of await neededMutations(context, needs)) {
    const posting = (await ledger.findPostings(serviceKey, resource, [fingerprint])).get(fingerprint);
    if (posting !== undefined) found.push({ ...posting, body, until: doubts.ofDone(momentOf(posting.at)) });
  }
  return found;
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
    const base: StockTotals | null = run === last ? null : await totalBefore(context, { run, product });
    last = run;
    // What a run read before it posted may have been late itself.
    if (base !== null && (expected === null || lateIn(context, expected, base) === null))
      expected = { base, posted: [] };
    if (expected !== null) expected = { ...expected, posted: [...expected.posted, posting] };
  }
  return expected;
}

/** A total that is late. */
interface Late {
  readonly shown: bigint;
  /** What it would be with all that was posted; null where that was in several units. */
  readonly full: bigint | null;
}

/** So many totals that are late are told apart: each posting may be in one, or not. */
const MOST_SUMS = 1000;

/** Whether a total lacks some of what was posted, as far as it tells: null where nothing says so. */
function lateIn(context: RunOf<CountResource>, { base, posted }: Expected, total: StockTotals): Late | null {
  const { resource } = context;
  const { amounts } = resource;
  const isIn = (amount: (typeof amounts)[number]) =>
    posted.every(({ body }) => movedIn(resource, body, amount) !== null);
  const amount = amounts.find(isIn);
  const [was, shown] = [
    base[(amount ?? amounts[0])?.total ?? ''],
    total[(amount ?? amounts[0])?.total ?? ''],
  ];
  if (was == null || shown == null) return null;
  if (amount === undefined)
    return amounts.every(({ total: name }) => base[name] === total[name]) ? { shown, full: null } : null;
  const sums = new Set([was]);
  let full = was;
  for (const { body } of posted) {
    const moved = movedIn(resource, body, amount) ?? 0n;
    full += moved;
    if (sums.size < MOST_SUMS) for (const sum of [...sums]) sums.add(sum + moved);
  }
  return sums.has(shown) && !isShownAs(context, amount, shown, full) ? { shown, full } : null;
}

function lateText({ posted }: Expected, { shown, full }: Late): Bilingual {
  const { run = '', at = '' } = posted.at(-1) ?? {};
  const is = amountText(shown);
  const be = full === null ? t('another', 'een ander') : amountText(full);
  return t(
    `the total is still ${is.en}, without all that run ${run} posted by ${at}: with that it would be ${be.en}, so no difference is known; import again to take it as it is`,
    `het totaal is nog steeds ${is.nl}, zonder alles wat run ${run} tot ${at} boekte: daarmee zou het ${be.nl} zijn, dus er is geen verschil bekend; importeer opnieuw om het te nemen zoals het is`,
  );
}
