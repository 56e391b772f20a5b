import { issueAt } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { t } from '../core/language.ts';
import type { Action } from '../core/plan.ts';
import type { Bilingual } from '../core/value.ts';
import { addressOf, type MappedRow, markAddress, missingColumn } from '../import/map/map-row.ts';
import type { Unplaced } from './kind.ts';

/** What would happen to a row, and what that takes. */
export type Decision = Partial<Pick<Unplaced, 'changes' | 'steps' | 'needs' | 'message'>> & {
  readonly action: Action;
};

/** The record a row is about, as far as it is known. */
export type About = Pick<Unplaced, 'key' | 'id' | 'lmt'>;

/** The user said so. */
export const SKIPPED: Decision = {
  action: 'skip',
  message: t('marked skip', 'gemarkeerd met skip'),
};

/** What a delete comes to when there is nothing left to delete. */
export const ALREADY_GONE: Decision = {
  action: 'unchanged',
  message: t('already gone', 'al verwijderd'),
};

/** A row and its decision as a planned row; rows of these kinds have no ExternalID of their own. */
export function placeDecision(row: MappedRow, about: About, decision: Decision): Unplaced {
  const { resource, sheet } = row.mapping;
  const nothing = { changes: [], steps: [], needs: [], message: null };
  return {
    sheet,
    row: row.row,
    resource: resource.name,
    external: null,
    ...about,
    ...nothing,
    ...decision,
    issues: row.issues,
  };
}

/** Puts an issue on a field of the row, which stops it; what is found there is the field's own value. */
export function refuseField(
  row: MappedRow,
  field: string,
  code: IssueCode,
  hint: string | Bilingual,
): Decision {
  const found = row.values[field] ?? '';
  const place = { field, address: addressOf(row.mapping, field, row.row) };
  row.issues.push(issueAt({ code, found: String(found), hint }, place));
  return { action: 'invalid' };
}

/** Puts an issue on the row's `#action`, which stops it. */
export function refuseAction(row: MappedRow, code: IssueCode, hint: string | Bilingual = ''): Decision {
  const place = { field: '#action', address: markAddress(row.mapping, '#action', row.row) };
  row.issues.push(issueAt({ code, found: row.action, hint }, place));
  return { action: 'invalid' };
}

/** Puts the issue on a row that a field which its request needs has no value, or no column at all. */
export function refuseMissing(row: MappedRow, field: string, why: Bilingual): void {
  const { mapping } = row;
  const address = addressOf(mapping, field, row.row);
  const finding =
    address === null
      ? missingColumn(mapping, field)
      : ({ code: 'required-missing', found: '', hint: why } as const);
  row.issues.push(issueAt(finding, { field, address }));
}
