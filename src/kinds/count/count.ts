import type { CountResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { createTotals } from '../posting/total.ts';
import { countGuard } from './guard.ts';
import { openCountPlanner } from './planner.ts';

/** Stock counts: what is posted is the difference between what was counted and the current total. */
export const count: Kind<CountResource> = {
  plan(context, resource) {
    const totals = createTotals(context, resource);
    const shared = { resource, counted: new Map(), totals };
    return {
      openSheet: (setup) => openCountPlanner(setup, shared),
      summary: () => ({ strategy: 'rows', newest: null }),
    };
  },
  guard: countGuard,
};
