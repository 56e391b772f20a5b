import { addCounts, type Counts, noCounts, plannedAs } from './counts.ts';
import { causeOf, type Issue } from './issue.ts';
import type { Bilingual } from './language.ts';
import { isSending, type PlannedRow, type RowAbout } from './plan.ts';

/** Issues of one cause on one column of one sheet: how many, and where the first of them are. */
export interface IssueGroup {
  readonly sheet: string;
  /** The first of them. */
  readonly issue: Issue;
  count: number;
  /** How many of them are of rows that send something; absent for none. */
  sends?: number;
  /** Not the same stands in all of their cells. */
  varied?: true;
  /** The first cells, and what their rows are about; one without an address for an issue of no cell. */
  readonly places: IssuePlace[];
}

/** Where an issue is. */
interface IssuePlace {
  readonly address: string | null;
  readonly about?: RowAbout | undefined;
}

const SHOWN_PLACES = 5;
/** Most causes that are told apart; hints may all differ. */
const MOST_CAUSES = 2000;

/** The fields that rows of a sheet need and lack. */
export const lackedIn = (groups: readonly IssueGroup[], sheet: string): string[] => [
  ...new Set(
    groups.flatMap((group) =>
      group.sheet === sheet && LACKS.has(group.issue.code) ? (group.issue.field ?? []) : [],
    ),
  ),
];

const LACKS: ReadonlySet<string> = new Set(['column-missing', 'required-missing']);

/** Rows of a sheet that name no record and could be new. */
interface UnnamedRows {
  readonly sheet: string;
  readonly rows: number;
}

/** How many rows of each sheet name no record and could be new. */
export function unnamedIn(
  groups: readonly { readonly sheet: string; readonly code: string; readonly count: number }[],
): UnnamedRows[] {
  const rows = new Map<string, number>();
  for (const { sheet, code, count } of groups)
    if (code === 'key-not-given') rows.set(sheet, (rows.get(sheet) ?? 0) + count);
  return [...rows].map(([sheet, count]) => ({ sheet, rows: count }));
}

/** A note on how a sheet was read; `sheet` is null for one on the whole file. */
export interface PlanNote {
  readonly sheet: string | null;
  readonly text: Bilingual;
  /** It has to be decided, though it stands on no row. */
  readonly conflict?: boolean;
}

/** Rows with a warning: all of them, and those that send something. */
export interface WarnedRows {
  rows: number;
  sends: number;
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
  const warned: WarnedRows = { rows: 0, sends: 0 };
  let requests = 0;
  const countWarned = (row: PlannedRow, by: 1 | -1): void => {
    if (!row.issues.some(({ severity }) => severity === 'warning')) return;
    warned.rows += by;
    if (isSending(row.action)) warned.sends += by;
  };
  return {
    /** `requests` are those that the plan will send. */
    report: () => ({ sheets, groups: [...groups.values()], requests, warned }),
    /** Counts a row as it is now, in place of as it was. */
    revise({ was, now }: { readonly was: PlannedRow; readonly now: PlannedRow }): void {
      const counts = sheets.find(({ sheet }) => sheet === was.sheet)?.counts;
      if (counts === undefined) return;
      counts[plannedAs(was.action)]--;
      counts[plannedAs(now.action)]++;
      requests += now.steps.length - was.steps.length;
      countWarned(was, -1);
      countWarned(now, 1);
      for (const issue of now.issues.slice(was.issues.length)) addIssue(groups, now, issue);
    },
    addSheet(sheet: string, resource: string): (row: PlannedRow) => void {
      const counts = noCounts();
      sheets.push({ sheet, resource, counts });
      return (row) => {
        counts.read++;
        counts[plannedAs(row.action)]++;
        requests += row.steps.length;
        if (row.issues.length > 0) countWarned(row, 1);
        for (const issue of row.issues) addIssue(groups, row, issue);
      };
    },
  };
}

function addIssue(groups: Map<string, IssueGroup>, row: PlannedRow, issue: Issue): void {
  const cause = groups.size < MOST_CAUSES ? causeOf(issue) : '';
  // Neither a code nor a severity has a line end, nor has a sheet's name: no two groups have the same key.
  const key = `${issue.code}\n${issue.severity}\n${row.sheet}\n${issue.field ?? ''}\n${cause}`;
  const group = groups.get(key) ?? { sheet: row.sheet, issue, count: 0, places: [] };
  if (group.count++ === 0) groups.set(key, group);
  else if (issue.found !== group.issue.found) group.varied = true;
  if (isSending(row.action)) group.sends = (group.sends ?? 0) + 1;
  const { address } = issue;
  if (address === null ? group.places.length === 0 : group.places.length < SHOWN_PLACES)
    group.places.push({ address, about: row.about });
}

/** All sheets together. */
export function totalCounts(sheets: readonly SheetCounts[]): Counts {
  const total = noCounts();
  for (const { counts } of sheets) addCounts(total, counts);
  return total;
}
