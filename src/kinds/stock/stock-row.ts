import type { Finding, Issue } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import type { PlannedRow, RecordReference, RowDependency, Step } from '../../core/plan.ts';
import { issueOfLack, issueOn, type MappedRow, rowPlaceText } from '../../records/mapped-row.ts';
import type { ContextOf, RunOf } from '../../records/planning.ts';
import { type ReferenceColumn, type References, referenceColumn } from '../../records/references.ts';
import { refuseAction } from '../../records/row-decision.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { ReferredRecord } from '../../schema/field.ts';
import type { CountResource, PostingResource } from '../../schema/resource.ts';
import { ofKind } from '../kind.ts';

/** What working on stock is handed. */
export type StockContext = ContextOf<StockResource>;

/** The sheets whose rows are about a product's stock. */
export type StockResource = PostingResource | CountResource;

/** A row of one of them. */
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
  for (const field of [externalColumn(resource)?.name, resource.product]) {
    const value = field === undefined ? undefined : values[field];
    if (field !== undefined && typeof value === 'number') return { field, value };
  }
  return null;
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
    if (product === null || !('id' in product)) return own === null ? [] : [own];
    const names: ProductName[] = [{ field: resource.product, value: product.id }];
    const external = own?.field === column?.name ? own?.value : known.get(product.id);
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
    if (typeof referred === 'string') return refuse(row, name, missingProduct(row, name, column.refers));
    const found = String(name.value);
    if ('several' in referred)
      return refuse(row, name, { code: 'reference-ambiguous', found, hint: referred.several.join(', ') });
    if ('blocked' in referred)
      return refuse(row, name, { code: 'parent-not-sent', found, hint: rowPlaceText(referred.blocked) });
    if (typeof id === 'number' && !('id' in referred && referred.id === id))
      return refuse(row, { field: resource.product }, differ(row, name, referred));
    return referred;
  };
}

function refuse(row: StockRow, { field }: Pick<ProductName, 'field'>, finding: Finding): null {
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
  return refuse(row, { field }, { code: 'key-missing', found: '', hint: columns.join(' / ') });
}

/** The finding for a product that is nowhere. */
export function missingProduct(row: StockRow, { value }: ProductName, refers?: ReferredRecord): Finding {
  const asked = refers ?? externalColumn(row.mapping.resource)?.refers;
  return { code: 'record-missing', found: String(value), hint: asked?.sheets ?? '' };
}

function differ(row: StockRow, { field, value }: ProductName, referred: StockProduct): Finding {
  const { product } = row.mapping.resource;
  const hint =
    'id' in referred
      ? `${field} ${value} is ${product} ${referred.id}`
      : t(`${field} ${value} is yet to be created`, `${field} ${value} moet nog aangemaakt worden`);
  return { code: 'keys-differ', found: String(row.values[product] ?? ''), hint };
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

/** Whether a field has a value, or an issue that says why not. */
export function answered({ values, issues }: StockRow, name: string): boolean {
  return values[name] != null || issues.some(({ field, severity }) => field === name && severity === 'error');
}

const REQUIRED = t('required for a new row', 'verplicht bij een nieuwe rij');

/** The members of a mutation that a row gives, with the product's id or what stands for it. */
export function mutationBody(row: StockRow, product: StockProduct): Step['body'] {
  const { resource } = row.mapping;
  const amounts: readonly string[] = resource.amounts.flatMap((amount) =>
    'counted' in amount ? [amount.counted] : [],
  );
  const sent = Object.keys(resource.fields).filter(
    (name) =>
      resource.fields[name]?.create !== 'none' && name !== resource.product && !amounts.includes(name),
  );
  const given = sent.flatMap((name) => (row.values[name] == null ? [] : [[name, row.values[name] ?? null]]));
  const id = 'id' in product ? product.id : product.reference;
  return { [resource.product]: id, ...Object.fromEntries(given) };
}

function productKey(product: StockProduct): string {
  return 'id' in product ? `product:${product.id}` : `product:${product.need.resource}:${product.need.key}`;
}

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
  for (const { name } of ofKind(resources, 'posting')) {
    for (let ordinal = 1; ; ordinal++) {
      const [row] = await ledger.plannedFor(run, name, `${productKey(product)} ${ordinal}`);
      if (row === undefined) break;
      found.push(row);
    }
  }
  return found;
}
