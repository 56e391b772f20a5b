import { addressColumn, columnLetters } from '../../core/cell.ts';
import { COUNT_WORDS } from '../../core/counts.ts';
import { causeOf, describeIssue, type Issue, issueName } from '../../core/issue.ts';
import { asTyped } from '../../core/language.ts';
import type { PlannedRow, RowResult } from '../../core/plan.ts';
import { aboutText, needsWork, statusText } from '../../core/row-text.ts';
import { countOf } from '../apply/apply-plan.ts';
import type { ResultWording } from './row-outcome.ts';

/** One problem of one sheet: in how many rows, and in which cells first. */
export interface Problem {
  readonly sheet: string;
  /** The column's letters; empty for a problem of the whole row. */
  readonly column: string;
  /** The issue's stable code, or the row's status. */
  readonly code: string;
  /** The code as people read it. */
  readonly name: string;
  readonly severity: Issue['severity'];
  /** The words of the first. */
  readonly text: string;
  count: number;
  readonly addresses: string[];
  /** What the rows of these addresses are about; empty for one of which nothing is known. */
  readonly records: string[];
}

type Kind = Omit<Problem, 'count' | 'addresses' | 'records'>;

const SHOWN_ADDRESSES = 3;

/** Most problems kept apart; the service's texts may all differ. */
const MOST_PROBLEMS = 2000;

/** Groups the problems of a result's rows as they go by. */
export type ProblemTally = ReturnType<typeof createProblemTally>;

/** A tally of no rows yet. */
export function createProblemTally({ language, form = asTyped, dryRun }: ResultWording) {
  const groups = new Map<string, Problem>();
  const count = (key: readonly string[], { about }: PlannedRow, address: string, kind: () => Kind): void => {
    const joined = key.join('\0');
    const known = groups.get(joined);
    if (known === undefined && groups.size >= MOST_PROBLEMS) return;
    const group = known ?? { ...kind(), count: 0, addresses: [], records: [] };
    if (known === undefined) groups.set(joined, group);
    group.count++;
    if (group.addresses.length >= SHOWN_ADDRESSES) return;
    group.addresses.push(address);
    group.records.push(aboutText({ about }));
  };
  const addIssue = (planned: PlannedRow, issue: Issue): void => {
    const { sheet, row } = planned;
    const { code, severity, address, field } = issue;
    const column = address === null ? '' : columnLetters(addressColumn(address));
    const key = [sheet, code, severity, column, field ?? '', causeOf(issue)];
    // Only the first is worded: all rows may have one.
    count(key, planned, address ?? `A${row}`, () => {
      const text = describeIssue({ ...issue, address: null }, language, form);
      return { sheet, column, code, name: issueName(code, language), severity, text };
    });
  };
  return {
    problems: (severity: Issue['severity']): readonly Problem[] =>
      [...groups.values()].filter((problem) => problem.severity === severity),
    /** Forgets a sheet whose rows are about to go by again. */
    begin(sheet: string): void {
      for (const [key, group] of groups) if (group.sheet === sheet) groups.delete(key);
    },
    add(result: RowResult): void {
      const { planned, outcome } = result;
      const issues = [...planned.issues, ...(outcome?.issues ?? [])];
      for (const issue of issues) addIssue(planned, issue);
      const status = statusText(result, dryRun);
      // What is wrong with an invalid row is in its issues.
      if (!needsWork(status) || status === 'invalid') return;
      const said = outcome?.message ?? planned.message;
      const own = said == null ? '' : form(said)[language];
      const message = own === '' ? undefined : own;
      if (message === undefined && issues.length > 0) return;
      const word = COUNT_WORDS[countOf(result, dryRun)].done[language];
      const text = message === undefined ? word : `${word}: ${message}`;
      const name = language === 'en' || word === status ? status : `${word} (${status})`;
      const { sheet, row } = planned;
      count([sheet, status, 'error', '', text], planned, `A${row}`, () => ({
        ...{ sheet, column: '', code: status, name, severity: 'error', text },
      }));
    },
  };
}
