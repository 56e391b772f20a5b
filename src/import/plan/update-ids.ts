import type { FieldChange, Step } from '../../core/plan.ts';
import type { UnplacedRow } from '../../records/planning.ts';
import type { LookupLists } from '../../run/lookup-lists.ts';
import { twoListFields, type UpdateIds, updateIds } from '../../run/update-ids.ts';
import type { Resource } from '../../schema/resource.ts';

/**
 * Where an update takes ids of another list than a create (interface 2.3): turns the id that an update would
 * send into that of the same name. The lists are read when the first such id is to be sent.
 */
export function createUpdateIds(
  lists: LookupLists,
  resource: Resource,
): (rows: readonly UnplacedRow[]) => Promise<void> {
  const fields = twoListFields(resource);
  return async (rows) => {
    for (const two of fields) {
      const sending = rows.filter(({ steps }) => steps.some((step) => idSent(step, two.field) !== null));
      const ids = sending.length === 0 ? null : await updateIds(lists, two);
      if (ids !== null) for (const row of sending) translate(row, two.field, ids);
    }
  };
}

function translate(row: UnplacedRow, field: string, { ofCreate, ofEither }: UpdateIds): void {
  const isCreates = row.steps[0]?.purpose === 'create';
  const idOf = isCreates ? ofCreate : ofEither;
  const steps = row.steps.map((step): Step => {
    const id = idSent(step, field);
    return id === null ? step : { ...step, body: { ...step.body, [field]: idOf(id) } };
  });
  // In place, as the row is the planner's own and not saved yet.
  Object.assign(row, { steps, changes: isCreates ? row.changes : changesBy(row, field, idOf) });
}

/** The changes of an update as it sends them: also of an id that it takes along from the record. */
function changesBy(
  { changes, steps }: UnplacedRow,
  field: string,
  idOf: UpdateIds['ofEither'],
): FieldChange[] {
  const isTold = changes.some((change) => change.field === field);
  const carried = isTold
    ? null
    : (steps.map((step) => idSent(step, field)).find((id) => id !== null) ?? null);
  const more = carried === null || idOf(carried) === carried ? [] : [{ field, from: carried, to: carried }];
  return [...changes, ...more].map((change) =>
    change.field === field && typeof change.to === 'number' ? { ...change, to: idOf(change.to) } : change,
  );
}

/** The id that a step other than a create sends for a field; null where it sends none. */
function idSent({ purpose, body }: Step, field: string): number | null {
  const id = body[field];
  return purpose !== 'create' && typeof id === 'number' ? id : null;
}
