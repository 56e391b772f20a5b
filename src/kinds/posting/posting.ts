import type { PostingResource } from '../../schema/resource.ts';
import { createFingerprints } from '../fingerprint.ts';
import type { Kind } from '../kind.ts';
import { postingGuard } from './guard.ts';
import { createMutationKeys } from './planned-mutations.ts';
import { openPostingPlanner } from './planner.ts';
import { createTotals } from './total.ts';

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
      openSheet: (setup) => openPostingPlanner(setup, shared),
      // Nothing is read to plan by.
      summary: () => ({ strategy: 'rows', newest: null }),
    };
  },
  guard: postingGuard,
};
