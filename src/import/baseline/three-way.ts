import type { Value } from '../../core/value.ts';

/** What is done with a row of which the user and someone else changed the same field: design, `--on-conflict`. */
export const ON_CONFLICT = ['skip', 'mine', 'theirs'] as const;
/** `skip` leaves the whole row, `mine` sends the sheet's value, `theirs` leaves that field alone. */
export type OnConflict = (typeof ON_CONFLICT)[number];

/** One field at three moments; undefined where it is not known. */
interface ThreeValues {
  /** What the sheet says. */
  readonly mine: Value;
  /** What the record held when the workbook was written. */
  readonly base: Value;
  /** What the service holds now. */
  readonly theirs: Value | undefined;
}

/** Who changed a field since the workbook was written; `alike` and `apart`: both did, to the same or not. */
export type ChangedBy = 'nobody' | 'user' | 'service' | 'alike' | 'apart';

/** Whether two values are the same to the user. */
export type Same = (one: Value | undefined, other: Value) => boolean;

/** The same of a field, where that depends on which it is. */
export type SameField = (field: string, ...values: Parameters<Same>) => boolean;

/** A field of which is known who changed it. */
export interface ComparedField extends ThreeValues {
  readonly field: string;
  readonly by: ChangedBy;
  /** The run of a copy of the workbook that sent what the service holds now. */
  readonly copy?: string;
}

/** Who changed a field. Of a field that the service does not tell, only the user's change can be known. */
export function changedBy({ mine, base, theirs }: ThreeValues, same: Same): ChangedBy {
  const moved = theirs !== undefined && hasMoved(base, theirs, same);
  if (same(base, mine)) return moved ? 'service' : 'nobody';
  if (!moved) return 'user';
  return same(theirs, mine) ? 'alike' : 'apart';
}

/** Whether the service holds something else than it did: a flag that is off and one that was never set are the same, whichever of the two a read says. */
export function hasMoved(base: Value, theirs: Value, same: Same): boolean {
  return !same(theirs, base) && !same(base, theirs);
}
