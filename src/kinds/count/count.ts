import { stopsRow } from '../../core/issue.ts';
import { asksNothing } from '../../records/mapped-row.ts';
import { planInWindows } from '../../records/plan-windows.ts';
import {
  NOTHING_READ,
  type PlannerSetup,
  type RowPlanner,
  type UnplacedRow,
} from '../../records/planning.ts';
import { INVALID, placeDecision, type RowDecision, SKIPPED } from '../../records/row-decision.ts';
import { findPosted } from '../../records/sent-before.ts';
import type { CountResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { createProducts, productNames, type StockProduct } from '../stock/stock-product.ts';
import { checkAction, checkRequired, plannedMutations } from '../stock/stock-row.ts';
import { createTotals, type StockTotals } from '../stock/stock-total.ts';
import { undoPosting } from '../stock/stock-undo.ts';
import { countGuard } from './count-guard.ts';
import { countLister } from './count-list.ts';
import {
  type Counted,
  type CountedProducts,
  type CountRow,
  checkAmount,
  countName,
  isUntouched,
  noteCounted,
  readCounted,
  withoutUntouched,
} from './counted.ts';
import { decideCount } from './decide-count.ts';

/** Stock counts: what is posted is the difference between what was counted and the current total. */
export const count: Kind<CountResource> = {
  plan(context, resource) {
    const totals = createTotals(context, resource);
    const shared = { resource, counted: new Map(), totals };
    return {
      openSheet: (setup) => openPlanner(setup, shared),
      summary: () => NOTHING_READ,
    };
  },
  guard: countGuard,
  lister: countLister,
  undoPosted: undoPosting,
  keyed: true,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ counted }) => counted), alone: true }),
};

/** What the sheets of counts share in a run. */
interface CountShared {
  readonly resource: CountResource;
  readonly counted: CountedProducts;
  readonly totals: (product: number) => Promise<StockTotals | null>;
}

interface Read {
  readonly row: CountRow;
  readonly product: StockProduct | null;
  readonly counted: Counted | null;
  /** It says what the workbook said when it was written. */
  readonly untouched?: true;
}

/** Plans counts; all of a sheet together, as a row further down may count the same product. */
function openPlanner(setup: PlannerSetup, shared: CountShared): RowPlanner {
  const products = createProducts(setup.references);
  return planInWindows<CountResource>({ window: Number.POSITIVE_INFINITY }, async (rows) => {
    const found = await Promise.all(rows.map((row) => (asksNothing(row) ? null : products.of(row))));
    const read = rows.map((row, at) => readRow(row, found[at] ?? null, setup, shared));
    return await planRows(setup, shared, read);
  });
}

function readRow(
  given: CountRow,
  product: StockProduct | null,
  { base }: PlannerSetup,
  { resource, counted }: CountShared,
): Read {
  if (asksNothing(given)) return { row: given, product, counted: null };
  const id = product !== null && 'id' in product ? product.id : null;
  const was = id === null ? undefined : base.find(resource.name, `id:${id}`);
  if (was !== undefined && isUntouched(given, was))
    return { row: given, product, counted: null, untouched: true };
  const row = was === undefined ? given : withoutUntouched(given, was);
  checkAction(row);
  if (product !== null) noteCounted(row, product, counted);
  return { row, product, counted: readCounted(row) };
}

const NOTHING_YET = 0n;

/** A product that this plan creates has nothing in stock yet. */
async function totalOf(
  product: StockProduct,
  { resource, totals }: CountShared,
): Promise<StockTotals | null> {
  if ('id' in product) return await totals(product.id);
  return Object.fromEntries(resource.amounts.map(({ total }) => [total, NOTHING_YET]));
}

async function planRows(
  { context, run }: PlannerSetup,
  shared: CountShared,
  rows: readonly Read[],
): Promise<UnplacedRow[]> {
  const { resource } = shared;
  const namesOf = await productNames(
    context,
    resource,
    rows.map(({ product }) => product),
  );
  const readable = rows.flatMap(({ row, product, counted, untouched }) => {
    if (untouched === true || asksNothing(row)) return [];
    if (product === null || counted === null || stopsRow(row.issues)) {
      checkRequired(row);
      return [];
    }
    const names = namesOf(row, product).map((name) => countName(row, counted, name));
    return [{ row, product, counted, names }];
  });
  const findSent = await findPosted(
    context,
    resource,
    readable.flatMap(({ names }) => names),
  );
  const totals = await Promise.all(readable.map(({ product }) => totalOf(product, shared)));
  const mutated = await Promise.all(readable.map(({ product }) => plannedMutations(context, run, product)));
  const decided = new Map<CountRow, RowDecision>();
  for (const [at, one] of readable.entries()) {
    const known = {
      ...one,
      total: totals[at] ?? null,
      posting: findSent(one.names),
      mutations: mutated[at] ?? [],
    };
    decided.set(one.row, posted(one, await decideCount(context, resource, known)));
  }
  return rows.map(({ row, untouched }) =>
    placeDecision(row, untouched === true ? asIs(row) : (decided.get(row) ?? left(row))),
  );
}

/** What is to be posted must be all there; what is as it was counted needs nothing. */
function posted({ row, counted }: { row: CountRow; counted: Counted }, decided: RowDecision): RowDecision {
  if (decided.action !== 'create') return decided;
  checkRequired(row);
  checkAmount(row, counted);
  return stopsRow(row.issues) ? INVALID : decided;
}

const asIs = ({ issues }: CountRow): RowDecision => (stopsRow(issues) ? INVALID : { action: 'unchanged' });

function left({ action }: CountRow): RowDecision {
  return action === 'skip' ? SKIPPED : INVALID;
}
