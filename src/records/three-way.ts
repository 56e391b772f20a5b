import { textCodec } from '../core/codecs/text.ts';
import type { Issue } from '../core/issue.ts';
import type { FieldChange } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, heldIn, type SameField, sameValue } from './existing-record.ts';
import { sameMoment } from './fresh.ts';
import type { MappedRow } from './mapped-row.ts';

/** What is done where the user and someone else changed the same field (docs/conflicts.md). */
export const ON_CONFLICT = ['skip', 'mine', 'theirs'] as const;
/** `skip` leaves the whole row, `mine` sends the sheet's value, `theirs` leaves that field alone. */
export type OnConflict = (typeof ON_CONFLICT)[number];

/** Who changed a field since the workbook was written; `alike` and `apart`: both did, to the same or not. */
export type ChangedBy = 'nobody' | 'user' | 'service' | 'alike' | 'apart';

/** Whether two values are the same to the user. */
type Same = (one: Value | undefined, other: Value) => boolean;

/** A field of which is known who changed it. */
export interface ComparedField {
  readonly field: string;
  readonly mine: Value;
  /** What the record held when the workbook was written, or what was sent of the workbook since. */
  readonly base: Value;
  /** Undefined where the service does not tell: then only the user's change can be known. */
  readonly theirs: Value | undefined;
  readonly by: ChangedBy;
}

/** Who changed a field. */
export function changedBy(
  { mine, base, theirs }: Pick<ComparedField, 'mine' | 'base' | 'theirs'>,
  same: Same,
): ChangedBy {
  const moved = theirs !== undefined && hasMoved(base, theirs, same);
  if (same(base, mine)) return moved ? 'service' : 'nobody';
  if (!moved) return 'user';
  return same(theirs, mine) ? 'alike' : 'apart';
}

/** Whether the service holds another value; an off flag equals one never set. */
const hasMoved = (base: Value, theirs: Value, same: Same): boolean =>
  !same(theirs, base) && !same(base, theirs);

/** What was sent last of a workbook and its copies, by field; `here`: from this very file. */
export type SentSince = Readonly<Record<string, { readonly to: Value; readonly here: boolean }>>;

/** A row beside its record, then and now. */
export interface ComparedRow {
  readonly row: MappedRow;
  /** The record when the workbook was written. */
  readonly was: BaselineRecord;
  readonly sent: SentSince;
  /** The record as the service holds it. */
  readonly service: ExistingRecord;
  readonly same: SameField;
}

/**
 * The row's fields of which is known what they were: who changed which. What was sent of the workbook since is
 * nobody else's change; a cell of a copy that is as it was exported takes nothing of it back.
 */
export function compare({ row, service, same, was, sent }: ComparedRow): ComparedField[] {
  const { resource } = row.mapping;
  return Object.entries(row.values).flatMap(([field, mine]) => {
    const written = was.values[field];
    if (written === undefined || !canMove(resource, field)) return [];
    const alike: Same = (...pair) => same(field, ...pair);
    const last = sent[field];
    const base = last !== undefined && (last.here || !alike(written, mine)) ? last.to : written;
    const theirs = heldIn(resource, service, field);
    return [{ field, mine, base, theirs, by: changedBy({ mine, base, theirs }, alike) }];
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

/** A record with what was sent of the workbook since: of what was written the old LMT says nothing. */
export function afterSending(was: BaselineRecord, sent: SentSince): BaselineRecord {
  const written = Object.entries(sent).map(([field, { to }]) => [field, to]);
  return written.length === 0
    ? was
    : { ...was, lmt: null, values: { ...was.values, ...Object.fromEntries(written) } };
}

/** What someone else changed; by LMT where no known field differs. What the sheet says is the user's. */
export function changesByOthers({ row, service, same, was, sent }: ComparedRow): FieldChange[] {
  const { resource } = row.mapping;
  const { lmt, values } = afterSending(was, sent);
  const fields = Object.entries(values).flatMap(([field, from]) => {
    const to = service.values[field];
    const tells = to !== undefined && canMove(resource, field) && canChange(resource, field);
    return tells && hasMoved(from, to, (...pair) => same(field, ...pair)) ? [{ field, from, to }] : [];
  });
  const touched =
    fields.length === 0 && lmt !== null && service.lmt !== null && !sameMoment(lmt, service.lmt);
  if (touched) return [{ field: 'LMT', from: lmt, to: service.lmt }];
  return fields.filter(({ field, to }) => {
    const mine = row.values[field];
    return mine === undefined || !same(field, to, mine);
  });
}

/** What a record holds, or held when the workbook was written. */
export type HeldValues = Pick<BaselineRecord, 'values'>;

/**
 * The row without issues of cells that are as the workbook was written: nothing of them is sent. A service
 * may hold what its fields don't take, such as a price "on request".
 */
export function withoutUntouched<R extends Resource>(row: MappedRow<R>, was: HeldValues): MappedRow<R> {
  const { values, mapping } = row;
  // One on a key or a doubled column always counts.
  const isUntouched = ({ field, found, code }: Issue): boolean => {
    if (field === null || mapping.resource.keys.includes(field) || code === 'header-twice') return false;
    const base = was.values[field];
    if (base === undefined || base === null) return false;
    const mine = values[field];
    // As text is compared everywhere: without outer blanks and what can't be seen, whatever its line ends.
    return mine === undefined ? textCodec.read(base) === textCodec.read(found) : sameValue(base, mine);
  };
  const issues = row.issues.filter((issue) => !isUntouched(issue));
  return issues.length === row.issues.length ? row : { ...row, issues };
}
