import type { Counts } from '../core/counts.ts';
import type { ExitCode } from '../core/errors.ts';
import { describeIssue, type Issue, wayOut } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-catalogue.ts';
import { asTyped, type Form, type Language } from '../core/language.ts';
import type { FieldApart, PlannedRow, RowResult, ShownStatus } from '../core/plan.ts';
import type { SheetCounts } from '../core/plan-report.ts';
import { isMade, messageText, sentValues, statusText } from '../core/row-text.ts';
import type { Value } from '../core/value.ts';
import { exitCodeOf, type ImportResult } from './import.ts';
import type { SheetProposal } from './map/header-proposals.ts';
import type { Plan } from './plan/plan-import.ts';
import { notesOf, notUsed } from './results/reading-notes.ts';

/** One problem of a row, as `--json` prints it. */
export interface IssueDocument {
  /** What is wrong, the same in every language. */
  readonly code: IssueCode;
  /** An `error` stops its row; with a `warning` it is sent. */
  readonly severity: 'error' | 'warning';
  /** The column by its header; null for what is about the row. */
  readonly field: string | null;
  /** Such as `F12`; null when the sheet has no such column. */
  readonly cell: string | null;
  /** What stands there; empty where the cell shows nothing. */
  readonly found: string;
  /** What to write in its place, or what else to do, in the language of `lang`. */
  readonly expected: string;
  /** What is wrong and what to do, in sentences, in the language of `lang`. */
  readonly message: string;
}

/** One field that a row changes, as `--json` prints it: values as data, and the names of ids where known. */
export interface ChangeDocument {
  /** The field by the interface’s own name. */
  readonly field: string;
  /** What the record has; null for nothing. */
  readonly from: Value;
  /** What it gets; null for nothing. */
  readonly to: Value;
  /** The name of the id `from`, where planning read it. */
  readonly fromName?: string;
  /** The name of the id `to`, where planning read it. */
  readonly toName?: string;
}

/** One field that the user and someone else both changed, as `--json` prints it. */
export interface ConflictDocument {
  /** The field by the interface’s own name. */
  readonly field: string;
  /** What it was when the file was written, or when an earlier run planned the row. */
  readonly was: Value;
  /** What it is on the service now; null where that is not told. */
  readonly now: Value;
  /** What the row says; absent where the row deletes the record. */
  readonly mine?: Value;
  /** The names of the ids among these, where planning read them. */
  readonly names?: Readonly<Record<string, string>>;
}

/** One row, as `--json` prints it. `row` is its number in the sheet. */
export interface RowDocument {
  /** The sheet by its name in the file. */
  readonly sheet: string;
  /** Its number in the sheet, from 1, headers included. */
  readonly row: number;
  /** What became of it; of a plan what would: `create`, `update` or `delete` where something is sent. */
  readonly status: ShownStatus;
  /** The columns by which the row names its record, and `#key`, with what stands there. */
  readonly key?: Readonly<Record<string, Value>>;
  /** The record's name. */
  readonly label?: string;
  /** The record’s id on the service. */
  readonly id?: number;
  /** What it changes, or was to change; of a new record what it is made with, from null. */
  readonly changes?: readonly ChangeDocument[];
  /** Of a row in conflict the fields that both changed, where that is known. */
  readonly conflict?: readonly ConflictDocument[];
  /** What is to be told of it, in the language of `lang`. */
  readonly message?: string;
  /** What is wrong or odd about its cells. */
  readonly issues?: readonly IssueDocument[];
}

/** One sheet, as `--json` prints it. */
export interface SheetDocument extends SheetCounts {
  /** How it was read, when there is anything to know; in the language of `lang`. */
  readonly notes?: readonly string[];
}

/** What the headers of a sheet may mean; `undecided` are those that only the user can tell. */
type ProposalDocument = Pick<SheetProposal, 'sheet' | 'resource' | 'columns' | 'undecided'>;

/** An import's result as one plain document, as `--json` prints it. */
export interface ImportDocument {
  /** The run’s name, for `applyPlan`, `undoRun` and `readRun`. */
  readonly run: string;
  /** The file’s path, as given. */
  readonly file: string;
  /** Nothing was sent: counts and rows tell what would be. */
  readonly dryRun: boolean;
  /** The base URL of the service; `sandbox` for the one on this machine. */
  readonly service: string;
  /** What the command ends with: `EXIT.rows` where a row or sheet needs work, `EXIT.unknown`, `EXIT.ok`, … */
  readonly exit: ExitCode;
  /** All rows of the file. */
  readonly counts: Counts;
  /** In a dry run: how many rows would be created, updated and deleted. */
  readonly planned?: Readonly<Record<'create' | 'update' | 'delete', number>>;
  /** Each sheet that was imported, in the order of the file. */
  readonly sheets: readonly SheetDocument[];
  /** Notes on the file and the run, when there are any. */
  readonly notes?: readonly string[];
  /** What headers may mean that mean nothing as they stand, when there are any. */
  readonly proposals?: readonly ProposalDocument[];
  /** What takes them, as `--map` takes it. */
  readonly map?: string;
  /** Requests sent, reads included. */
  readonly requests: number;
  /** The result workbook's path; null where it could not be written. */
  readonly result: string | null;
  /** Why it could not be written. */
  readonly resultError?: string;
  /** The report's path, where one was asked for; null where it could not be written. */
  readonly report?: string | null;
  /** Why it could not be written. */
  readonly reportError?: string;
  /** Every row that is not plainly fine; with `allRows` every row. */
  readonly rows: readonly RowDocument[];
  /** How long it took, ms. */
  readonly ms: number;
}

