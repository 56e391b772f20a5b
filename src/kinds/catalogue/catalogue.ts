import type { CatalogueResource } from '../../schema/resource.ts';
import { createEarlierRows } from '../earlier-rows.ts';
import { createFingerprints } from '../fingerprint.ts';
import type { Kind } from '../kind.ts';
import { createFinder } from './finder.ts';
import { catalogueGuard } from './guard.ts';
import { openCataloguePlanner } from './planner.ts';
import { createSourcePicker } from './source-picker.ts';

/** Packages and recipes: found by id or ExternalID, one by one or in one list, whichever takes fewer requests. */
export const catalogue: Kind<CatalogueResource> = {
  plan(context, resource, run) {
    const picker = createSourcePicker(context, resource);
    const earlier = createEarlierRows(context, run, resource.name);
    const shared = { resource, picker, earlier, fingerprints: createFingerprints(context, resource.name) };
    return { openSheet: (setup) => openCataloguePlanner(setup, shared), summary: picker.summary };
  },
  guard: catalogueGuard,
  finder: createFinder,
};
