import type { Posting, StoredResult } from '../../../ledger/ledger.ts';
import { stopsRow } from '../../../schema/issue.ts';
import type { Action, Step } from '../../../schema/plan.ts';
import type { PostingResource } from '../../../schema/resource.ts';
import { RequestError } from '../../../service/request-error.ts';
import type { Context } from '../../context.ts';
import type { MappedRow } from '../../map/map-row.ts';
import type { Unplaced } from '../kind.ts';
import { mutationBody } from './check-row.ts';
import { type Product, productId } from './product.ts';
import type { Shared } from './shared.ts';
import { doubtfulText, otherContentText, postedText, skipText } from './texts.ts';
import type { Total } from './total.ts';
import { tellTotals } from './total-before.ts';

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
  if (posting !== undefined && !(await neverSent(known, posting)))
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
    const before = (await sentRow(context, posting))?.planned.steps[0]?.body;
    if (before !== undefined && !(await same(known, before, body)))
      return { action: 'conflict', id: posting.id, message: otherContentText(posting, key) };
  }
  context.log.debug({ resource: shared.resource.name, run: posting.run }, 'posted before');
  return { action: 'unchanged', id: posting.id, message: postedText(posting) };
}

/** The row that posted it, in the run that did. */
async function sentRow({ ledger }: Context, { run, seq }: Posting): Promise<StoredResult | undefined> {
  const [sent] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  return sent?.planned.seq === seq ? sent : undefined;
}

/** Cut off after it took its place and before its request was about to go out: the place is free again. */
async function neverSent({ context, shared }: Known, posting: Posting): Promise<boolean> {
  const { ledger, serviceKey, exclusive } = context;
  const row = await sentRow(context, posting);
  if (!exclusive || row === undefined || row.outcome !== null || row.progress?.sendingSince != null)
    return false;
  await ledger.settlePosting(serviceKey, shared.resource.name, posting.fingerprint, null, false);
  return true;
}

async function same({ context, shared }: Known, a: Step['body'], b: Step['body']): Promise<boolean> {
  const { resource } = shared;
  const names = new Set([...Object.keys(a), ...Object.keys(b)].filter((name) => name !== resource.product));
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
