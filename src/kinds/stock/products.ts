import { type Finding, type Issue, issueAt } from '../../core/issue.ts';
import type { IssueCode } from '../../core/issue-catalogue.ts';
import { t } from '../../core/language.ts';
import type { PlannedRow, RecordReference, RowDependency, Step } from '../../core/plan.ts';
import {
  addressOf,
  issueOfLack,
  issueOn,
  type MappedRow,
  type RowPlace,
  rowPlaceText,
} from '../../records/mapped-row.ts';
import type { ContextOf, RevisedRow, RunOf, UnplacedRow } from '../../records/planning.ts';
import { type ReferenceColumn, type References, referenceColumn } from '../../records/references.ts';
import { refuseAction, refusedRow } from '../../records/row-decision.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { ReferredRecord } from '../../schema/field.ts';
import { type CountResource, countedAmounts, type PostingResource } from '../../schema/resource.ts';
import { ofKind } from '../kind.ts';

/** The sheets whose rows are about a product's stock. */
export type StockResource = PostingResource | CountResource;

/** What working on stock is handed. */
export type StockContext = ContextOf<StockResource>;

type StockRow = MappedRow<StockResource>;

/** The product that a row is about; one that this plan creates has no id yet. */
export type StockProduct =
  | { readonly id: number }
  | { readonly reference: RecordReference; readonly need: RowDependency };

/** How a row names its product: by its id, or by a key of the user's own. */
export interface ProductName {
  readonly field: string;
  readonly value: number;
}

/** The column that names a product by ExternalID. */
export const externalColumn = (resource: StockResource): ReferenceColumn | null =>
  referenceColumn(resource, resource.product);

/** What the row itself says, the same before and after the product has an id: ExternalID first. */
export function productName({ values, mapping: { resource } }: StockRow): ProductName | null {
  const { product } = resource;
  const field = [externalColumn(resource)?.name ?? product, product].find(
    (one) => typeof values[one] === 'number',
  );
  return field === undefined ? null : { field, value: Number(values[field]) };
}

/**
 * Names postings on these rows' products: by id first, then by ExternalID, from before it had one. What the
 * ledger remembers of them is read at once.
 */
export async function productNames(
  { ledger, serviceKey, resource }: StockContext,
  products: readonly (StockProduct | null)[],
): Promise<(row: StockRow, product: StockProduct | null) => readonly ProductName[]> {
  const column = externalColumn(resource);
  const ids = products.flatMap((product) => (product !== null && 'id' in product ? [product.id] : []));
  const known = new Map<number, number>();
  for (const name of column?.refers.resources ?? [])
    for (const [id, external] of await ledger.findExternals(serviceKey, name, ids)) known.set(id, external);
  return (row, product) => {
    const own = productName(row);
    const ownId = own?.field === resource.product ? own.value : null;
    const id = product !== null && 'id' in product ? product.id : ownId;
    const external = own?.field === column?.name ? own?.value : known.get(id ?? 0);
    const names: ProductName[] = id === null ? [] : [{ field: resource.product, value: id }];
    if (column !== null && external !== undefined) names.push({ field: column.name, value: external });
    return names;
  };
}

/** Finds the products that rows name, each once; null for a row whose issues say why there is none. */
export function createProducts(references: References) {
  const find = askedOnce((external: number, refers: ReferredRecord) => references.find(refers, external));
  return async (row: StockRow): Promise<StockProduct | null> => {
    const { resource } = row.mapping;
    const column = externalColumn(resource);
    const name = productName(row);
    const id = row.values[resource.product];
    if (name === null) return nameless(row, column?.name);
    if (column === null || name.field !== column.name) return { id: name.value };
    const referred = await find(name.value, column.refers);
    if (typeof referred === 'string') return missingProduct(row);
    const found = String(name.value);
    if ('several' in referred) {
      const hint = referred.several.join(', ');
      return refuse(row, name.field, { code: 'reference-ambiguous', found, hint });
    }
    if ('blocked' in referred) {
      const hint = rowPlaceText(referred.blocked);
      return refuse(row, name.field, { code: 'parent-not-sent', found, hint });
    }
    if (typeof id !== 'number' || ('id' in referred && referred.id === id)) return referred;
    const hint =
      'id' in referred
        ? `${name.field} ${found} is ${resource.product} ${referred.id}`
        : t(
            `${name.field} ${found} is yet to be created`,
            `${name.field} ${found} moet nog aangemaakt worden`,
          );
    return refuse(row, resource.product, { code: 'keys-differ', found: String(id), hint });
  };
}

