import type { Endpoint } from '../schema/endpoint.ts';
import { eventEndpoints } from './events.ts';
import { generalEndpoints } from './general.ts';
import { lookupEndpoints } from './lookups.ts';
import { resources } from './registry.ts';

// Events first, in their own order, as sheets use some of them; a new resource adds its requests.
const groups = [eventEndpoints, ...resources.map(({ requests }) => requests), generalEndpoints];
const table = new Set(groups.flatMap((group): Endpoint[] => Object.values(group)));

/** The endpoint table: the 34 endpoints of interface section 4, in its order. */
export const endpoints: readonly Endpoint[] = [...table].sort((one, other) => one.section.localeCompare(other.section, 'en', { numeric: true }));

/** The lookups that interface section 2 names. */
export const lookups: readonly Endpoint[] = Object.values(lookupEndpoints);
