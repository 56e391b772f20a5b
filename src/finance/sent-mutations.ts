import type { PlannedRow } from '../core/plan.ts';
import type { StockResource } from '../kinds/stock/products.ts';
import type { Posting } from '../ledger/ledger.ts';
import type { Days } from '../records/listing.ts';
import { referredId } from '../records/references.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';

/** A stock mutation that this program sent. */
interface SentMutation {
  readonly posting: Posting;
  /** As sent; the product's id is null where only its ExternalID is known. */
  readonly record: AnswerRecord;
  /** Where it came from; null where the run's plan is gone. */
  readonly place: {
    readonly kind: StockResource['kind'];
    readonly sheet: string;
    readonly row: number;
  } | null;
}

/** Postings read at once: the ledger looks through all of a kind for each page of them. */
const PAGE = 5000;
/** Rows of a plan read at once. */
const ROWS = 500;

/** The stock mutations sent on some days by this machine's clock, in batches; lost answers included. */
export async function* sentMutations(
  context: Context,
  resources: readonly StockResource[],
  { from, to }: Days,
): AsyncGenerator<readonly SentMutation[]> {
  const { ledger, serviceKey } = context;
  const names = resources.map(({ name }) => name);
  // As text, moments of the last day sort after the day alone and before the day with a `~`.
  const days = { from, before: `${to}~`, limit: PAGE };
  let rows: readonly PlannedRow[] = [];
  let rowsOf = '';
  /** Postings come by run and row, so rows are read a page at a time; undefined for one that is gone. */
  const plannedFor = async ({ run, seq }: Posting): Promise<PlannedRow | undefined> => {
    if (rowsOf !== run || seq > (rows.at(-1)?.seq ?? -1)) {
      const read = await ledger.readRows(run, { after: seq - 1, limit: ROWS });
      [rowsOf, rows] = [run, read.map(({ planned }) => planned)];
    }
    return rows.find((planned) => planned.seq === seq);
  };
  let after: Posting | null = null;
  for (;;) {
    const page: readonly Posting[] = await ledger.listPostings(serviceKey, names, { ...days, after });
    const found: SentMutation[] = [];
    for (const posting of page) {
      const planned = await plannedFor(posting);
      const resource = resources.find(({ name }) => name === planned?.resource);
      if (planned === undefined || resource === undefined) {
        found.push({ posting, record: {}, place: null });
        continue;
      }
      const place = { kind: resource.kind, sheet: planned.sheet, row: planned.row };
      const record = await recordOf(context, resource, planned);
      // A count that was told and posted nothing is no mutation.
      if (record !== null) found.push({ posting, record, place });
    }
    if (found.length > 0) yield found;
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

async function recordOf(
  context: Context,
  resource: StockResource,
  { steps }: PlannedRow,
): Promise<AnswerRecord | null> {
  const sent = steps.find(({ purpose }) => purpose === 'post');
  if (sent === undefined) return null;
  return { ...sent.body, [resource.product]: await referredId(context, sent.body[resource.product]) };
}
