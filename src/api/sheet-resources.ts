import { resources } from '../resources/registry.ts';
import type { Resource } from '../schema/resource.ts';

/** The kinds of sheets that an import takes and a template holds, in the order of the registry. */
export const sheetResources: readonly Resource[] = resources;
