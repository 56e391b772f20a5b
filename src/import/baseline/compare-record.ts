import type { FieldChange } from '../../core/plan.ts';
import { type Existing, sameValue } from '../../kinds/catalogue/existing.ts';
import { sameMoment } from '../../kinds/moved.ts';
import type { Resource } from '../../schema/resource.ts';
import type { MappedRow } from '../map/map-row.ts';
import type { Sent } from './lineage.ts';
import { type ComparedField, changedBy, hasMoved, type Same, type SameField } from './three-way.ts';

/** A row and the record it is about. */
export interface Subject<R extends Resource> {
  readonly row: MappedRow<R>;
  /** The record's key in the plan. */
  readonly key: string | null;
  /** The record as the service holds it, whatever earlier rows of the file make of it; null when there is none. */
  readonly service: Existing | null;
  readonly same?: SameField;
}

/** The same, where the service has the record. */
export type There<R extends Resource> = Subject<R> & { readonly service: Existing };

/** Of fields that know no likeness of their own. */
export const ALIKE: SameField = (_, one, other) => sameValue(one, other);

/** The row's fields of which is known what they were: who changed which. */
export function compare<R extends Resource>(
  { row, service, same = ALIKE }: There<R>,
  { own, byCopies }: Sent,
): ComparedField[] {
  const { resource } = row.mapping;
  return Object.entries(row.values).flatMap(([field, mine]) => {
    const base = own.values[field];
    if (base === undefined || !canMove(resource, field)) return [];
    const theirs =
      'external' in resource && field === resource.external ? service.external : service.values[field];
    const alike: Same = (...pair) => same(field, ...pair);
    const by = changedBy({ mine, base, theirs }, alike);
    const compared = { field, mine, base, theirs, by };
    const copy = byCopies.get(field);
    if (by !== 'apart' || copy === undefined || !alike(theirs, copy.to)) return [compared];
    // The user sent it, from a copy of this file. A cell that stands here as it was exported says nothing against it; this one does.
    return [{ ...compared, by: 'user', copy: copy.run }];
  });
}

/** Whether a field says something of its record, and not which record it is. */
function canMove(resource: Resource, field: string): boolean {
  const external = 'external' in resource ? resource.external : null;
  return field === external || !resource.keys.includes(field);
}

/** Whether an update can change a field. */
export function canChange({ fields }: Resource, field: string): boolean {
  const update = fields[field]?.update;
  return update !== 'none' && update !== 'unsent';
}

/** What someone else changed; where no known field differs, the LMT tells. What the sheet says too was the user's own change. */
export function movedOf<R extends Resource>(
  { row, service, same = ALIKE }: There<R>,
  { own, byCopies }: Sent,
): readonly FieldChange[] | null {
  const { resource } = row.mapping;
  const fields = Object.entries(own.values).flatMap(([field, from]) => {
    const to = service.values[field];
    const tells = to !== undefined && canMove(resource, field) && canChange(resource, field);
    return tells && hasMoved(from, to, (...pair) => same(field, ...pair)) ? [{ field, from, to }] : [];
  });
  const others = fields.filter(({ field, to }) =>
    [row.values[field], byCopies.get(field)?.to].every(
      (said) => said === undefined || !same(field, to, said),
    ),
  );
  if (others.length > 0) return others;
  const { lmt } = own;
  const touched =
    fields.length === 0 && lmt !== null && service.lmt !== null && !sameMoment(lmt, service.lmt);
  return touched ? [{ field: 'LMT', from: lmt, to: service.lmt }] : null;
}
