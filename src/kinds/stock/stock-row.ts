import { t } from '../../core/language.ts';
import type { PlannedRow, Step } from '../../core/plan.ts';
import { issueOfLack } from '../../records/mapped-row.ts';
import { refuseAction } from '../../records/row-decision.ts';
import type { Context } from '../../run/context.ts';
import { ofKind } from '../of-kind.ts';
import type { StockProduct, StockRow } from './stock-product.ts';

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

const REQUIRED = t('required to create', 'verplicht om aan te maken');

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

/** One product, whatever is known of it. */
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
  { ledger, resources }: Context,
  run: string,
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
