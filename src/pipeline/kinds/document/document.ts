import type { DocumentResource } from '../../../schema/command-resources.ts';
import { createSameRows } from '../about/same-row.ts';
import type { Kind } from '../kind.ts';
import { documentGuard } from './guard.ts';
import { createEventCheck, openDocumentPlanner } from './planner.ts';

/** Files that go to events: each once to each folder, ever, as the ledger has it. */
export const document: Kind<DocumentResource> = {
  plan(context, resource) {
    const shared = { same: createSameRows(), isThere: createEventCheck(context, resource) };
    return {
      openSheet: (setup) => openDocumentPlanner(setup, resource, shared),
      summary: () => ({ strategy: 'rows', newest: null }),
    };
  },
  guard: documentGuard,
};