/** Puts an issue on a field of a row; null for what it was to be. */
export function refuse(row: StockRow, field: string, finding: Finding): null {
  row.issues.push(issueOn(row, field, finding));
  return null;
}

/** A cell that could not be read has its issue already, and so has a total. */
function nameless(row: StockRow, external: string | undefined): null {
  const { product } = row.mapping.resource;
  const said = ({ field, severity, code }: Issue): boolean =>
    severity === 'error' && (field === product || field === external || code === 'total-or-record');
  if (row.issues.some(said)) return null;
  const columns = [product, ...(external === undefined ? [] : [external])];
  const field = columns.find((name) => row.mapping.columnOf.has(name)) ?? product;
  return refuse(row, field, { code: 'key-missing', found: '', hint: columns.join(' / ') });
}

/** Puts an issue on a row whose product is nowhere. */
export function missingProduct(row: StockRow): null {
  const { resource } = row.mapping;
  const { field, value } = productName(row) ?? { field: resource.product, value: '' };
  const hint = externalColumn(resource)?.refers.sheets ?? '';
  return refuse(row, field, { code: 'record-missing', found: String(value), hint });
}

/** The product's id in a planned body, by now; null where the product still has none. */
export async function productId(
  { ledger, serviceKey, resource: { product } }: StockContext,
  body: Step['body'],
): Promise<number | null> {
  const planned = body[product];
  if (typeof planned === 'number') return planned;
  if (planned == null || typeof planned !== 'object' || !('external' in planned)) return null;
  const known = await ledger.findKeys(serviceKey, planned.$ref, [planned.external]);
  return known.get(planned.external)?.id ?? null;
}

/** Puts an issue on a row whose `#action` its sheet can't do. */
export function checkAction(row: StockRow): void {
  if (row.action === 'update' || row.action === 'delete') {
    const hint = t(
      'rows of this sheet can only be created; correct a mutation with another one',
      'rijen van dit werkblad kunnen alleen aangemaakt worden; herstel een mutatie met een andere',
    );
    refuseAction(row, 'action-not-possible', hint);
  }
}

/** Puts an issue on a row for each field that a mutation needs and the row lacks (interface 2.6). */
export function checkRequired(row: StockRow): void {
  const { resource } = row.mapping;
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.create === 'required' && name !== resource.product && !answered(row, name))
      row.issues.push(issueOfLack(row, name, REQUIRED));
  }
}

const REQUIRED = t('required for a new row', 'verplicht bij een nieuwe rij');

/** Whether a field has a value, or an issue that says why not. */
const answered = ({ values, issues }: StockRow, name: string): boolean =>
  values[name] != null || issues.some(({ field, severity }) => field === name && severity === 'error');

/** Puts an issue on a row without an amount in one of these columns. */
export function checkAmountGiven(row: StockRow, columns: readonly string[]): void {
  if (columns.some((name) => answered(row, name))) return;
  const there = columns.filter((name) => row.mapping.columnOf.has(name));
  refuseAmounts(row, 'amount-missing', there.length === 0 ? columns.slice(0, 1) : there, columns.join(' / '));
}

/** Puts an issue on each of these amounts of a row. */
export function refuseAmounts(row: StockRow, code: IssueCode, columns: readonly string[], hint = ''): void {
  for (const field of columns) refuse(row, field, { code, found: String(row.values[field] ?? ''), hint });
}

