import { stopsRow } from '../../core/issue.ts';
import type { Base } from '../../import/baseline/open-base.ts';
import { planOnBase } from '../../import/baseline/plan-on-base.ts';
import { withoutUntouched } from '../../import/baseline/untouched-cells.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { LinkResource } from '../../schema/resource.ts';
import type { EarlierRows } from '../earlier-rows.ts';
import type { PlannerSetup, RowPlanner, Unplaced } from '../kind.ts';
import { noteTwice } from '../note-twice.ts';
import { placeDecision } from '../row-decision.ts';
import { linkedBefore } from './linked-before.ts';
import { type Held, oneOfSeveral } from './one-of-several.ts';
import { createParents, type Parent } from './parent.ts';
import type { ParentLists } from './parent-lists.ts';
import { linkIn, linkKey, linksIn, planLink, planUnread } from './plan-link.ts';

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
    if (!isReadable(row, key, setup.base)) return planUnread(row);
    const service = linkIn(row, parent);
    const existing = await earlier.after(key, service);
    const held = oneOfSeveral(row, linksThen(row, parent, key, setup.base));
    if (held !== null && existing?.lmt === service?.lmt)
      return placeDecision(held, { key, id: null, lmt: service?.lmt ?? null }, { action: 'unchanged' });
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
        const parents = await Promise.all(
          window.map((row) => (isRead(row, setup.base) ? parentOf(row) : null)),
        );
        for (const [index, row] of window.entries())
          planned.push(earlier.add(await plan(row, parents[index] ?? null)));
      }
      return planned;
    },
    finish: async () => [],
  };
}

/** Whether it matters what the row is about: of a workbook of ours, cells that can't be read may be as they were written. */
const isRead = ({ action, issues }: Row, { at }: Base): boolean =>
  action !== 'skip' && (at !== '' || !stopsRow(issues));

/** The links that a row may be about: as the workbook had them, else as the service holds them. */
function linksThen(row: Row, parent: Parent, key: string | null, base: Base): readonly Held[] {
  const were = key === null ? [] : base.all(row.mapping.resource.name, key);
  return were.length > 0 ? were : linksIn(row, parent).map((values) => ({ values }));
}

/** Whether all that can't be read in a row is as the workbook was written. */
function isReadable(row: Row, key: string | null, base: Base): boolean {
  if (!stopsRow(row.issues)) return true;
  const were = key === null ? [] : base.all(row.mapping.resource.name, key);
  return were.some((was) => !stopsRow(withoutUntouched(row, was).issues));
}
