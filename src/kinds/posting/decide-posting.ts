import { stopsRow } from '../../core/issue.ts';
import type { PlannedRow, Step } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { RowPlace } from '../../records/duplicates.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { INVALID, type RowDecision, SKIPPED } from '../../records/row-decision.ts';
import { byReference, type Fingerprints, neverSent, postStep, sentRow } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import type { PostingResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { productId, type StockProduct } from '../stock/stock-product.ts';
import { mutationBody } from '../stock/stock-row.ts';
import { type StockTotals, tellTotals } from '../stock/stock-total.ts';
import { isUndoKey, UNDO_MOMENT, UNDO_REASON, undoKey } from '../stock/stock-undo.ts';
import {
  backAgainText,
  doubtfulText,
  otherContentText,
  postedText,
  takenBackOtherwiseText,
  takenBackText,
} from './posting-texts.ts';

/** What the sheets of mutations share in a run. */
export interface PostingShared {
  readonly resource: PostingResource;
  readonly fingerprints: Fingerprints;
  /** Where each `#key` stands. */
  readonly keys: Map<string, RowPlace>;
  /** Names each mutation that will be posted, by its product. */
  readonly mutationKey: (product: StockProduct) => string;
  readonly totals: (product: number) => Promise<StockTotals | null>;
}

/** A row beside what is known of it. */
interface Known {
  readonly context: Context;
  readonly shared: PostingShared;
  readonly row: MappedRow<PostingResource>;
  readonly product: StockProduct | null;
  /** The name it is posted under, and those under which it may have been. */
  readonly names: readonly string[];
  readonly posting: Posting | undefined;
}

/** Decides one row: posted before, in doubt, or to be posted. */
export async function decidePosting(known: Known): Promise<RowDecision> {
  const { shared, row, product, names, posting } = known;
  if (row.action === 'skip') return SKIPPED;
  if (product === null || stopsRow(row.issues)) return INVALID;
  const body = mutationBody(row, product);
  if (posting?.state === 'done') return await posted(known, posting, body);
  if (posting !== undefined && !(await neverSent(known.context, shared.resource.name, posting)))
    return { action: 'unknown', message: await inDoubt(known, posting, body) };
  const endpoint = shared.resource.requests.create.name;
  return {
    action: 'create',
    key: shared.mutationKey(product),
    steps: [postStep(endpoint, body, names)],
    needs: 'need' in product ? [product.need] : [],
  };
}

/** The user's `#key` may stand on other values than it was posted with, which must not pass for unchanged. */
async function posted(known: Known, posting: Posting, body: Step['body']): Promise<RowDecision> {
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
  const now = await totals(product).catch((error: unknown): StockTotals | null => {
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

/**
 * Decides a row that takes another one back and whose like was posted before: it is taken back already,
 * unless that was taken back in its turn; then the undo of that is what takes it back again. `differs`: it
 * would post other amounts.
 */
async function takenBack(
  { context, shared }: { readonly context: Context; readonly shared: { readonly resource: PostingResource } },
  posting: Posting,
  { sent, differs }: { readonly sent: PlannedRow | undefined; readonly differs: boolean },
): Promise<RowDecision> {
  const { id } = posting;
  if (differs) return { action: 'conflict', id, message: takenBackOtherwiseText(posting) };
  const later = sent === undefined ? [] : await undosOf(context, shared.resource, posting, sent);
  const last = later.at(-1);
  return last === undefined || later.length % 2 === 0
    ? { action: 'unchanged', id, message: takenBackText(posting) }
    : { action: 'conflict', id, message: backAgainText(posting, last.run) };
}

/** The postings that took one back, and that one, and so on. */
async function undosOf(
  { ledger, serviceKey }: Context,
  { name }: PostingResource,
  posting: Posting,
  row: PlannedRow,
): Promise<readonly Posting[]> {
  const found: Posting[] = [];
  let key = byReference(undoKey(posting.run, row));
  for (;;) {
    const next = (await ledger.findPostings(serviceKey, name, [key])).get(key);
    if (next?.state !== 'done') return found;
    found.push(next);
    const [planned] = await ledger.readRows(next.run, { after: next.seq - 1, limit: 1 });
    if (planned?.planned.seq !== next.seq) return found;
    key = byReference(undoKey(next.run, planned.planned));
  }
}
