import { type Bilingual, t } from '../../core/language.ts';
import type { RowDependency } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { RunOf } from '../../records/planning.ts';
import { arrivesUntil } from '../../records/posting-doubt.ts';
import { momentOf, neverSent } from '../../records/sent-before.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import { wallClock } from '../../run/context.ts';
import { LONG_AGO } from '../../run/doubt-time.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { ofKind } from '../kind.ts';
import { type Body, movedIn, neededMutations } from './later-mutations.ts';
import { sentMutations } from './sent-mutations.ts';
import type { StockContext } from './stock-row.ts';
import { amountText, isOne, readTotal, type StockTotals, sameAmount, totalBefore } from './stock-total.ts';
import { orderOf } from './tellings.ts';

/** An answer that tells no total: said of its row, and never taken for nothing. */
export class UnreadTotal {
  readonly message: Bilingual;
  /** Of a total that is late, what it is to be, in millionths; null where nobody can tell. */
  readonly due: bigint | null | undefined;

  constructor(message: Bilingual, due?: bigint | null) {
    this.message = message;
    this.due = due;
  }
}

/** What is read; why not, where the answer is not understood. Throws as `read` for anything else. */
export async function orUnread<T>(read: () => Promise<T>): Promise<T | UnreadTotal> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RequestError && error.kind === 'malformed')) throw error;
    const { en, nl } = error.reasons;
    return new UnreadTotal(
      t(
        `the service's answer for the current total is not understood, so no difference is known: ${en}`,
        `het antwoord van het systeem op de vraag naar het totaal is niet te begrijpen, dus er is geen verschil bekend: ${nl}`,
      ),
    );
  }
}

/** What a run posted on a product, which its total may not show until then, by steady time. */
interface RecentPosting extends Pick<Posting, 'run' | 'state'> {
  readonly body: Body;
  readonly until: number;
}

/** The total from before the first of some postings, and those. */
interface Expected {
  readonly base: StockTotals['micros'];
  readonly posted: RecentPosting[];
}

/**
 * Reads totals anew that are still as they were before what this program posted last, until they move or can
 * no longer be late; what is late even then is no total. `needs`: what the row waited for.
 */
export function createShownTotals(context: RunOf<CountResource>) {
  const { doubts, signal, run } = context;
  const earlier = askedOnce((_: 'earlier') => recentPostings(context));
  return async (
    { product, amount }: { readonly product: number; readonly amount: CountedAmount },
    total: StockTotals | null,
    needs: readonly RowDependency[] = [],
  ): Promise<StockTotals | UnreadTotal | null> => {
    const own = await neededMutations(context, needs);
    const recent: RecentPosting[] = [
      ...((await earlier('earlier')).get(product) ?? []),
      ...own.map((body) => ({ run, state: 'done' as const, body, until: doubts.fromNow() })),
    ];
    const expected = await expect(context, product, recent, amount);
    const late = (seen: StockTotals | null): UnreadTotal | null =>
      expected === null || seen === null ? null : lateIn(context, expected, seen.micros, amount);
    if (late(total) === null) return total;
    const until = Math.max(...recent.map((one) => one.until));
    const isShown = (seen: StockTotals | null): boolean => late(seen) === null;
    const seen = await doubts.look(until, () => readTotal(context, product, isOne), isShown);
    signal?.throwIfAborted();
    const now = seen === undefined ? total : seen;
    return late(now) ?? now;
  };
}

/** What earlier runs posted of late, by product, as it came. */
async function recentPostings(
  context: RunOf<CountResource>,
): Promise<ReadonlyMap<number, readonly RecentPosting[]>> {
  const { resources, time, run } = context;
  const found = new Map<number, (RecentPosting & Posting)[]>();
  const stock = [...ofKind(resources, 'posting'), ...ofKind(resources, 'count')];
  const days = { from: wallClock(time.now() - LONG_AGO), to: '9999-12-31' };
  for await (const sent of sentMutations(context, stock, days))
    for (const { posting, record: body, place } of sent) {
      const product = body[context.resource.product];
      const resource = stock.find(({ kind }) => kind === place?.kind);
      if (resource === undefined || posting.run === run || typeof product !== 'number') continue;
      const until = await shownBy({ ...context, resource }, posting);
      if (until < time.steady()) continue;
      const known = found.get(product) ?? [];
      known.push({ ...posting, body, until });
      found.set(product, known);
    }
  for (const one of found.values()) one.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return found;
}

/** Until when totals may not show a posting, by steady time; one in doubt may still arrive. */
async function shownBy(context: StockContext, posting: Posting): Promise<number> {
  const { time } = context;
  if (posting.state === 'done') return context.doubts.ofDone(momentOf(posting.at));
  if (await neverSent(context, posting)) return 0;
  const until = await arrivesUntil(context, posting, posting.at);
  return until === null ? 0 : time.steady() + until.getTime() - time.now();
}

/** What a product's total is to show; null where nothing was posted, or no total from before is known. */
async function expect(
  context: RunOf<CountResource>,
  product: number,
  recent: readonly RecentPosting[],
  amount: CountedAmount,
): Promise<Expected | null> {
  let expected: Expected | null = null;
  let last = '';
  for (const posting of recent) {
    const { run } = posting;
    const base = run === last ? null : await totalBefore(context, { run, product });
    last = run;
    // What a run read before it posted may have been late itself.
    if (base !== null && (expected === null || lateIn(context, expected, base, amount) === null))
      expected = { base, posted: [] };
    expected?.posted.push(posting);
  }
  return expected;
}

/**
 * Says that a total is as it was before the last of what was posted; null where it is not. One in doubt may
 * arrive at any moment: then all is there, or nobody can tell what is not.
 */
function lateIn(
  context: RunOf<CountResource>,
  { base, posted }: Expected,
  total: StockTotals['micros'],
  amount: CountedAmount,
): UnreadTotal | null {
  const [was, shown, { run = '' } = {}] = [base[amount.total], total[amount.total], posted.at(-1)];
  if (was == null || shown == null) return null;
  const moved = posted.map(({ body }) => movedIn(context.resource, body, amount));
  const known = moved.filter((one) => one !== null);
  // Of postings in another unit nobody can tell the sum.
  if (known.length < moved.length) return sameAmount(shown, was) ? late(run, shown, null) : null;
  const due = known.reduce((sum, one) => sum + one, was);
  if (sameAmount(shown, due)) return null;
  let before = due;
  const lacks = known.reverse().some((one) => {
    before -= one;
    return sameAmount(shown, before);
  });
  const inDoubt = posted.some(({ state }) => state === 'sending');
  return lacks || inDoubt ? late(run, shown, due) : null;
}

function late(run: string, shown: bigint, due: bigint | null): UnreadTotal {
  const is = amountText(shown);
  const be = due === null ? t('another', 'een ander') : amountText(due);
  return new UnreadTotal(
    t(
      `the total is ${is.en}, without all that was posted last, in run ${run}: with that it would be ${be.en}, so no difference is known and nothing is posted; import again once the service shows it`,
      `het totaal is ${is.nl}, zonder alles wat het laatst geboekt is, in run ${run}: daarmee zou het ${be.nl} zijn, dus er is geen verschil bekend en er wordt niets geboekt; importeer opnieuw als het systeem het laat zien`,
    ),
    due,
  );
}
