import type { PostingResource } from '../../schema/resource.ts';
import type { KeyKeeping, RowGuard, SenderSetup } from '../kind.ts';
import { productId } from './product.ts';
import { lookAtTotal } from './total.ts';
import { rememberBefore, tellTotals } from './total-before.ts';

/** Mutations have no key to keep. */
export const NO_KEYS: KeyKeeping = {
  kept: () => false,
  stored: async () => {},
  refused: async () => {},
};

/**
 * Nothing on the service tells whether one posting took effect. Each product's total is noted once a run before it is
 * posted on, so that the user has something to tell by.
 */
export function postingGuard({ context, run }: SenderSetup, resource: PostingResource): RowGuard {
  const noted = new Map<number, Promise<void>>();
  return {
    async check({ steps: [step] }) {
      const product = await productId(context, resource, step?.body ?? {});
      if (product === null) return null;
      const noting = noted.get(product) ?? rememberBefore(context, resource, { run, product });
      noted.set(product, noting);
      await noting;
      return null;
    },
    wrote: async () => {},
    tookEffect: async () => null,
    async describeDoubt({ body }) {
      const product = await productId(context, resource, body);
      if (product === null) return null;
      const now = await lookAtTotal(context, resource, product);
      return await tellTotals(context, resource, { run, product }, body, now);
    },
    keys: NO_KEYS,
    notes: () => [],
  };
}
