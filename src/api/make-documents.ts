import type { CallsResult } from '../calls/calls.ts';
import type { ServiceCheck } from '../check/check-service.ts';
import { describeIssue, type Issue, wayOut } from '../core/issue.ts';
import { asTyped, type Form, type Language } from '../core/language.ts';
import type { FieldChange, PlannedRow, RowResult } from '../core/plan.ts';
import { isMade, issuesOf, messageText, needsWork, sentValues, statusText } from '../core/row-text.ts';
import type { Value } from '../core/value.ts';
import { exitCodeOf, type ImportResult } from '../import/import.ts';
import type { Plan } from '../import/plan/plan-import.ts';
import { notesOf, passedOver, unread } from '../import/results/reading-notes.ts';
import type { WrittenTemplate } from '../template/write-template-file.ts';
import type {
  CallsDocument,
  ChangeDocument,
  CheckDocument,
  ConflictDocument,
  ImportDocument,
  IssueDocument,
  RowDocument,
  TemplateDocument,
} from './documents.ts';

/** An import's result without its rows, as one plain document. */
export function importHead(whole: ImportResult, language: Language): Omit<ImportDocument, 'rows' | 'ms'> {
  const { plan, resultError, report, reportError, ...result } = whole;
  const notes = [
    ...unread(plan, { language }),
    ...passedOver(plan, { language }),
    ...notesOf(plan, null, { language }),
    ...result.notes.map((note) => note[language]),
  ];
  const { created, updated, deleted } = result.counts;
  return {
    run: plan.run,
    fingerprint: whole.fingerprint,
    file: plan.workbook.file,
    dryRun: result.dryRun,
    service: plan.service,
    exit: exitCodeOf(whole),
    counts: result.counts,
    ...(result.dryRun ? { planned: { create: created, update: updated, delete: deleted } } : {}),
    sheets: result.sheets.map((sheet) => {
      const own = notesOf(plan, sheet.sheet, { language });
      return own.length === 0 ? sheet : { ...sheet, notes: own };
    }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(plan.comesTo === undefined || plan.comesTo.length === 0 ? {} : { comesTo: plan.comesTo }),
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
  const { sheets: proposals, map } = proposed;
  return { proposals, ...(map === null ? {} : { map }) };
}

/** The rows that are not plainly fine, or all of them. */
export async function* rowDocuments(
  rows: AsyncIterable<RowResult>,
  options: { readonly dryRun: boolean; readonly language: Language; readonly all: boolean },
): AsyncGenerator<RowDocument> {
  const { all, dryRun, language } = options;
  // Most rows are plain: their documents are not made.
  for await (const row of rows)
    if (all || needsWork(statusText(row, dryRun)) || messageText(row, language) !== '')
      yield rowDocument(row, dryRun, language);
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
  const issues = issuesOf(row);
  return {
    sheet: planned.sheet,
    row: planned.row,
    status: statusText(row, dryRun),
    ...planned.about,
    ...(id === null ? {} : { id }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(planned.apart === undefined
      ? {}
      : { conflict: planned.apart.map((one) => conflictDocument(planned, one)) }),
    ...(message === '' ? {} : { message }),
    ...(issues.length === 0 ? {} : { issues: issues.map((issue) => issueDocument(issue, language, form)) }),
  };
}

function conflictDocument(
  { names = [] }: PlannedRow,
  apart: NonNullable<PlannedRow['apart']>[number],
): ConflictDocument {
  const ids = [apart.was, apart.now, apart.mine];
  const named = names.filter(([field, id]) => field === apart.field && ids.includes(id));
  const byId = Object.fromEntries(named.map(([, id, name]) => [id, name]));
  return { ...apart, ...(named.length === 0 ? {} : { names: byId }) };
}

/** What a row changes, or makes a record with. */
export function changeDocuments(planned: PlannedRow): ChangeDocument[] {
  const { changes, names = [] } = planned;
  const nameOf = (field: string, id: Value): string | undefined =>
    names.find(([of, named]) => of === field && named === id)?.[2];
  return (isMade(planned) ? madeChanges(planned) : changes).map(({ field, from, to, sent: _, ...more }) => {
    const [fromName, toName] = [nameOf(field, from), nameOf(field, to)];
    return { field, from, to, ...more, ...(fromName && { fromName }), ...(toName && { toName }) };
  });
}

/** The values of a new record; an id that its own record gets when it is created is no value yet. */
const madeChanges = (planned: PlannedRow): FieldChange[] =>
  Object.entries(sentValues(planned)).flatMap(([field, to]) =>
    to === null || typeof to !== 'object' ? { field, from: null, to } : [],
  );

function issueDocument(issue: Issue, language: Language, form: Form): IssueDocument {
  const { code, severity, field, address, found } = issue;
  return {
    ...{ code, severity, field, cell: address, found },
    ...{ expected: wayOut(issue, language, form), message: describeIssue(issue, language, form) },
  };
}

/** The outcome of calls as plain data. */
export function callsDocument(
  { service, calls, requests }: CallsResult,
  language: Language,
  form: Form = asTyped,
): CallsDocument {
  const said = calls.map(({ id, status, message }) => ({
    ...{ id, status },
    ...(message === null ? {} : { message: form(message)[language] }),
  }));
  return { service, calls: said, requests };
}

/** The outcome of a check, to be shown. */
export interface CheckEnd {
  readonly service: string;
  readonly ok: boolean;
  readonly checks: readonly ServiceCheck[];
}

/** A check as plain data. */
export function checkDocument(
  { service, ok, checks }: CheckEnd,
  language: Language,
  form: Form = asTyped,
): CheckDocument {
  const said = checks.map(({ what, needed, ok, found, advice }) => ({
    ...{ what: what.en, needed, ok, found: form(found)[language] },
    ...(advice === null ? {} : { advice: form(advice)[language] }),
  }));
  return { service, ok, checks: said };
}

/** A template as plain data. */
export function templateDocument(
  { file, sheets, lists, missing }: WrittenTemplate,
  language: Language,
  form: Form = asTyped,
): TemplateDocument {
  const left = missing.map(({ lookup, columns, reason }) => ({
    ...{ lookup: lookup.name, columns, reason: form(reason)[language] },
  }));
  return { file, sheets, lists, missing: left };
}
