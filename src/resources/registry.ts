import type { Resource } from '../schema/resource.ts';
import { arrangements } from './arrangements.ts';
import { events } from './events.ts';
import { packages } from './packages.ts';
import { recipes } from './recipes.ts';
import { stockCount } from './stock-count.ts';
import { stockMutations } from './stock-mutations.ts';
import { trips } from './trips.ts';

/** The kinds of sheets, in the order in which their rows are sent. */
export const resources: readonly Resource[] = [packages, recipes, events, stockMutations, stockCount, arrangements, trips];
