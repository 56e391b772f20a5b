import type { CatalogueResource } from '../../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import { catalogueGuard } from './guard.ts';
import { openCataloguePlanner } from './planner.ts';
import { createSourcePicker } from './source-picker.ts';

/** Packages and recipes: found by id or ExternalID, one by one or in one list, whichever takes fewer requests. */
export const catalogue: Kind<CatalogueResource> = {
  plan(context, resource) {
    const picker = createSourcePicker(context, resource);
    return { openSheet: (setup) => openCataloguePlanner(setup, resource, picker), summary: picker.summary };
  },
  guard: catalogueGuard,
};