/** The members of a mutation that a row gives, with the product's id or what stands for it. */
export function mutationBody(
  { values, mapping: { resource } }: StockRow,
  product: StockProduct,
): Step['body'] {
  const apart = [resource.product, ...countedAmounts(resource).map(({ counted }) => counted)];
  const given = Object.entries(resource.fields).flatMap(([name, { create }]) =>
    create === 'none' || apart.includes(name) || values[name] == null ? [] : [[name, values[name]]],
  );
  const id = 'id' in product ? product.id : product.reference;
  return { [resource.product]: id, ...Object.fromEntries(given) };
}

/** Names a product within a plan. */
export const productKey = (product: StockProduct): string =>
  'id' in product ? `product:${product.id}` : `product:${product.need.resource}:${product.need.key}`;

/** Names a plan's mutations of a product one by one: none waits for another, and a count waits for all. */
export function createMutationKeys(): (product: StockProduct) => string {
  const counted = new Map<string, number>();
  return (product) => {
    const name = productKey(product);
    const ordinal = (counted.get(name) ?? 0) + 1;
    counted.set(name, ordinal);
    return `${name} ${ordinal}`;
  };
}

/** The mutations of a product that a plan will post. */
export async function plannedMutations(
  { ledger, resources, run }: RunOf<StockResource>,
  product: StockProduct,
): Promise<PlannedRow[]> {
  const found: PlannedRow[] = [];
  for (const { name } of ofKind(resources, 'posting'))
    for (let ordinal = 1; ; ordinal++) {
      const [row] = await ledger.plannedFor(run, name, `${productKey(product)} ${ordinal}`);
      if (row === undefined) break;
      found.push(row);
    }
  return found;
}

/** What only one row of a run may say, by a name, and the field in which it says so. */
export interface Said {
  readonly name: string;
  readonly field: string;
  readonly found: string;
}

/** The first row that says something. */
interface Holder {
  readonly place: RowPlace;
  /** Its issue where another row says it too; null once it has one. */
  issueFor: ((other: RowPlace) => Issue) | null;
  /** The row while its window is planned, then as it is planned, then its `seq` in the ledger. */
  at: StockRow | UnplacedRow | number;
}

/**
 * Groups the rows of a run, on all sheets, by what only one of them may say, such as a `#key` or the count of
 * a product: all others are refused with the first, as nobody can tell which of them is meant.
 */
export function createOnlyOnce({ ledger, run }: RunOf<StockResource>, code: IssueCode) {
  const holders = new Map<string, Holder>();
  let unsaved: Holder[] = [];
  let twice: (readonly [Holder, Issue])[] = [];
  return {
    /** To be called when the rows planned so far are in the ledger. */
    saved(): void {
      for (const holder of unsaved) holder.at = (holder.at as PlannedRow).seq;
      unsaved = [];
    },
    /** Notes what a row says. */
    take(row: StockRow, { name, field, found }: Said): void {
      const place = { sheet: row.mapping.sheet, row: row.row };
      const at = { field, address: addressOf(row.mapping, field, row.row) };
      const issueFor = (other: RowPlace) => issueAt({ code, found, hint: rowPlaceText(other) }, at);
      const first = holders.get(name);
      if (first === undefined) {
        const holder = { place, issueFor, at: row };
        holders.set(name, holder);
        unsaved.push(holder);
        return;
      }
      row.issues.push(issueFor(first.place));
      if (first.issueFor !== null) twice.push([first, first.issueFor(place)]);
      first.issueFor = null;
    },
    /** Refuses the first of rows that say the same; answers those that are in the ledger. */
    async refuse(): Promise<RevisedRow[]> {
      const revised: RevisedRow[] = [];
      for (const [{ at }, issue] of twice)
        if (typeof at === 'number') {
          for (const was of await ledger.rowsAt(run, [at]))
            revised.push({ was, now: refusedRow(was, [issue]) as PlannedRow });
        } else if ('mapping' in at) at.issues.push(issue);
        else Object.assign(at, refusedRow(at, [issue]));
      twice = [];
      return revised;
    },
    /** Notes how the rows of a window are planned. */
    planned(rows: readonly StockRow[], planned: readonly UnplacedRow[]): void {
      const now = new Map(rows.map((row, at) => [row as unknown, planned[at]]));
      for (const holder of unsaved) holder.at = now.get(holder.at) ?? holder.at;
    },
  };
}
