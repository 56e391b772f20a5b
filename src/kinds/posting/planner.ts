import { issueAt, stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { type MappedRow, markAddress } from '../../import/map/map-row.ts';
import type { EarlierRow } from '../../import/map/record-twice.ts';
import type { Posting } from '../../ledger/ledger.ts';
import type { PostingResource } from '../../schema/resource.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { checkAmounts } from './check-amounts.ts';
import { asksNothing, checkRow } from './check-row.ts';
import { contentOf } from './content.ts';
import { type Decided, decide } from './decide.ts';
import { createProducts, type Product, type ProductName, productNames } from './product.ts';
import type { Shared } from './shared.ts';

type Row = MappedRow<PostingResource>;

/** Plans rows that take place anew each time: what the ledger says was posted is not posted again. */
export function openPostingPlanner(setup: PlannerSetup, shared: Shared): RowPlanner {
  const products = createProducts(setup.references);
  const { ledger, serviceKey } = setup.context;
  return {
    async add(batch) {
      const rows = batch as readonly Row[];
      const found = await Promise.all(rows.map((row) => (asksNothing(row) ? null : products.of(row))));
      const namesOf = await productNames(setup.context, shared.resource, found);
      const named: Named[] = [];
      for (const [at, row] of rows.entries()) {
        const product = found[at] ?? null;
        const names = nameRow(row, namesOf(row, product), shared);
        named.push({ row, product, names: Array.isArray(names) ? names : await names });
      }
      const sendable = named.filter(({ row }) => row.action !== 'skip' && !stopsRow(row.issues));
      const fingerprints = sendable.flatMap(({ names }) => names);
      const postings = await ledger.findPostings(serviceKey, shared.resource.name, fingerprints);
      const planned: Unplaced[] = [];
      for (const one of named) planned.push(await planRow(setup, shared, one, postings));
      return planned;
    },
    finish: async () => [],
  };
}

/** Rows that are skipped or wrong count among equal rows too: marking one must not rename the others. */
function nameRow(
  row: Row,
  products: readonly ProductName[],
  { fingerprints, keys }: Shared,
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

function checkKey(row: Row, key: string, keys: Map<string, EarlierRow>): void {
  const earlier = keys.get(key);
  if (earlier === undefined) {
    keys.set(key, { sheet: row.mapping.sheet, row: row.row });
    return;
  }
  const hint = t(`row ${earlier.row} of ${earlier.sheet}`, `rij ${earlier.row} van ${earlier.sheet}`);
  const address = markAddress(row.mapping, '#key', row.row);
  row.issues.push(issueAt({ code: 'key-twice', found: key, hint }, { field: '#key', address }));
}

interface Named {
  readonly row: Row;
  readonly product: Product | null;
  /** The name it is posted under, and those under which it may have been. */
  readonly names: readonly string[];
}

async function planRow(
  { context }: PlannerSetup,
  shared: Shared,
  { row, product, names }: Named,
  postings: ReadonlyMap<string, Posting>,
): Promise<Unplaced> {
  const { resource } = shared;
  const posting = names.map((name) => postings.get(name)).find((found) => found !== undefined);
  const [fingerprint = '', ...also] = names;
  const decided: Decided = await decide({ context, shared, row, product, fingerprint, also, posting });
  return {
    sheet: row.mapping.sheet,
    row: row.row,
    resource: resource.name,
    key: null,
    id: null,
    external: null,
    lmt: null,
    changes: [],
    steps: [],
    needs: [],
    message: null,
    ...decided,
    issues: row.issues,
  };
}
