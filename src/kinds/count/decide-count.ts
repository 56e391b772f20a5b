import type { PlannedRow, RowDependency } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { issueOn } from '../../records/mapped-row.ts';
import { INVALID, type RowDecision } from '../../records/row-decision.ts';
import { postStep } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import type { CountResource } from '../../schema/resource.ts';
import { missingProduct, productName, type StockProduct } from '../stock/stock-product.ts';
import { mutationBody } from '../stock/stock-row.ts';
import { fromMicros, type StockTotals, toMicros } from '../stock/stock-total.ts';
import { sentFrom, settleSent } from './count-guard.ts';
import {
  countDoubtfulText,
  countPostedText,
  differenceText,
  mutatedText,
  noTotalText,
} from './count-texts.ts';
import { type Counted, type CountRow, sameAmount } from './counted.ts';

/** A count that could be read, beside what is known of it. */
interface ReadCount {
  readonly row: CountRow;
  readonly product: StockProduct;
  readonly counted: Counted;
  /** Null for a product that the service does not have. */
  readonly total: StockTotals | null;
  /** The name it is posted under, and those under which it may have been. */
  readonly names: readonly string[];
  /** What the same plan posts on the product before it. */
  readonly mutations: readonly PlannedRow[];
  readonly posting: Posting | undefined;
}

/** Decides one count: as it is, posted before, in doubt, or the difference to be posted. */
export async function decideCount(
  context: Context,
  resource: CountResource,
  count: ReadCount,
): Promise<RowDecision> {
  const { row, counted, posting } = count;
  if (count.total === null) return refuseUnknown(row);
  const now = count.total[counted.amount.total] ?? null;
  if (now === null) return { action: 'conflict', message: noTotalText(counted) };
  const current = afterMutations(row, counted, now, count.mutations);
  if (current === null) return { action: 'conflict', message: mutatedText(count.mutations) };
  const same = sameAmount(counted.amount, current, counted.micros);
  if (posting?.state === 'sending') {
    const from = await sentFrom(context, resource, posting);
    const free = await settleSent(context, resource, posting, counted, { from, total: now });
    if (!same && !free) return { action: 'unknown', message: countDoubtfulText(posting, from, now) };
  }
  if (same) return { action: 'unchanged' };
  if (posting?.state === 'done') return { action: 'conflict', message: countPostedText(posting, current) };
  return post(resource, count, current);
}

function post(resource: CountResource, count: ReadCount, current: bigint): RowDecision {
  const { row, product, counted, names } = count;
  const { amount, micros } = counted;
  const body = { ...mutationBody(row, product), [amount.sent]: fromMicros(micros - current) };
  return {
    action: 'create',
    changes: [{ field: amount.counted, from: fromMicros(current), to: fromMicros(micros) }],
    steps: [postStep(resource.requests.create.name, body, names)],
    needs: [...('need' in product ? [product.need] : []), ...needsOf(count.mutations)],
    message: differenceText(current, counted),
  };
}

function needsOf(mutations: readonly PlannedRow[]): RowDependency[] {
  return mutations.flatMap(({ resource, key }) => (key === null ? [] : [{ resource, key }]));
}

function refuseUnknown(row: CountRow): RowDecision {
  const name = productName(row) ?? { field: row.mapping.resource.product, value: 0 };
  row.issues.push(issueOn(row, name.field, missingProduct(row, name)));
  return INVALID;
}

/**
 * The total that a count will find once the mutations of the same plan are posted: they are sent first, as
 * they took place before it. Null when that can't be told: one is later than the count, or in the other unit.
 */
function afterMutations(
  { values, mapping: { resource } }: CountRow,
  { amount }: Counted,
  total: bigint,
  mutations: readonly PlannedRow[],
): bigint | null {
  let after = total;
  for (const { steps } of mutations) {
    const body = steps[0]?.body ?? {};
    const [when, counted] = [body[resource.moment], values[resource.moment]];
    const given = resource.amounts.filter(({ sent }) => body[sent] != null);
    const posted = body[amount.sent];
    const micros = typeof posted === 'number' && given.length === 1 ? toMicros(posted) : null;
    if (micros === null || String(when) > String(counted)) return null;
    after += micros;
  }
  return after;
}
