import type { LinkResource } from '../../schema/resource.ts';
import { createEarlierRows } from '../earlier-rows.ts';
import type { Kind } from '../kind.ts';
import { linkGuard } from './guard.ts';
import { createParentLists } from './parent-lists.ts';
import { openLinkPlanner } from './planner.ts';

/** What is linked to parent records: found in the parent's list, read once a parent. */
export const link: Kind<LinkResource> = {
  plan(context, resource, run) {
    const lists = createParentLists(context, resource);
    const earlier = createEarlierRows(context, run, resource.name);
    return {
      openSheet: (setup) => openLinkPlanner(setup, resource, lists, earlier),
      summary: () => ({ strategy: 'rows', newest: null, readAt: lists.readAt() }),
    };
  },
  guard: linkGuard,
};
