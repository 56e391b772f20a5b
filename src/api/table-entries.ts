import { addressColumn } from '../core/cell.ts';
import { foundText } from '../core/issue.ts';
import { type Language, onPage } from '../core/language.ts';
import type { ShownStatus } from '../core/plan.ts';
import { isMade, keyText, messageText, statusText } from '../core/row-text.ts';
import type { RowDocument } from '../import/import-document.ts';
import type { StoredResult } from '../ledger/ledger.ts';

/** A problem of cells in one column, by what was found there. */
export interface FoundIssue {
  readonly sheet: string;
  /** From 1. */
  readonly column: number;
  readonly code: string;
  readonly found: string;
}

/** What is kept of each row, so that all of them can be chosen from and sorted. */
export interface Entry {
  readonly sheet: string;
  readonly row: number;
  status: ShownStatus;
  changes: number;
  /** What it is about. */
  record: string;
  issues: readonly string[];
  /** Its problems by cell and what was found there. */
  cells: readonly string[];
}

/** Names an issue of a field on a sheet. */
export const issueKey = (sheet: string, code: string, field: string | null): string =>
  `${sheet}\0${code}\0${field ?? ''}`;

/** Names a problem of cells by what was found there. */
export const foundKey = ({ sheet, column, code, found }: FoundIssue): string =>
  `${column}\0${code}\0${sheet}\0${found}`;

/** What is kept of a row as it is shown. */
export function entryOf(row: RowDocument): Entry {
  const { sheet, status, key = {}, label = '', changes = [], issues = [] } = row;
  return {
    ...{ sheet, row: row.row, status },
    changes: changes.length,
    record: label === '' ? keysOf(key).join(', ') : label,
    issues: issues.map(({ code, field }) => issueKey(sheet, code, field)),
    cells: issues.flatMap(({ code, cell, found }) =>
      cell === null ? [] : foundKey({ sheet, column: addressColumn(cell), code, found }),
    ),
  };
}

/** The same of a row of the ledger, without all that is shown of it: that takes most of the time. */
export function plannedEntry(row: StoredResult, dryRun: boolean, language: Language): Entry {
  const { planned, outcome } = row;
  const { sheet, steps, changes } = planned;
  const issues = [...planned.issues, ...(outcome?.issues ?? [])];
  return {
    ...{ sheet, row: planned.row, status: statusText(row, dryRun) },
    changes: isMade(planned) ? Object.keys(steps[0]?.body ?? {}).length : changes.length,
    record: planned.about?.label ?? keyText(planned),
    issues: issues.length === 0 ? NONE : issues.map(({ code, field }) => issueKey(sheet, code, field)),
    cells: issues.flatMap((issue) => {
      const { code, address } = issue;
      const found = foundText(issue, language);
      return address === null ? [] : foundKey({ sheet, column: addressColumn(address), code, found });
    }),
  };
}

const NONE: readonly string[] = [];

const keysOf = (key: NonNullable<RowDocument['key']>): string[] =>
  Object.entries(key).map(([field, value]) => `${field} ${value}`);

/** All that is shown of a row, in lower case. */
export function textOf({
  sheet,
  row,
  key = {},
  label = '',
  id,
  changes = [],
  message = '',
}: RowDocument): string {
  const told = changes.map(
    ({ from, to, fromName = '', toName = '' }) => `${from ?? ''} ${to ?? ''} ${fromName} ${toName}`,
  );
  return [sheet, row, label, ...keysOf(key), id ?? '', ...told, message].join('\n').toLowerCase();
}

/** The same of a row of the ledger: of a million rows it takes a third of the time. */
export function plannedText(row: StoredResult, language: Language): string {
  const { planned, outcome } = row;
  const { about, names = [], changes, steps, issues } = planned;
  const told = isMade(planned)
    ? steps.flatMap(({ body }) => Object.values(body).filter((value) => typeof value !== 'object'))
    : changes.flatMap(({ from, to }) => [from, to]);
  const isTold = issues.length > 0 || outcome !== null || planned.message !== null;
  const parts = [
    ...[planned.sheet, planned.row, about?.label ?? '', ...keysOf(about?.key ?? {})],
    ...[outcome?.id ?? planned.id ?? '', ...told, ...names.map(([, , name]) => name)],
    isTold ? messageText(row, language, onPage) : '',
  ];
  return parts.join('\n').toLowerCase();
}
