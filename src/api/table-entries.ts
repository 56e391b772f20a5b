import { addressColumn } from '../core/cell.ts';
import { causeOf, type Issue } from '../core/issue.ts';
import { type Language, onPage } from '../core/language.ts';
import type { PlannedRow, ShownStatus } from '../core/plan.ts';
import { isMade, keyText, messageText, statusText } from '../core/row-text.ts';
import { hashOf } from '../ledger/hash-index.ts';
import type { StoredResult } from '../ledger/ledger.ts';
import type { RowDocument } from './documents.ts';
import { rowDocument } from './make-documents.ts';

/** A problem of cells in one column, by what was found there. */
export interface FoundIssue {
  readonly sheet: string;
  /** From 1. */
  readonly column: number;
  readonly code: string;
  readonly found: string;
}

/** A problem of a row, as far as rows are chosen and counted by it. */
export interface EntryIssue {
  readonly code: string;
  readonly field: string | null;
  /** What tells it apart from others of its code; see `causeSign`. */
  readonly cause: string;
  readonly severity: 'error' | 'warning';
  /** The column of its cell, from 1; null where it is of no cell. */
  readonly column: number | null;
  readonly found: string;
}

/** What is kept of each row, so that all of them can be chosen from and sorted. */
export interface Entry {
  readonly seq: number;
  readonly sheet: string;
  readonly row: number;
  readonly status: ShownStatus;
  readonly changes: number;
  /** What it is about. */
  readonly record: string;
  issues: readonly EntryIssue[];
  /** The record that it and others are on: of those that disagree with others, and of those planned once more. */
  readonly key?: string | null;
  /** All that is shown of it, in lower case, once somebody searched. */
  text?: string;
}

/** A row as the table shows it, with the cause of each of its issues. */
export interface ShownRow extends RowDocument {
  readonly causes: readonly string[];
}

/** What tells an issue's cause apart, as a sign: its words are for nobody to read. */
export function causeSign(issue: Issue): string {
  const cause = causeOf(issue);
  return cause === '' ? '' : hashOf(cause).toString(36);
}

/** Whether an issue is of these cells: what was found there and all. */
export const isFound = (sheet: string, issue: EntryIssue, of: FoundIssue): boolean =>
  issue.column === of.column && issue.code === of.code && issue.found === of.found && sheet === of.sheet;

/** The record that a planned row is on, of all kinds; null for none. */
export const recordKey = ({ resource, key }: PlannedRow): string | null =>
  key === null ? null : `${resource}\n${key}`;

/** A row of the ledger as the table shows it. */
export const shownRow = (row: StoredResult, dryRun: boolean, language: Language): ShownRow => ({
  ...rowDocument(row, dryRun, language, onPage),
  causes: [...row.planned.issues, ...(row.outcome?.issues ?? [])].map(causeSign),
});

/** Whether rows on one record disagree: once one of them is corrected the others may be right. */
const isTwin = ({ code }: EntryIssue): boolean =>
  code === 'created-twice' || code === 'value-twice' || code === 'record-twice';

/** What is kept of a row, without all that is shown of it: that takes most of the time. */
export function plannedEntry(row: StoredResult, dryRun: boolean): Entry {
  const { planned, outcome } = row;
  const { seq, sheet, steps, changes } = planned;
  const all = [...planned.issues, ...(outcome?.issues ?? [])];
  const issues = all.length === 0 ? NONE : all.map(entryIssue);
  return {
    ...{ seq, sheet, row: planned.row, status: statusText(row, dryRun), issues },
    changes: isMade(planned) ? Object.keys(steps[0]?.body ?? {}).length : changes.length,
    record: planned.about?.label ?? keyText(planned),
    ...(issues.some(isTwin) ? { key: recordKey(planned) } : {}),
  };
}

function entryIssue(issue: Issue): EntryIssue {
  const { code, field, severity, address, found } = issue;
  const column = address === null ? null : addressColumn(address);
  return { code, field, severity, column, cause: causeSign(issue), found };
}

const NONE: readonly EntryIssue[] = [];

const keysOf = (key: NonNullable<RowDocument['key']>): string[] =>
  Object.entries(key).map(([field, value]) => `${field} ${value}`);

/** Names the place of a row. */
export const placeKey = (sheet: string, row: number): string => `${row}\0${sheet}`;

/** All that is shown of a row, in lower case. */
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
