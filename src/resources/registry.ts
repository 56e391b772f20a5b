import type { Endpoint } from '../schema/endpoint.ts';
import type { Resource } from '../schema/resource.ts';
import { arrangements } from './arrangements.ts';
import { documents, generalEndpoints, invoices, refreshes } from './command-sheets.ts';
import { eventEndpoints, events } from './events.ts';
import { lookupEndpoints } from './lookups.ts';
import { packages } from './packages.ts';
import { recipes } from './recipes.ts';
import { stockCount, stockMutations } from './stock.ts';
import { trips } from './trips.ts';

/** The kinds of sheets that an import takes, in the order in which their rows are sent. */
export const resources: readonly Resource[] = [packages, recipes, events, stockMutations, stockCount, arrangements, trips];

/** The sheets of other commands; no import takes them. */
export const commandSheets = { documents, invoices, refreshes } as const;

/** Every kind of sheet. */
export const allSheets: readonly Resource[] = [...resources, ...Object.values(commandSheets)];

// Events first, in their own order, as sheets use some of them; a new resource adds its requests.
const groups = [eventEndpoints, ...resources.map(({ requests }) => requests), generalEndpoints];
const table = new Set(groups.flatMap((group): Endpoint[] => Object.values(group)));

/** The endpoint table: the 34 endpoints of interface section 4, in its order. */
export const endpoints: readonly Endpoint[] = [...table].sort((one, other) => one.section.localeCompare(other.section, 'en', { numeric: true }));

/** The lookups that interface section 2 names. */
export const lookups: readonly Endpoint[] = Object.values(lookupEndpoints);
