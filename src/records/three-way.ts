import { textCodec } from '../core/codecs/text.ts';
import type { Issue } from '../core/issue.ts';
import type { FieldChange } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, type SameField, sameValue } from './existing-record.ts';
import { sameMoment } from './freshness.ts';
import type { MappedRow } from './mapped-row.ts';

/** What is done where the user and someone else changed the same field (docs/conflicts.md). */
export const ON_CONFLICT = ['skip', 'mine', 'theirs'] as const;
/** `skip` leaves the whole row, `mine` sends the sheet's value, `theirs` leaves that field alone. */
export type OnConflict = (typeof ON_CONFLICT)[number];

/** One field at three moments; undefined where it is not known. */
interface ThreeValues {
  readonly mine: Value;
  /** What the record held when the workbook was written. */
  readonly base: Value;
  readonly theirs: Value | undefined;
}

/** Who changed a field since the workbook was written; `alike` and `apart`: both did, to the same or not. */
export type ChangedBy = 'nobody' | 'user' | 'service' | 'alike' | 'apart';

/** Whether two values are the same to the user. */
export type Same = (one: Value | undefined, other: Value) => boolean;

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

/** Whether the service holds another value; an off flag equals one never set. */
function hasMoved(base: Value, theirs: Value, same: Same): boolean {
  return !same(theirs, base) && !same(base, theirs);
}

/** What became of a record by the runs that sent its workbook. */
export interface SentChanges {
  /** The record after the runs that sent this very file, whose changes count as the base. */
  readonly own: BaselineRecord;
  /** What copies of the file changed after that, by field. */
  readonly byCopies: ReadonlyMap<string, { readonly run: string; readonly to: Value }>;
}

/** A row beside its record. */
export interface ComparedRow {
  readonly row: MappedRow;
  /** The record as the service holds it. */
  readonly service: ExistingRecord;
  readonly same: SameField;
}

/** The row's fields of which is known what they were: who changed which. */
export function compare({ row, service, same, own, byCopies }: ComparedRow & SentChanges): ComparedField[] {
  const { resource } = row.mapping;
  return Object.entries(row.values).flatMap(([field, mine]) => {
    const base = own.values[field];
    if (base === undefined || !canMove(resource, field)) return [];
    const theirs = heldIn(resource, service, field);
    const alike: Same = (...pair) => same(field, ...pair);
    const by = changedBy({ mine, base, theirs }, alike);
    const compared = { field, mine, base, theirs, by };
    const copy = byCopies.get(field);
    if (by !== 'apart' || copy === undefined || !alike(theirs, copy.to)) return [compared];
    // The user sent it from a copy of this file: a cell left as it was exported doesn't contradict that.
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

/** What someone else changed; by LMT where no known field differs. What the sheet says is the user's. */
export function changesByOthers(seen: ComparedRow & SentChanges): readonly FieldChange[] | null {
  const { row, service, same, own, byCopies } = seen;
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

/** What a record holds, or held when the workbook was written. */
export type HeldValues = Pick<BaselineRecord, 'values'>;

/**
 * The row without issues of cells that are as the workbook was written: nothing of them is sent. A service
 * may hold what its fields don't take, such as a price "on request".
 */
export function withoutUntouched<R extends Resource>(row: MappedRow<R>, was: HeldValues): MappedRow<R> {
  const issues = row.issues.filter((issue) => !isUntouched(issue, row, was));
  return issues.length === row.issues.length ? row : { ...row, issues };
}

/** Whether an issue is on an unchanged cell; one on a key or a doubled column always counts. */
function isUntouched(
  { field, found, code }: Issue,
  { values, mapping }: MappedRow,
  was: HeldValues,
): boolean {
  if (field === null || mapping.resource.keys.includes(field) || code === 'header-twice') return false;
  const base = was.values[field];
  if (base === undefined || base === null) return false;
  const mine = values[field];
  // As text is compared everywhere: without outer blanks and what can't be seen, whatever its line ends.
  return mine === undefined ? textCodec.read(base) === textCodec.read(found) : sameValue(base, mine);
}
