import type { Issue } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Action, RowAbout } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import { isNameHeader, type Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import type { PlanRules, UnplacedRow } from './planning.ts';

/** The record a row is about, as far as it is known. */
type RowSubject = Pick<UnplacedRow, 'key' | 'id' | 'external' | 'lmt' | 'said'>;

/** What would happen to a row, what that takes, and to which record where the row alone does not tell. */
export type RowDecision = Partial<
  Omit<RowSubject, 'external'> &
    Pick<UnplacedRow, 'changes' | 'steps' | 'needs' | 'message' | 'posted' | 'fact'>
> & {
  readonly action: Action;
};

/** The row says itself why. */
export const INVALID: RowDecision = { action: 'invalid' };

/** A planned row that sends nothing after all, and why. */
export const unsentRow = <R extends UnplacedRow>(
  planned: R,
  action: Action,
  message: Bilingual | null,
  issues = planned.issues,
): R => ({ ...planned, action, changes: [], steps: [], needs: [], message, issues });

/** A planned row that is invalid for what a later row says: it tells nothing either. */
export const refusedRow = <R extends UnplacedRow>(was: R, issues: readonly Issue[]): R => ({
  ...unsentRow(was, 'invalid', null, [...was.issues, ...issues]),
  posted: undefined,
});

/** The user said so. */
export const SKIPPED: RowDecision = {
  action: 'skip',
  message: t('marked skip', 'gemarkeerd met skip'),
};

/** What a delete comes to when there is nothing left to delete. */
export const ALREADY_GONE: RowDecision = {
  action: 'unchanged',
  message: t('already gone', 'al verwijderd'),
};

/** Shared by all rows that have none: a list of their own would be a million of them. */
const NONE: readonly never[] = [];

/** A row and its decision as a planned row; `subject`: the record, where the decision does not tell. */
export function placeDecision(
  mapped: MappedRow,
  { key, id, lmt, said, changes, steps, needs, message, action, ...more }: RowDecision,
  subject: Partial<RowSubject> = {},
): UnplacedRow {
  const { row, issues, mapping } = mapped;
  const { resource, sheet } = mapping;
  const planned = {
    // Its place and its names are put there later: a member that comes after costs an object more, a row.
    seq: -1,
    names: NONE,
    sheet,
    row,
    resource: resource.name,
    key: key ?? subject.key ?? null,
    id: id ?? subject.id ?? null,
    external: subject.external ?? null,
    lmt: lmt ?? subject.lmt ?? null,
    action,
    changes: changes ?? NONE,
    said: said ?? subject.said ?? '',
    steps: steps ?? NONE,
    needs: needs ?? NONE,
    message: message ?? null,
    issues,
    ...more,
  };
  const own = aboutRow(mapped);
  return own === undefined ? planned : Object.assign(planned, { about: own });
}

/** Puts an issue on a field of the row, which stops it; what is found there is the field's own value. */
export function refuseField(
  row: MappedRow,
  field: string,
  code: IssueCode,
  hint: string | Bilingual,
): RowDecision {
  const place = isNamedByEvidence(row, field) ? '#id' : field;
  row.issues.push(issueOn(row, place, { code, found: String(row.values[field] ?? ''), hint }));
  return INVALID;
}

/** Refuses a row that names no record and could be new: nothing of it is made unasked. */
export const refuseUnnamed = (row: MappedRow, key: string): RowDecision =>
  refuseField(row, key, 'key-not-given', '');

/** Whether the value of a field stands in `#id`. */
const isNamedByEvidence = ({ evidence, mapping }: MappedRow, field: string): boolean =>
  evidence?.names === true && mapping.resource.keys[0] === field;

/** Refuses a delete that is `impossible`, or that the user does not allow; null for any other. */
export function refuseDelete(
  row: MappedRow,
  { allowDelete }: Pick<PlanRules, 'allowDelete'>,
  impossible: Bilingual | null,
): RowDecision | null {
  if (impossible !== null) return refuseAction(row, 'action-not-possible', impossible);
  return allowDelete ? null : refuseAction(row, 'delete-not-allowed');
}

/** Puts an issue on the row's `#action`, which stops it. */
export function refuseAction(row: MappedRow, code: IssueCode, hint: string | Bilingual = ''): RowDecision {
  row.issues.push(issueOn(row, '#action', { code, found: row.action, hint }));
  return INVALID;
}

/** The character of the first field: a million rows are not to hold lists of names. */
const FIRST = 0x30;

/** The fields of which a row says something, also what changes nothing, as `PlannedRow.said` holds them. */
export function saidBy({ values, mapping: { resource } }: MappedRow): string {
  let said = '';
  let at = FIRST;
  for (const field in resource.fields) {
    if (values[field] !== undefined) said += String.fromCharCode(at);
    at++;
  }
  return said;
}

/** The names of those fields. */
export function saidFields({ fields }: Resource, said = ''): string[] {
  const names = Object.keys(fields);
  return said.split('').flatMap((mark) => names[mark.charCodeAt(0) - FIRST] ?? []);
}

/** What a row itself says that it is about, whatever is wrong with the rest of it. */
function aboutRow({ mapping, values, reference, told = [] }: MappedRow): RowAbout | undefined {
  const { resource } = mapping;
  const label = textOf(resource.label === undefined ? nameBeside(resource, told) : values[resource.label]);
  let key: Record<string, Value> | undefined;
  for (const field of resource.keys) if (values[field] != null) key = { ...key, [field]: values[field] };
  if (reference !== null) key = { ...key, '#key': reference };
  if (key === undefined) return label === undefined ? undefined : { label };
  return label === undefined ? { key } : { key, label };
}

/** An export has the name in a column that is only shown, people in one of their own. */
function nameBeside(resource: Resource, told: NonNullable<MappedRow['told']>): Value | undefined {
  const names = resource.labelled?.[1].label ?? [];
  return told.find(({ header }) => names.includes(header) || isNameHeader(resource, header))?.cell.value;
}

/** Puts the name of its record beside a row; the row's own words come first. */
export function withRecordName(
  planned: UnplacedRow,
  { label: name }: Resource,
  existing: ExistingRecord | null,
): UnplacedRow {
  const label = planned.about?.label ?? textOf(name === undefined ? null : existing?.values[name]);
  return label === undefined ? planned : { ...planned, about: { ...planned.about, label } };
}

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
