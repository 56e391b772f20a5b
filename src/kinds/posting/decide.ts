import { stopsRow } from '../../core/issue.ts';
import type { Action, Step } from '../../core/plan.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import type { PostingResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import type { Unplaced } from '../kind.ts';
import { neverSent, sentRow } from '../posted-before.ts';
import { mutationBody } from './check-row.ts';
import { type Product, productId } from './product.ts';
import type { Shared } from './shared.ts';
import { takenBack } from './taken-back.ts';
import { doubtfulText, otherContentText, postedText, skipText } from './texts.ts';
import type { Total } from './total.ts';
import { tellTotals } from './total-before.ts';
import { isUndoKey, UNDO_MOMENT, UNDO_REASON } from './undo-key.ts';

/** What a row comes to. */
export type Decided = Partial<Pick<Unplaced, 'key' | 'id' | 'steps' | 'needs' | 'message'>> & {
  readonly action: Action;
};

/** A row beside what is known of it. */
interface Known {
  readonly context: Context;
  readonly shared: Shared;
  readonly row: MappedRow<PostingResource>;
  readonly product: Product | null;
  readonly fingerprint: string;
  /** Other names that it may go by. */
  readonly also: readonly string[];
  readonly posting: Posting | undefined;
}

/** Decides one row: posted before, in doubt, or to be posted. */
export async function decide(known: Known): Promise<Decided> {
  const { shared, row, product, fingerprint, also, posting } = known;
  if (row.action === 'skip') return { action: 'skip', message: skipText() };
  if (product === null || stopsRow(row.issues)) return { action: 'invalid' };
  const body = mutationBody(row, product);
  if (posting?.state === 'done') return await posted(known, posting, body);
  if (posting !== undefined && !(await neverSent(known.context, shared.resource.name, posting)))
    return { action: 'unknown', message: await inDoubt(known, posting, body) };
  const endpoint = shared.resource.requests.create.name;
  return {
    action: 'create',
    key: shared.mutationKey(product),
    steps: [{ purpose: 'post', endpoint, body, fingerprint, ...(also.length === 0 ? {} : { also }) }],
    needs: 'need' in product ? [product.need] : [],
  };
}

/** The user's `#key` may stand on other values than it was posted with, which must not pass for unchanged. */
async function posted(known: Known, posting: Posting, body: Step['body']): Promise<Decided> {
  const { context, shared, row } = known;
  const key = row.reference;
  if (key !== null) {
    const sent = (await sentRow(context, posting))?.planned;
    const before = sent?.steps[0]?.body;
    const differs = before !== undefined && !(await same(known, before, body));
    if (isUndoKey(key)) return await takenBack(known, posting, { sent, differs });
    if (differs) return { action: 'conflict', id: posting.id, message: otherContentText(posting, key) };
  }
  context.log.debug({ resource: shared.resource.name, run: posting.run }, 'posted before');
  return { action: 'unchanged', id: posting.id, message: postedText(posting) };
}

/** Of a row that takes another one back, when and why are not the user's. */
async function same({ context, shared, row }: Known, a: Step['body'], b: Step['body']): Promise<boolean> {
  const { resource } = shared;
  const madeUp = row.reference !== null && isUndoKey(row.reference) ? [UNDO_MOMENT, UNDO_REASON] : [];
  const apart: readonly string[] = [resource.product, ...madeUp];
  const names = new Set([...Object.keys(a), ...Object.keys(b)].filter((name) => !apart.includes(name)));
  if ([...names].some((name) => (a[name] ?? null) !== (b[name] ?? null))) return false;
  const ids = await Promise.all([a, b].map((body) => productId(context, resource, body)));
  return ids[0] === ids[1];
}

async function inDoubt({ context, shared }: Known, posting: Posting, body: Step['body']) {
  const { resource, totals } = shared;
  const product = await productId(context, resource, body);
  const sent = await sentRow(context, posting);
  const where = sent === undefined ? '' : `${sent.planned.sheet}!${sent.planned.row}`;
  if (product === null) return doubtfulText(posting, where, null);
  const now = await totals(product).catch((error: unknown): Total | null => {
    // It is only told: not being able to read it must not keep the rest from being planned.
    if (error instanceof RequestError) return null;
    throw error;
  });
  return doubtfulText(
    posting,
    where,
    await tellTotals(context, resource, { run: posting.run, product }, body, now),
  );
}
