import type { TripResource } from '../../schema/resource.ts';
import { createEarlierRows } from '../earlier-rows.ts';
import { KEYLESS } from '../keyless.ts';
import type { Kind } from '../kind.ts';
import { createTripFreshness } from './freshness.ts';
import { openTripPlanner } from './planner.ts';
import { tookEffect } from './settle.ts';
import { createTripSource } from './trip-source.ts';

/** Trips: found by RitID in a list of their days or of what changed; updated and deleted, never made. */
export const trip: Kind<TripResource> = {
  plan(context, resource, run) {
    const source = createTripSource(context, resource);
    const earlier = createEarlierRows(context, run, resource.name);
    return {
      openSheet: (setup) => openTripPlanner(setup, source, earlier),
      summary: source.summary,
    };
  },
  guard({ context, summary }, resource) {
    const freshness = createTripFreshness(context, resource, summary);
    return {
      check: freshness.check,
      wrote: async ({ id }) => {
        if (id !== null) freshness.wrote(id);
      },
      tookEffect: (doubt) => tookEffect(context, resource, doubt),
      keys: KEYLESS,
      notes: () => [],
    };
  },
};