/** An import's result without its rows, as one plain document. */
export function importHead(whole: ImportResult, language: Language): Omit<ImportDocument, 'rows' | 'ms'> {
  const { plan, resultError, report, reportError, ...result } = whole;
  const notes = [
    ...notUsed(plan, { language }),
    ...notesOf(plan, null, { language }),
    ...result.notes.map((note) => note[language]),
  ];
  return {
    run: plan.run,
    file: plan.workbook.file,
    dryRun: result.dryRun,
    service: plan.service,
    exit: exitCodeOf(whole),
    counts: result.counts,
    ...(result.dryRun ? { planned: plannedCounts(result.counts) } : {}),
    sheets: result.sheets.map((sheet) => withNotes(sheet, notesOf(plan, sheet.sheet, { language }))),
    ...(notes.length === 0 ? {} : { notes }),
    ...proposalsOf(plan),
    requests: result.requests,
    result: result.result,
    ...(resultError === null ? {} : { resultError: resultError.message }),
    ...(report === null && reportError === null ? {} : { report }),
    ...(reportError === null ? {} : { reportError: reportError.message }),
  };
}

function proposalsOf({ proposed }: Plan): Pick<ImportDocument, 'proposals' | 'map'> {
  if (proposed === undefined) return {};
  const proposals = proposed.sheets.map(({ sheet, resource, columns, undecided }) => ({
    ...{ sheet, resource, columns, undecided },
  }));
  return { proposals, ...(proposed.map === null ? {} : { map: proposed.map }) };
}

const plannedCounts = ({ created, updated, deleted }: Counts): ImportDocument['planned'] & object => ({
  create: created,
  update: updated,
  delete: deleted,
});

function withNotes(sheet: SheetCounts, notes: readonly string[]): SheetDocument {
  return notes.length === 0 ? sheet : { ...sheet, notes };
}

const FINE = new Set<ShownStatus>([
  'created',
  'updated',
  'unchanged',
  'deleted',
  'skipped',
  'create',
  'update',
  'delete',
]);

/** The rows that are not plainly fine, or all of them. */
export async function* rowDocuments(
  rows: AsyncIterable<RowResult>,
  options: { readonly dryRun: boolean; readonly language: Language; readonly all: boolean },
): AsyncGenerator<RowDocument> {
  const { all, dryRun, language } = options;
  // Most rows are plain: their documents are not made.
  for await (const row of rows)
    if (all || !isPlain(row, dryRun, language)) yield rowDocument(row, dryRun, language);
}

/** Whether there is nothing to say of a row but that it went well. */
function isPlain(row: RowResult, dryRun: boolean, language: Language): boolean {
  const { planned, outcome } = row;
  const issues = planned.issues.length + (outcome?.issues.length ?? 0);
  if (issues > 0 || !FINE.has(statusText(row, dryRun))) return false;
  return messageText(row, language, asTyped) === '';
}

/** A row as plain data. */
export function rowDocument(
  row: RowResult,
  dryRun: boolean,
  language: Language,
  form: Form = asTyped,
): RowDocument {
  const { planned, outcome } = row;
  const id = outcome?.id ?? planned.id;
  const message = messageText(row, language, form);
  const changes = changeDocuments(planned);
  const issues = [...planned.issues, ...(outcome?.issues ?? [])];
  return {
    sheet: planned.sheet,
    row: planned.row,
    status: statusText(row, dryRun),
    ...planned.about,
    ...(id === null ? {} : { id }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(planned.apart === undefined ? {} : { conflict: planned.apart.map(conflictDocument(planned)) }),
    ...(message === '' ? {} : { message }),
    ...(issues.length === 0 ? {} : { issues: issues.map((issue) => issueDocument(issue, language, form)) }),
  };
}

const conflictDocument =
  ({ names = [] }: PlannedRow) =>
  (apart: FieldApart): ConflictDocument => {
    const ids = [apart.was, apart.now, apart.mine];
    const named = names.filter(([field, id]) => field === apart.field && ids.includes(id));
    const byId = Object.fromEntries(named.map(([, id, name]) => [id, name]));
    return { ...apart, ...(named.length === 0 ? {} : { names: byId }) };
  };

function changeDocuments(planned: PlannedRow): ChangeDocument[] {
  const { changes, names = [] } = planned;
  const nameOf = (field: string, id: Value): string | undefined =>
    names.find(([of, named]) => of === field && named === id)?.[2];
  return (isMade(planned) ? madeChanges(planned) : changes).map(({ field, from, to }) => {
    const [fromName, toName] = [nameOf(field, from), nameOf(field, to)];
    if (fromName === undefined && toName === undefined) return { field, from, to };
    return {
      ...{ field, from, to },
      ...(fromName === undefined ? {} : { fromName }),
      ...(toName === undefined ? {} : { toName }),
    };
  });
}

/** The values of a new record; an id that its own record gets when it is created is no value yet. */
function madeChanges(planned: PlannedRow): { field: string; from: null; to: Value }[] {
  const made: { field: string; from: null; to: Value }[] = [];
  for (const [field, to] of Object.entries(sentValues(planned)))
    if (to === null || typeof to !== 'object') made.push({ field, from: null, to });
  return made;
}

function issueDocument(issue: Issue, language: Language, form: Form): IssueDocument {
  const { code, severity, field, address, found } = issue;
  return {
    ...{ code, severity, field, cell: address, found },
    ...{ expected: wayOut(issue, language, form), message: describeIssue(issue, language, form) },
  };
}
