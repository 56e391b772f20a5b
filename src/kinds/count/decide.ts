import { issueAt } from '../../core/issue.ts';
import type { Action, PlannedRow, RowDependency } from '../../core/plan.ts';
import { addressOf } from '../../import/map/map-row.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import type { CountResource } from '../../schema/resource.ts';
import type { Unplaced } from '../kind.ts';
import { mutationBody } from '../posting/check-row.ts';
import { fromMicros } from '../posting/micros.ts';
import { missing, type Product, productName } from '../posting/product.ts';
import type { Total } from '../posting/total.ts';
import { afterMutations } from './after-mutations.ts';
import { type Counted, type CountRow, sameAmount } from './counted.ts';
import { sentFrom, settleSent } from './settle.ts';
import { differenceText, doubtfulText, mutatedText, noTotalText, postedText } from './texts.ts';

/** What a row comes to. */
export type Decided = Partial<Pick<Unplaced, 'changes' | 'steps' | 'needs' | 'message'>> & {
  readonly action: Action;
};

/** A count that could be read, beside what is known of it. */
interface ReadCount {
  readonly row: CountRow;
  readonly product: Product;
  readonly counted: Counted;
  /** Null for a product that the service does not have. */
  readonly total: Total | null;
  readonly fingerprint: string;
  /** Other names that it may go by. */
  readonly also: readonly string[];
  /** What the same plan posts on the product before it. */
  readonly mutations: readonly PlannedRow[];
  readonly posting: Posting | undefined;
}

/** Decides one count: as it is, posted before, in doubt, or the difference to be posted. */
export async function decide(context: Context, resource: CountResource, count: ReadCount): Promise<Decided> {
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
    if (!same && !free) return { action: 'unknown', message: doubtfulText(posting, from, now) };
  }
  if (same) return { action: 'unchanged' };
  if (posting?.state === 'done') return { action: 'conflict', message: postedText(posting, current) };
  return post(resource, count, current);
}

function post(resource: CountResource, count: ReadCount, current: bigint): Decided {
  const { row, product, counted, fingerprint, also } = count;
  const { amount, micros } = counted;
  const body = { ...mutationBody(row, product), [amount.sent]: fromMicros(micros - current) };
  return {
    action: 'create',
    changes: [{ field: amount.counted, from: fromMicros(current), to: fromMicros(micros) }],
    steps: [
      {
        purpose: 'post',
        endpoint: resource.requests.create.name,
        body,
        fingerprint,
        ...(also.length === 0 ? {} : { also }),
      },
    ],
    needs: [...('need' in product ? [product.need] : []), ...needsOf(count.mutations)],
    message: differenceText(current, counted),
  };
}

function needsOf(mutations: readonly PlannedRow[]): RowDependency[] {
  return mutations.flatMap(({ resource, key }) => (key === null ? [] : [{ resource, key }]));
}

function refuseUnknown(row: CountRow): Decided {
  const name = productName(row) ?? { field: row.mapping.resource.product, value: 0 };
  const place = { field: name.field, address: addressOf(row.mapping, name.field, row.row) };
  row.issues.push(issueAt(missing(row, name), place));
  return { action: 'invalid' };
}
