import { stopsRow } from '../../core/issue.ts';
import type { Value, Values } from '../../core/value.ts';
import type { RowPlace } from '../../records/duplicates.ts';
import { issueOn, type MappedRow, rowPlaceText } from '../../records/mapped-row.ts';
import { planInWindows, WINDOW } from '../../records/plan-windows.ts';
import {
  NOTHING_READ,
  type PlannerSetup,
  type RowPlanner,
  type UnplacedRow,
} from '../../records/planning.ts';
import { placeDecision } from '../../records/row-decision.ts';
import { type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import { createFingerprints, findPosted } from '../../records/sent-before.ts';
import type { PostingResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import {
  createProducts,
  type ProductName,
  productId,
  productNames,
  type StockRow,
} from '../stock/stock-product.ts';
import { answered, asksNothing, checkRow, createMutationKeys } from '../stock/stock-row.ts';
import { createTotals, lookAtTotal, rememberBefore, tellTotals } from '../stock/stock-total.ts';
import { undoPosting } from '../stock/stock-undo.ts';
import { decidePosting, type PostingShared } from './decide-posting.ts';

/** Stock mutations: posted at most once ever, as the ledger has it. */
export const posting: Kind<PostingResource> = {
  plan(context, resource) {
    const totals = createTotals(context, resource);
    const shared = {
      resource,
      fingerprints: createFingerprints(context, resource.name),
      keys: new Map(),
      mutationKey: createMutationKeys(),
      totals,
    };
    return {
      openSheet: (setup) => openPlanner(setup, shared),
      // Nothing is read to plan by.
      summary: () => NOTHING_READ,
    };
  },
  guard: postingGuard,
  undoPosted: undoPosting,
  keyed: true,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ sent }) => sent), alone: false }),
};

type Row = MappedRow<PostingResource>;

/** Plans rows that take place anew each time: what the ledger says was posted is not posted again. */
function openPlanner({ context, references }: PlannerSetup, shared: PostingShared): RowPlanner {
  const products = createProducts(references);
  const { resource } = shared;
  return planInWindows<PostingResource>({ window: WINDOW }, async (rows) => {
    const found = await Promise.all(rows.map((row) => (asksNothing(row) ? null : products.of(row))));
    const namesOf = await productNames(context, resource, found);
    const named: { row: Row; product: (typeof found)[number]; names: string[] }[] = [];
    for (const [at, row] of rows.entries()) {
      const product = found[at] ?? null;
      const names = nameRow(row, namesOf(row, product), shared);
      named.push({ row, product, names: Array.isArray(names) ? names : await names });
    }
    const sendable = named.filter(({ row }) => row.action !== 'skip' && !stopsRow(row.issues));
    const findSent = await findPosted(
      context,
      resource,
      sendable.flatMap(({ names }) => names),
    );
    const planned: UnplacedRow[] = [];
    for (const { row, product, names } of named) {
      const known = { context, shared, row, product, names, posting: findSent(names) };
      planned.push(placeDecision(row, await decidePosting(known)));
    }
    return planned;
  });
}

/** Rows that are skipped or wrong count among equal rows too: marking one must not rename the others. */
function nameRow(
  row: Row,
  products: readonly ProductName[],
  { fingerprints, keys }: PostingShared,
): string[] | Promise<string[]> {
  const contents = (products.length === 0 ? [null] : products).map((product) => contentOf(row, product));
  const names =
    row.origin === null || row.reference !== null
      ? contents.map((content) => fingerprints.of(row.reference, content))
      : fingerprints.ofNumbered(contents, row.origin);
  if (asksNothing(row)) return names;
  checkRow(row);
  checkAmounts(row);
  if (row.reference !== null) checkKey(row, row.reference, keys);
  return names;
}

function checkKey(row: Row, key: string, keys: Map<string, RowPlace>): void {
  const earlier = keys.get(key);
  if (earlier === undefined) {
    keys.set(key, { sheet: row.mapping.sheet, row: row.row });
    return;
  }
  const hint = rowPlaceText(earlier);
  row.issues.push(issueOn(row, '#key', { code: 'key-twice', found: key, hint }));
}

/** One of the two amounts is required, both are allowed (interface 2.6). */
function checkAmounts(row: MappedRow<PostingResource>): void {
  const columns = row.mapping.resource.amounts.map(({ sent }) => sent);
  if (columns.some((name) => answered(row, name))) return;
  const there = columns.filter((name) => row.mapping.columnOf.has(name));
  for (const field of there.length === 0 ? columns.slice(0, 1) : there) {
    row.issues.push(issueOn(row, field, { code: 'amount-missing', found: '', hint: columns.join(' / ') }));
  }
}

/**
 * What a row posts, in one shape whatever program saved the file: the product by one of its names, text
 * without the blanks that programs change, moments to the second.
 */
function contentOf(row: StockRow, product: ProductName | null): Values {
  const { resource } = row.mapping;
  const content: Record<string, Value> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row.values[name];
    if (field.create === 'none' || name === resource.product || value == null) continue;
    content[name] = field.codec.type === 'datetime' ? String(value).slice(0, 19) : plain(value);
  }
  if (product !== null) content[product.field] = product.value;
  return content;
}

function plain(value: Value): Value {
  if (typeof value === 'string') return value.normalize('NFC').replace(/\s+/g, ' ').trim();
  return typeof value === 'number' ? value + 0 : value;
}

/**
 * Nothing on the service tells whether one posting took effect. Each product's total is noted once a run
 * before it is posted on, so that the user has something to tell by.
 */
function postingGuard({ context, run }: GuardSetup, resource: PostingResource): RowGuard {
  const noted = new Map<number, Promise<void>>();
  return {
    ...UNGUARDED,
    async check({ steps: [step] }) {
      const product = await productId(context, resource, step?.body ?? {});
      if (product === null) return null;
      const noting = noted.get(product) ?? rememberBefore(context, resource, { run, product });
      noted.set(product, noting);
      await noting;
      return null;
    },
    async describeDoubt({ body }) {
      const product = await productId(context, resource, body);
      if (product === null) return null;
      const now = await lookAtTotal(context, resource, product);
      return await tellTotals(context, resource, { run, product }, body, now);
    },
  };
}
