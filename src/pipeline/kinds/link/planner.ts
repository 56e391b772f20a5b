import { stopsRow } from '../../../schema/issue.ts';
import type { LinkResource } from '../../../schema/resource.ts';
import { planOnBase } from '../../base/plan-on-base.ts';
import type { MappedRow } from '../../map/map-row.ts';
import type { EarlierRows } from '../earlier-rows.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { noteTwice } from '../note-twice.ts';
import { placeDecision } from '../row-decision.ts';
import { linkedBefore } from './linked-before.ts';
import { isOneOfSeveral } from './one-of-several.ts';
import { createParents, type Parent } from './parent.ts';
import type { ParentLists } from './parent-lists.ts';
import { linkIn, linkKey, planLink, planUnread } from './plan-link.ts';

type Row = MappedRow<LinkResource>;

/** So many rows are looked up together. */
const WINDOW = 500;

/** Plans rows as they come, against their parents' lists. */
export function openLinkPlanner(
  setup: PlannerSetup,
  resource: LinkResource,
  lists: ParentLists,
  earlier: EarlierRows,
): RowPlanner {
  const { context, rules, references } = setup;
  const parentOf = createParents(resource, lists, references);
  const plan = async (row: Row, parent: Parent | null): Promise<Unplaced> => {
    if (parent === null) return planUnread(row);
    const key = linkKey(row, parent);
    const service = linkIn(row, parent);
    if (key !== null && isOneOfSeveral(row, setup.base.all(resource.name, key)))
      return placeDecision(row, { key, id: null, lmt: service?.lmt ?? null }, { action: 'unchanged' });
    const existing = await earlier.after(key, service);
    await noteTwice(row, resource.child, key, { ...setup, earlier });
    const planned = await planOnBase({ row, key, service }, setup, (held) =>
      planLink(held, parent, existing, rules),
    );
    return await linkedBefore(context, resource, planned);
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
