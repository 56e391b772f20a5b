import type { PlannedRow } from '../../core/plan.ts';
import type { UnplacedRow } from '../../records/planning.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import type { Lookup } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';

type Name = NonNullable<PlannedRow['names']>[number];
/** Each name once in memory, however many rows show it; an update may take ids of another list. */
type Told = Readonly<Record<'create' | 'update', Map<number, Name>>>;

/**
 * Puts the names of lookup ids that rows send or change beside them. They are told by lists that planning has
 * read: nothing is asked for the sake of a name.
 */
export function createShownNames(
  lists: LookupLists,
  { fields }: Resource,
): (rows: readonly UnplacedRow[]) => void {
  const named = Object.entries(fields).flatMap(([field, { lookup, updateLookup }]) => {
    const own = [lookup, updateLookup].filter((one) => one !== undefined);
    return own.length === 0 ? [] : [{ field, own, told: { create: new Map(), update: new Map() } as Told }];
  });
  return (rows) => {
    for (const row of rows) {
      const names = named.flatMap((one) => idsShown(row, one.field).flatMap((id) => nameOf(id, one, row)));
      // In place, as the row is the planner's own and not saved yet.
      if (names.length > 0) Object.assign(row, { names: [...(row.names ?? []), ...names] });
    }
  };

  function nameOf(id: number, { field, own, told }: (typeof named)[number], { action }: UnplacedRow): Name[] {
    const isUpdate = action === 'update';
    const known = told[isUpdate ? 'update' : 'create'].get(id);
    if (known !== undefined) return [known];
    const name = inLists(isUpdate ? own.toReversed() : own, id);
    if (name === undefined) return [];
    const made: Name = [field, id, name];
    told[isUpdate ? 'update' : 'create'].set(id, made);
    return [made];
  }

  function inLists(own: readonly Lookup[], id: number): string | undefined {
    for (const lookup of own) {
      const name = lists.known(lookup)?.get(id);
      if (name !== undefined) return name;
    }
    return undefined;
  }
}

/** The ids that are shown of a row's field: what it changes, else what a create sends. */
function idsShown({ action, changes, steps }: UnplacedRow, field: string): number[] {
  const change = changes.find((one) => one.field === field);
  const shown =
    change === undefined && action === 'create'
      ? steps.slice(0, 1).map(({ body }) => body[field])
      : [change?.from, change?.to];
  return shown.filter((id) => typeof id === 'number');
}
