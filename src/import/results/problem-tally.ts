import { addressColumn, columnLetters } from '../../core/cell.ts';
import { COUNT_WORDS, countedAs } from '../../core/counts.ts';
import { describeIssue, type Issue } from '../../core/issue.ts';
import type { RowResult, Status } from '../../core/plan.ts';
import { statusText } from '../../core/row-text.ts';
import type { ResultWording } from './row-outcome.ts';

/** One problem of one sheet: in how many rows, and in which cells first. */
export interface Problem {
  readonly sheet: string;
  /** The column's letters; empty for a problem of the whole row. */
  readonly column: string;
  /** The issue's stable code, or the row's status. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The words of the first. */
  readonly text: string;
  count: number;
  readonly addresses: string[];
}

const SHOWN_ADDRESSES = 3;

/** Most problems kept apart; the service's texts may all differ. */
const MOST_PROBLEMS = 2000;

const NEEDS_WORDS: ReadonlySet<string> = new Set<Status>(['conflict', 'failed', 'unknown', 'not sent']);

/** Groups the problems of a result's rows as they go by. */
export class ProblemTally {
  private readonly groups = new Map<string, Problem>();
  private readonly wording: ResultWording;

  constructor(wording: ResultWording) {
    this.wording = wording;
  }

  /** The problems, errors first. */
  get problems(): readonly Problem[] {
    const all = [...this.groups.values()];
    const of = (severity: Issue['severity']) => all.filter((problem) => problem.severity === severity);
    return [...of('error'), ...of('warning')];
  }

  /** Forgets a sheet whose rows are about to go by again. */
  begin(sheet: string): void {
    for (const [key, group] of this.groups) if (group.sheet === sheet) this.groups.delete(key);
  }

  add(result: RowResult): void {
    const { planned, outcome } = result;
    const { language, dryRun } = this.wording;
    const issues = [...planned.issues, ...(outcome?.issues ?? [])];
    for (const issue of issues) this.addIssue(planned.sheet, planned.row, issue);
    const status = statusText(result, dryRun);
    if (!NEEDS_WORDS.has(status)) return;
    const message = (outcome?.message ?? planned.message)?.[language];
    if (message === undefined && issues.length > 0) return;
    const word = COUNT_WORDS[countedAs(status as Status)].done[language];
    const text = message === undefined ? word : `${word}: ${message}`;
    const problem = { sheet: planned.sheet, column: '', code: status, severity: 'error', text } as const;
    this.count(problem, `A${planned.row}`, text);
  }

  private addIssue(sheet: string, row: number, issue: Issue): void {
    const { code, severity, address, field } = issue;
    const column = address === null ? '' : columnLetters(addressColumn(address));
    const text = describeIssue({ ...issue, address: null }, this.wording.language);
    this.count({ sheet, column, code, severity, text }, address ?? `A${row}`, `${field ?? ''}`);
  }

  private count(problem: Omit<Problem, 'count' | 'addresses'>, address: string, which: string): void {
    const key = JSON.stringify([problem.sheet, problem.code, problem.severity, problem.column, which]);
    let group = this.groups.get(key);
    if (group === undefined) {
      if (this.groups.size >= MOST_PROBLEMS) return;
      group = { ...problem, count: 0, addresses: [] };
      this.groups.set(key, group);
    }
    group.count++;
    if (group.addresses.length < SHOWN_ADDRESSES) group.addresses.push(address);
  }
}
