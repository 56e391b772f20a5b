import { stopsRow } from '../../core/issue.ts';
import type { CountResource } from '../../schema/resource.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { asksNothing, checkAction, checkRequired } from '../posting/check-row.ts';
import { plannedMutations } from '../posting/planned-mutations.ts';
import { createProducts, type Product, productNames } from '../posting/product.ts';
import { skipText } from '../posting/texts.ts';
import type { Total } from '../posting/total.ts';
import { countName } from './count-name.ts';
import { type Counted, type CountRow, checkAmount, readCounted } from './counted.ts';
import { type CountedProducts, noteCounted } from './counted-twice.ts';
import { type Decided, decide } from './decide.ts';
import { isUntouched, withoutUntouched } from './untouched.ts';

/** What the sheets of counts share in a run. */
interface Shared {
  readonly resource: CountResource;
  readonly counted: CountedProducts;
  readonly totals: (product: number) => Promise<Total | null>;
}

interface Read {
  readonly row: CountRow;
  readonly product: Product | null;
  readonly counted: Counted | null;
  /** It says what the workbook said when it was written. */
  readonly untouched?: true;
}

/** Plans counts; all of a sheet together, as a row further down may count the same product. */
export function openCountPlanner(setup: PlannerSetup, shared: Shared): RowPlanner {
  const products = createProducts(setup.references);
  const waiting: CountRow[] = [];
  return {
    async add(rows) {
      for (const row of rows as readonly CountRow[]) waiting.push(row);
      return [];
    },
    async finish() {
      const found = await Promise.all(waiting.map((row) => (asksNothing(row) ? null : products.of(row))));
      const read = waiting.map((row, at) => readRow(row, found[at] ?? null, setup, shared));
      return await planRows(setup, shared, read);
    },
  };
}

function readRow(
  given: CountRow,
  product: Product | null,
  { base }: PlannerSetup,
  { resource, counted }: Shared,
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
async function totalOf(product: Product, { resource, totals }: Shared): Promise<Total | null> {
  if ('id' in product) return await totals(product.id);
  return Object.fromEntries(resource.amounts.map(({ total }) => [total, NOTHING_YET]));
}

async function planRows(
  { context, run }: PlannerSetup,
  shared: Shared,
  rows: readonly Read[],
): Promise<Unplaced[]> {
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
  const fingerprints = readable.flatMap(({ names }) => names);
  const postings = await context.ledger.findPostings(context.serviceKey, resource.name, fingerprints);
  const totals = await Promise.all(readable.map(({ product }) => totalOf(product, shared)));
  const mutated = await Promise.all(readable.map(({ product }) => plannedMutations(context, run, product)));
  const decided = new Map<CountRow, Decided>();
  for (const [at, one] of readable.entries()) {
    const known = {
      ...one,
      total: totals[at] ?? null,
      fingerprint: one.names[0] ?? '',
      also: one.names.slice(1),
      posting: one.names.map((name) => postings.get(name)).find((found) => found !== undefined),
      mutations: mutated[at] ?? [],
    };
    decided.set(one.row, posted(one, await decide(context, resource, known)));
  }
  return rows.map(({ row, untouched }) =>
    toPlanned(row, untouched === true ? asIs(row) : (decided.get(row) ?? left(row))),
  );
}

/** What is to be posted must be all there; what is as it was counted needs nothing. */
function posted({ row, counted }: { row: CountRow; counted: Counted }, decided: Decided): Decided {
  if (decided.action !== 'create') return decided;
  checkRequired(row);
  checkAmount(row, counted);
  return stopsRow(row.issues) ? { action: 'invalid' } : decided;
}

const asIs = ({ issues }: CountRow): Decided => ({ action: stopsRow(issues) ? 'invalid' : 'unchanged' });

function left({ action }: CountRow): Decided {
  return action === 'skip' ? { action: 'skip', message: skipText() } : { action: 'invalid' };
}

function toPlanned(row: CountRow, decided: Decided): Unplaced {
  const { mapping, issues } = row;
  return {
    sheet: mapping.sheet,
    row: row.row,
    resource: mapping.resource.name,
    key: null,
    id: null,
    external: null,
    lmt: null,
    changes: [],
    steps: [],
    needs: [],
    message: null,
    ...decided,
    issues,
  };
}
