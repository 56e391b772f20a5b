import type { Counts } from '../core/counts.ts';
import { describeIssue, expectedText, foundText, type Issue } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import type { Language } from '../core/language.ts';
import type { RowResult } from '../core/plan.ts';
import { messageText, statusText } from '../core/row-text.ts';
import type { ImportResult } from './import.ts';
import type { SheetCounts } from './plan/plan-report.ts';
import { readingNotes } from './results/reading-notes.ts';

/** One problem of a row, as `--json` prints it. */
export interface IssueDocument {
  readonly code: IssueCode;
  readonly severity: 'error' | 'warning';
  readonly field: string | null;
  /** Such as `F12`; null when the sheet has no such column. */
  readonly cell: string | null;
  readonly found: string;
  readonly expected: string;
  readonly message: string;
}

/** One row, as `--json` prints it. `row` is its number in the sheet. */
export interface RowDocument {
  readonly sheet: string;
  readonly row: number;
  readonly status: string;
  readonly id?: number;
  readonly message?: string;
  readonly issues?: readonly IssueDocument[];
}

/** One sheet, as `--json` prints it; `notes` tell how it was read, when there is anything to tell. */
export interface SheetDocument extends SheetCounts {
  readonly notes?: readonly string[];
}

/** All of an import's result but its rows, as `--json` prints it (design: "Command line"). */
interface ImportHead {
  readonly run: string;
  readonly file: string;
  readonly dryRun: boolean;
  readonly service: string;
  readonly counts: Counts;
  readonly sheets: readonly SheetDocument[];
  /** What there is to know about the file and the run, when there is anything. */
  readonly notes?: readonly string[];
  readonly requests: number;
  /** The result workbook's path; null where it could not be written. */
  readonly result: string | null;
  /** Why it could not be written. */
  readonly resultError?: string;
  /** The path of the page to hand over, where one was asked for; null where it could not be written. */
  readonly report?: string | null;
  /** Why it could not be written. */
  readonly reportError?: string;
}

/** What an import came to, as one plain document. */
export interface ImportDocument extends ImportHead {
  readonly rows: readonly RowDocument[];
  readonly ms: number;
}

/** All of an import's result but its rows, as one plain document. */
export function importHead(
  { plan, resultError, report, reportError, ...result }: ImportResult,
  language: Language,
): ImportHead {
  const { whole, ofSheet } = readingNotes(plan, language);
  const notes = [...whole, ...result.notes.map((note) => note[language])];
  return {
    run: plan.run,
    file: plan.workbook.file,
    dryRun: result.dryRun,
    service: plan.service,
    counts: result.counts,
    sheets: result.sheets.map((sheet) => withNotes(sheet, ofSheet(sheet.sheet))),
    ...(notes.length === 0 ? {} : { notes }),
    requests: result.requests,
    result: result.result,
    ...(resultError === null ? {} : { resultError: resultError.message }),
    ...(report === null && reportError === null ? {} : { report }),
    ...(reportError === null ? {} : { reportError: reportError.message }),
  };
}

function withNotes(sheet: SheetCounts, notes: readonly string[]): SheetDocument {
  return notes.length === 0 ? sheet : { ...sheet, notes };
}

const FINE = new Set(['created', 'updated', 'unchanged', 'deleted', 'skipped', 'create', 'update', 'delete']);

/** The rows that are not plainly fine, or all of them. */
export async function* rowDocuments(
  rows: AsyncIterable<RowResult>,
  options: { readonly dryRun: boolean; readonly language: Language; readonly all: boolean },
): AsyncGenerator<RowDocument> {
  for await (const row of rows) {
    const shown = rowDocument(row, options.dryRun, options.language);
    const plain = FINE.has(shown.status) && shown.issues === undefined && shown.message === undefined;
    if (options.all || !plain) yield shown;
  }
}

function rowDocument(row: RowResult, dryRun: boolean, language: Language): RowDocument {
  const { planned, outcome } = row;
  const id = outcome?.id ?? planned.id;
  const message = messageText(row, language);
  const issues = [...planned.issues, ...(outcome?.issues ?? [])];
  return {
    sheet: planned.sheet,
    row: planned.row,
    status: statusText(row, dryRun),
    ...(id === null ? {} : { id }),
    ...(message === '' ? {} : { message }),
    ...(issues.length === 0 ? {} : { issues: issues.map((issue) => issueDocument(issue, language)) }),
  };
}

function issueDocument(issue: Issue, language: Language): IssueDocument {
  const { code, severity, field, address } = issue;
  const found = foundText(issue, language);
  const words = { expected: expectedText(issue, language), message: describeIssue(issue, language) };
  return { code, severity, field, cell: address, found, ...words };
}
