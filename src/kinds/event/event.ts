import type { EventResource } from '../../schema/resource.ts';
import { createEarlierRows } from '../earlier-rows.ts';
import { createFingerprints } from '../fingerprint.ts';
import type { Kind } from '../kind.ts';
import { createEventSource } from './event-source.ts';
import { eventFinder } from './finder.ts';
import { eventGuard } from './guard.ts';
import { openEventPlanner } from './planner.ts';

/** Events: found by id, by ExternalID in the ledger, else among the events around their day (interface 4.4). */
export const eventKind: Kind<EventResource> = {
  plan(context, resource, run) {
    const source = createEventSource(context, resource);
    const earlier = createEarlierRows(context, run, resource.name);
    const shared = { resource, source, earlier, fingerprints: createFingerprints(context, resource.name) };
    return { openSheet: (setup) => openEventPlanner(setup, shared), summary: source.summary };
  },
  guard: eventGuard,
  finder: eventFinder,
};
