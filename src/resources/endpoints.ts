import type { Endpoint } from '../schema/endpoint.ts';
import { arrangementEndpoints } from './arrangements.ts';
import { eventEndpoints } from './events.ts';
import { generalEndpoints } from './general.ts';
import { lookupEndpoints } from './lookups.ts';
import { packages } from './packages.ts';
import { recipes } from './recipes.ts';
import { stockEndpoints } from './stock-mutations.ts';
import { tripEndpoints } from './trips.ts';

const documented = [packages.requests, recipes.requests, stockEndpoints, eventEndpoints, arrangementEndpoints, tripEndpoints, generalEndpoints];

/** The endpoint table: the 34 endpoints of interface section 4, in its order. */
export const endpoints: readonly Endpoint[] = documented.flatMap((group): Endpoint[] => Object.values(group));

/** The lookups that interface section 2 names. */
export const lookups: readonly Endpoint[] = Object.values(lookupEndpoints);
