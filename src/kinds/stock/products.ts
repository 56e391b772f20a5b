import type { PlannedRow, RecordReference, RowDependency, Step } from '../../core/plan.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { ContextOf, RunOf } from '../../records/planning.ts';
import { referenceColumn } from '../../records/references.ts';
import { refuseField } from '../../records/row-decision.ts';
import { type CountResource, countedAmounts, type PostingResource } from '../../schema/resource.ts';
import { ofKind } from '../kind.ts';

/** The sheets whose rows are about a product's stock. */
export type StockResource = PostingResource | CountResource;

/** What working on stock is handed. */
export type StockContext = ContextOf<StockResource>;

export type StockRow = MappedRow<StockResource>;

/** The product that a row is about; one that this plan creates has no id yet. */
export type StockProduct =
  | { readonly id: number }
  | { readonly reference: RecordReference; readonly need: RowDependency };

/** The id of a product that has one. */
export const idOf = (product: StockProduct | null): number | null =>
  product !== null && 'id' in product ? product.id : null;

/** The column in which a row names its product. */
export const productField = ({ values, mapping: { resource } }: StockRow): string =>
  resource.keys.find((key) => values[key] != null) ?? resource.product;

/**
 * Names postings on these rows' products: by id first, then by ExternalID, from before it had one. What the
 * ledger remembers of them is read at once.
 */
export async function productNames(
  { ledger, serviceKey, resource }: StockContext,
  products: readonly (StockProduct | null)[],
): Promise<(row: StockRow, product: StockProduct | null) => readonly string[]> {
  const column = referenceColumn(resource, resource.product);
  const ids = products.flatMap((product) => idOf(product) ?? []);
  const known = new Map<number, number>();
  for (const name of column?.refers.resources ?? [])
    for (const { id, external } of (await ledger.findKeys(serviceKey, name, ids, 'id')).values())
      known.set(id, external);
  return ({ values }, product) => {
    const id = idOf(product) ?? values[resource.product];
    const external = values[column?.name ?? ''] ?? known.get(Number(id));
    return [
      ...(typeof id === 'number' ? [`${resource.product}:${id}`] : []),
      ...(column !== null && typeof external === 'number' ? [`${column.name}:${external}`] : []),
    ];
  };
}

/** Puts an issue on a row without an amount in one of these columns. */
export function checkAmountGiven(row: StockRow, columns: readonly string[]): void {
  const { values, issues, mapping } = row;
  const isSaid = (name: string): boolean =>
    values[name] != null || issues.some(({ field, severity }) => field === name && severity === 'error');
  if (columns.some(isSaid)) return;
  const field = columns.find((name) => mapping.columnOf.has(name)) ?? columns[0] ?? '';
  refuseField(row, field, 'amount-missing', columns.join(' / '));
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

/** Names a plan's mutations of a product one by one: none waits for another, and a count waits for all. */
export function createMutationKeys(): (product: string) => string {
  const counted = new Map<string, number>();
  return (product) => {
    const ordinal = (counted.get(product) ?? 0) + 1;
    counted.set(product, ordinal);
    return `${product} ${ordinal}`;
  };
}

/** The mutations of a product that a plan will post. */
export async function plannedMutations(
  { ledger, resources, run }: RunOf<StockResource>,
  product: string,
): Promise<PlannedRow[]> {
  const found: PlannedRow[] = [];
  for (const { name } of ofKind(resources, 'posting'))
    for (let ordinal = 1; ; ordinal++) {
      const [row] = await ledger.plannedFor(run, name, `${product} ${ordinal}`);
      if (row === undefined) break;
      found.push(row);
    }
  return found;
}
