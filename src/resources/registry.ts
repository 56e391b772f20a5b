import type { Resource } from '../schema/resource.ts';
import { arrangements } from './arrangements.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { invoices } from './invoices.ts';
import { packages } from './packages.ts';
import { recipes } from './recipes.ts';
import { refreshes } from './refreshes.ts';
import { stockCount } from './stock-count.ts';
import { stockMutations } from './stock-mutations.ts';
import { trips } from './trips.ts';

/** The kinds of sheets that an import takes, in the order in which their rows are sent. */
export const resources: readonly Resource[] = [packages, recipes, events, stockMutations, stockCount, arrangements, trips];

/** The sheets of other commands; no import takes them. */
export const commandSheets = { documents, invoices, refreshes } as const;

/** Every kind of sheet. */
export const allSheets: readonly Resource[] = [...resources, ...Object.values(commandSheets)];
