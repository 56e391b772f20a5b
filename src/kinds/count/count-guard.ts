import type { Bilingual } from '../../core/language.ts';
import type { PlannedRow, Step } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { ContextOf } from '../../records/planning.ts';
import { type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import { sentRow } from '../../records/sent-before.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { createLaterFinder, laterInPlan, momentText } from '../stock/later-mutations.ts';
import { createShownTotals, orUnread, UnreadTotal } from '../stock/shown-totals.ts';
import { productId } from '../stock/stock-row.ts';
import { isOne, lookAtTotal, readTotal, rememberBefore, sameAmount, toMicros } from '../stock/stock-total.ts';
import { beginningsIn, findTellings, type Known, type Telling, whatHolds } from '../stock/tellings.ts';
import {
  countedMeanwhileText,
  laterCountText,
  movedText,
  noTotalText,
  PRODUCT_GONE,
  totalsText,
} from './count-texts.ts';
import type { Counted } from './counted.ts';

/** Reads the total again right before the difference is posted; a lost answer is settled by no total. */
export function countGuard(context: GuardSetup<CountResource>): RowGuard {
  const { resource, run } = context;
  const shown = createShownTotals(context);
  const later = createLaterFinder(context);
  const totalNow = async ({ amount }: PlannedCount, body: Step['body']): Promise<bigint | null> => {
    const product = await productId(context, body);
    const total = product === null ? null : await lookAtTotal(context, product);
    return total?.micros[amount.total] ?? null;
  };
  return {
    ...UNGUARDED,
    async check(planned) {
      const count = plannedCount(resource, planned);
      const product = await productId(context, planned.steps[0]?.body ?? {});
      // A product that was to be created and was not: that it lacks is said where its id is needed.
      if (count === null || product === null) return null;
      const known = await knownBeside(context, planned);
      if (known.later !== undefined && !(await wasKnown(context, known.later)))
        return { message: laterCountText(known.later) };
      if (known.later === undefined && known.same !== undefined) {
        const refusal = correctionConflict(known.same, count);
        if (refusal === null) await rememberBefore(context, { run, product });
        return refusal;
      }
      // The plan read its total, so the product was there.
      const asked = { product, amount: count.amount };
      const read = async () => shown(asked, await readTotal(context, product, isOne), planned.needs);
      const total = await orUnread(read);
      if (total instanceof UnreadTotal) return total;
      if (total === null) return { message: PRODUCT_GONE };
      const now = total.micros[count.amount.total] ?? null;
      if (now === null) return { message: noTotalText(count.amount, total.places) };
      const then = await atMoment({ ...context, later }, { now, product, amount: count.amount }, planned);
      const asPlanned = then === null ? null : now - then + count.from;
      if (asPlanned === null || !sameAmount(now, asPlanned))
        return { message: movedText(count.from, then ?? now, count.micros) };
      await rememberBefore(context, { run, product }, total);
      return null;
    },
    async describeDoubt({ planned, body }) {
      const count = plannedCount(resource, planned);
      if (count === null || (await knownBeside(context, planned)).same !== undefined) return null;
      return totalsText(count.from, count.micros, await totalNow(count, body));
    },
  };
}

/** Whether a count was told before the run began: the plan knew it, and posts in spite of it. */
async function wasKnown({ ledger, run }: GuardSetup<CountResource>, { posting }: Telling): Promise<boolean> {
  const began = await ledger.findRun(run);
  return began !== undefined && posting.at <= began.startedAt;
}

/** What a total was at the moment of a count; the mutations of the plan are posted by now. */
async function atMoment(
  context: GuardSetup<CountResource> & { readonly later: ReturnType<typeof createLaterFinder> },
  { now, product, amount }: { now: bigint; product: number; amount: CountedAmount },
  { steps, needs }: PlannedRow,
): Promise<bigint | null> {
  const moment = momentText(steps[0]?.body[context.resource.moment]);
  const before = await context.later(product, moment, amount);
  const own = await laterInPlan(context, needs, moment, amount);
  return 'unclear' in before || 'unclear' in own ? null : now - before.micros - own.micros;
}

/** A correction takes no total: what was counted before must still stand. */
const correctionConflict = (told: Telling, { amount, from }: PlannedCount): { message: Bilingual } | null =>
  told.posting.state === 'done' && told.field === amount.counted && told.micros === from
    ? null
    : { message: countedMeanwhileText(told) };

/** The total from which an earlier run planned a count that it sent; null where its plan does not tell. */
export async function sentFrom(context: ContextOf<CountResource>, posting: Posting): Promise<bigint | null> {
  const planned = (await sentRow(context, posting))?.planned;
  if (planned === undefined || (await knownBeside(context, planned)).same !== undefined) return null;
  return plannedCount(context.resource, planned)?.from ?? null;
}

/** What is known by now of counts of a planned row's product, beside its own. */
async function knownBeside(context: ContextOf<CountResource>, { steps: [step] }: PlannedRow): Promise<Known> {
  const { fingerprint = '', also = [], body = {} } = step ?? {};
  const beginnings = beginningsIn([fingerprint, ...also]);
  const tellings = (await findTellings(context, beginnings))(beginnings);
  return await whatHolds(context, tellings, momentText(body[context.resource.moment]), fingerprint);
}

interface PlannedCount extends Counted {
  readonly from: bigint;
}

/** What a planned row counts; null for one that posts nothing. */
function plannedCount({ amounts }: CountResource, { changes: [change] }: PlannedRow): PlannedCount | null {
  const amount = amounts.find(({ counted }) => counted === change?.field);
  if (amount === undefined || typeof change?.from !== 'number' || typeof change.to !== 'number') return null;
  const [from, micros] = [toMicros(change.from), toMicros(change.to)];
  return from === null || micros === null ? null : { amount, from, micros };
}
