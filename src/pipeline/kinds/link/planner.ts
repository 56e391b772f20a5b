import { stopsRow } from '../../../schema/issue.ts';
import type { LinkResource } from '../../../schema/resource.ts';
import type { MappedRow } from '../../map/map-row.ts';
import { type EarlierRows, noteTwice } from '../earlier-rows.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { linkedBefore } from './linked-before.ts';
import { createParents, type Parent } from './parent.ts';
import type { ParentLists } from './parent-lists.ts';
import { linkIn, linkKey, planLink, planUnread } from './plan-link.ts';

type Row = MappedRow<LinkResource>;

/** So many rows are looked up together. */
const WINDOW = 500;

/** Plans rows as they come, against their parents' lists. */
export function openLinkPlanner(
  { context, rules, references }: PlannerSetup,
  resource: LinkResource,
  lists: ParentLists,
  earlier: EarlierRows,
): RowPlanner {
  const parentOf = createParents(resource, lists, references);
  const plan = async (row: Row, parent: Parent | null): Promise<Unplaced> => {
    if (parent === null) return planUnread(row);
    const key = linkKey(row, parent);
    const existing = await earlier.after(key, linkIn(row, parent));
    await noteTwice(row, resource.child, key, { earlier, strict: rules.strict });
    return await linkedBefore(context, resource, planLink(row, parent, existing, rules));
  };
  return {
    async add(rows) {
      earlier.saved();
      const planned: Unplaced[] = [];
      for (let start = 0; start < rows.length; start += WINDOW) {
        const window = rows.slice(start, start + WINDOW) as readonly Row[];
        const parents = await Promise.all(window.map((row) => (isRead(row) ? parentOf(row) : null)));
        for (const [index, row] of window.entries())
          planned.push(earlier.add(await plan(row, parents[index] ?? null)));
      }
      return planned;
    },
    finish: async () => [],
  };
}

/** Whether it matters what the row is about. */
const isRead = (row: Row): boolean => row.action !== 'skip' && !stopsRow(row.issues);
