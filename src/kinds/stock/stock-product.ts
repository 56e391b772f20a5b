import type { Finding, Issue } from '../../core/issue.ts';
import type { RecordReference, RowDependency } from '../../core/plan.ts';
import { issueOn, type MappedRow, rowPlaceText } from '../../records/mapped-row.ts';
import {
  type ReferenceColumn,
  type References,
  type Referred,
  referenceColumn,
} from '../../records/references.ts';
import type { Context } from '../../run/context.ts';
import type { ReferredRecord } from '../../schema/field.ts';
import type { CountResource, PostingResource } from '../../schema/resource.ts';

/** The sheets whose rows are about a product's stock. */
export type StockResource = PostingResource | CountResource;

/** A row of one of them. */
export type StockRow = MappedRow<StockResource>;

/** The product that a row is about; one that this plan creates has no id yet. */
export type StockProduct =
  | { readonly id: number }
  | { readonly reference: RecordReference; readonly need: RowDependency };

/** Finds the products that rows name. */
interface Products {
  /** Null when there is none to be had; the row then says why in its issues. */
  of(row: StockRow): Promise<StockProduct | null>;
}

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
  for (const field of [externalColumn(resource)?.name, resource.product]) {
    const value = field === undefined ? undefined : values[field];
    if (field !== undefined && typeof value === 'number') return { field, value };
  }
  return null;
}

/**
 * The ways in which a posting on a row's product may have been named, the one to name it by first: its id, as
 * any row can name it, and an ExternalID, by which it went before it had an id.
 */
type ProductNames = (row: StockRow, product: StockProduct | null) => readonly ProductName[];

/** Prepares the names of these rows' products; what the ledger remembers of them is read at once. */
export async function productNames(
  { ledger, serviceKey }: Context,
  resource: StockResource,
  products: readonly (StockProduct | null)[],
): Promise<ProductNames> {
  const column = externalColumn(resource);
  const ids = products.flatMap((product) => (product !== null && 'id' in product ? [product.id] : []));
  const known = new Map<number, number>();
  for (const name of column?.refers.resources ?? [])
    for (const [id, external] of await ledger.findExternals(serviceKey, name, ids)) known.set(id, external);
  return (row, product) => {
    const own = productName(row);
    if (product === null || !('id' in product)) return own === null ? [] : [own];
    const names: ProductName[] = [{ field: resource.product, value: product.id }];
    const external = own?.field === column?.name ? own?.value : known.get(product.id);
    if (column !== null && external !== undefined) names.push({ field: column.name, value: external });
    return names;
  };
}

/** Asks for each product once. */
export function createProducts(references: References): Products {
  const asked = new Map<number, Promise<Referred>>();
  const find = (refers: ReferredRecord, external: number): Promise<Referred> => {
    const finding = asked.get(external) ?? references.find(refers, external);
    asked.set(external, finding);
    return finding;
  };
  return {
    async of(row) {
      const { resource } = row.mapping;
      const column = externalColumn(resource);
      const name = productName(row);
      const id = row.values[resource.product];
      if (name === null) return nameless(row, column?.name);
      if (column === null || name.field !== column.name) return { id: name.value };
      const referred = await find(column.refers, name.value);
      if (referred === 'missing') return refuse(row, name, missingProduct(row, name, column.refers));
      if ('several' in referred) return refuse(row, name, ambiguous(name, referred.several));
      if ('blocked' in referred) return refuse(row, name, blocked(name, referred.blocked));
      if (typeof id === 'number' && !('id' in referred && referred.id === id))
        return refuse(row, { field: resource.product }, differ(row, name, referred));
      return referred;
    },
  };
}

function refuse(row: StockRow, { field }: Pick<ProductName, 'field'>, finding: Finding): null {
  row.issues.push(issueOn(row, field, finding));
  return null;
}

/** A cell that could not be read has its issue already. */
function nameless(row: StockRow, external: string | undefined): null {
  const { product } = row.mapping.resource;
  const said = ({ field, severity }: Issue): boolean =>
    severity === 'error' && (field === product || field === external);
  if (row.issues.some(said)) return null;
  const columns = [product, ...(external === undefined ? [] : [external])];
  const field = columns.find((name) => row.mapping.columnOf.has(name)) ?? product;
  return refuse(row, { field }, { code: 'key-missing', found: '', hint: columns.join(' / ') });
}

/** The finding for a product that is nowhere. */
export function missingProduct(row: StockRow, { value }: ProductName, refers?: ReferredRecord): Finding {
  const asked = refers ?? externalColumn(row.mapping.resource)?.refers;
  return { code: 'record-missing', found: String(value), hint: asked?.resources.join(' / ') ?? '' };
}

function ambiguous({ value }: ProductName, several: readonly string[]): Finding {
  return { code: 'reference-ambiguous', found: String(value), hint: several.join(', ') };
}

function blocked({ value }: ProductName, row: { readonly sheet: string; readonly row: number }): Finding {
  return { code: 'parent-not-sent', found: String(value), hint: rowPlaceText(row) };
}

function differ(row: StockRow, { field, value }: ProductName, referred: StockProduct): Finding {
  const { product } = row.mapping.resource;
  const [en, nl] =
    'id' in referred
      ? [`${field} ${value} is ${product} ${referred.id}`, `${field} ${value} is ${product} ${referred.id}`]
      : [`${field} ${value} is yet to be created`, `${field} ${value} moet nog aangemaakt worden`];
  return { code: 'keys-differ', found: String(row.values[product] ?? ''), hint: { en, nl } };
}

/** The product's id by now, of a request that was planned before it was created; null when it was not. */
export async function productId(
  { ledger, serviceKey }: Context,
  { product }: StockResource,
  body: Readonly<Record<string, unknown>>,
): Promise<number | null> {
  const planned = body[product];
  if (typeof planned === 'number') return planned;
  const reference = planned as RecordReference | undefined;
  if (reference === undefined || !('external' in reference)) return null;
  const known = await ledger.findKeys(serviceKey, reference.$ref, [reference.external]);
  return known.get(reference.external)?.id ?? null;
}
