import type { PlannedRow } from '../../core/plan.ts';
import type { Context } from '../../run/context.ts';
import type { Product } from './product.ts';

/** One product, whatever is known of it. */
function productKey(product: Product): string {
  return 'id' in product ? `product:${product.id}` : `product:${product.need.resource}:${product.need.key}`;
}

/**
 * Names a plan's mutations of one product one by one. Each has a name of its own, so that none waits for another; a
 * count of the product can find them all, and wait for them.
 */
export function createMutationKeys(): (product: Product) => string {
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
  product: Product,
): Promise<PlannedRow[]> {
  const found: PlannedRow[] = [];
  for (const { kind, name } of resources) {
    if (kind !== 'posting') continue;
    for (let ordinal = 1; ; ordinal++) {
      const [row] = await ledger.plannedFor(run, name, `${productKey(product)} ${ordinal}`);
      if (row === undefined) break;
      found.push(row);
    }
  }
  return found;
}
