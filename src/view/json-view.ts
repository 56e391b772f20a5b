import { once } from 'node:events';
import { describeIssue, expectedText, type Issue } from '../schema/issue.ts';
import type { RowResult } from '../schema/plan.ts';
import { messageText, statusText } from '../schema/row-text.ts';
import type { Language } from '../schema/value.ts';
import type { ShownImport, View } from './view.ts';

export interface JsonOptions {
  readonly language: Language;
  readonly quiet: boolean;
  /** Every row, not only those that are not plainly fine. */
  readonly all: boolean;
}

/** One JSON document on stdout (design: `--json`); notes and errors still go to stderr. */
export function jsonView({ language, quiet, all }: JsonOptions): View {
  const err = (text: string): void => void process.stderr.write(`${text}\n`);
  return {
    note(text) {
      if (!quiet) err(text[language]);
    },
    progress() {},
    confirm: async () => false,
    async showImport(shown) {
      for await (const part of importDocument(shown, language, all)) await write(part);
    },
    stop(error) {
      err([error.message, error.next].filter((line) => line !== undefined).join('\n'));
    },
    close() {},
  };
}

/** Waits for a slow reader; one that went away ends the waiting. */
async function write(part: string): Promise<void> {
  if (process.stdout.write(part) || process.stdout.destroyed) return;
  await Promise.race([once(process.stdout, 'drain'), once(process.stdout, 'close')]).catch(() => {});
}

const FINE = new Set(['created', 'updated', 'unchanged', 'deleted', 'skipped', 'create', 'update', 'delete']);

/** The document in parts, so that a million rows never stand in memory. */
async function* importDocument(shown: ShownImport, language: Language, all: boolean): AsyncGenerator<string> {
  const { result, service } = shown;
  const { plan, dryRun, counts, sheets, requests, ms } = result;
  const head = {
    run: plan.run,
    file: plan.workbook.file,
    dryRun,
    service,
    counts,
    sheets,
    requests,
    result: result.result,
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "rows": [`;
  let first = true;
  for await (const row of shown.rows) {
    const shownRow = rowDocument(row, dryRun, language);
    if (!all && FINE.has(shownRow.status) && shownRow.issues === undefined && shownRow.message === undefined)
      continue;
    yield `${first ? '' : ','}\n    ${JSON.stringify(shownRow)}`;
    first = false;
  }
  yield `${first ? '' : '\n  '}],\n  "ms": ${ms}\n}\n`;
}

interface RowDocument {
  readonly sheet: string;
  readonly row: number;
  readonly status: string;
  readonly id?: number;
  readonly message?: string;
  readonly issues?: readonly object[];
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

function issueDocument(issue: Issue, language: Language): object {
  const { code, severity, field, address, found } = issue;
  const expected = expectedText(issue, language);
  return { code, severity, field, cell: address, found, expected, message: describeIssue(issue, language) };
}
