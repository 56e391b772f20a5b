import { addCounts, type Counts, noCounts, plannedAs } from '../../core/counts.ts';
import type { Issue } from '../../core/issue.ts';
import type { Bilingual } from '../../core/language.ts';
import type { PlannedRow, RowAbout } from '../../core/plan.ts';
import type { RevisedRow } from '../../records/planning.ts';

/** Issues of one kind on one column of one sheet: how many, and the addresses of the first. */
export interface IssueGroup {
  readonly sheet: string;
  readonly issue: Issue;
  /** What the first of its rows is about. */
  readonly about?: RowAbout | undefined;
  count: number;
  readonly addresses: string[];
}

const SHOWN_ADDRESSES = 5;

/** The fields that rows of a sheet need and lack. */
export const lackedIn = (groups: readonly IssueGroup[], sheet: string): string[] =>
  groups.flatMap((group) =>
    group.sheet === sheet && LACKS.has(group.issue.code) ? (group.issue.field ?? []) : [],
  );

const LACKS: ReadonlySet<string> = new Set(['column-missing', 'required-missing']);

/** A note on how a sheet was read; `sheet` is null for one on the whole file. */
export interface PlanNote {
  readonly sheet: string | null;
  readonly text: Bilingual;
}

/** A sheet's share of a plan or run. */
export interface SheetCounts {
  /** The sheet by its name in the file. */
  readonly sheet: string;
  /** What it was read as, such as `packages`. */
  readonly resource: string;
  /** Its rows. */
  readonly counts: Counts;
}

/** Counts a plan's rows and groups their issues as they go by. */
export function createPlanReporter() {
  const sheets: SheetCounts[] = [];
  const groups = new Map<string, IssueGroup>();
  let requests = 0;
  return {
    /** `requests` are those that the plan will send. */
    report: () => ({ sheets, groups: [...groups.values()], requests }),
    /** Counts a row as it is now, in place of as it was. */
    revise({ was, now }: RevisedRow): void {
      const counts = sheets.find(({ sheet }) => sheet === was.sheet)?.counts;
      if (counts === undefined) return;
      counts[plannedAs(was.action)]--;
      counts[plannedAs(now.action)]++;
      requests += now.steps.length - was.steps.length;
      for (const issue of now.issues.slice(was.issues.length)) addIssue(groups, now, issue);
    },
    addSheet(sheet: string, resource: string): (row: PlannedRow) => void {
      const counts = noCounts();
      sheets.push({ sheet, resource, counts });
      return (row) => {
        counts.read++;
        counts[plannedAs(row.action)]++;
        requests += row.steps.length;
        for (const issue of row.issues) addIssue(groups, row, issue);
      };
    },
  };
}

function addIssue(groups: Map<string, IssueGroup>, row: PlannedRow, issue: Issue): void {
  // Neither a code nor a severity has a line end: no two groups have the same key.
  const key = `${issue.code}\n${issue.severity}\n${issue.field ?? ''}\n${row.sheet}`;
  const group = groups.get(key) ?? { sheet: row.sheet, issue, about: row.about, count: 0, addresses: [] };
  if (group.count++ === 0) groups.set(key, group);
  if (issue.address !== null && group.addresses.length < SHOWN_ADDRESSES) group.addresses.push(issue.address);
}

/** All sheets together. */
export function totalCounts(sheets: readonly SheetCounts[]): Counts {
  const total = noCounts();
  for (const { counts } of sheets) addCounts(total, counts);
  return total;
}
