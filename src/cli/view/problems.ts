import { type Counts, SHOWN_WORDS, type ShownCounts, shownCounts, shownTotal } from '../../core/counts.ts';
import { describeIssue, stopsRow } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { RowResult } from '../../core/plan.ts';
import type { IssueGroup } from '../../core/plan-report.ts';
import { aboutText, messageText, nameText, needsWork, statusText } from '../../core/row-text.ts';
import { shownWidth } from '../../core/visible-text.ts';
import { RESULT_WORDS } from '../../import/results/result-words.ts';
import { allSheets } from '../../resources/registry.ts';
import { madeIn } from '../../schema/made.ts';
import { padded } from './lines.ts';
import { rowText } from './row-line.ts';

const MOST_LINES = 12;

/** Issues of one severity, one line a kind: the first cell, what is wrong, how many more there are. */
export function issueLines(
  groups: readonly IssueGroup[],
  severity: 'error' | 'warning',
  language: Language,
): string[] {
  const chosen = groups.filter((group) => group.issue.severity === severity);
  const lines = chosen.slice(0, MOST_LINES).map((group) => groupLine(group, language));
  return counted(lines, chosen.length, language);
}

/** The first lines of so many, and how many more there are. */
function counted(lines: readonly string[], count: number, language: Language): string[] {
  const more = count - lines.length;
  return more > 0 ? [...lines, `  ${moreText(more)[language]}`] : [...lines];
}

const moreText = (n: number): Bilingual => t(`and ${n} more`, `en nog ${n}`);

function groupLine({ sheet, issue, count, places }: IssueGroup, language: Language): string {
  const said = describeIssue(issue, language);
  // Several rows that lack a whole column are about no record in particular.
  const subject = count > 1 && issue.address === null ? '' : aboutText({ about: places[0]?.about });
  const text = subject === '' ? `  ${sheet} ${said}` : `  ${sheet} ${subject}: ${said}`;
  if (count === 1) return text;
  const others = places.slice(1).map(({ address, about }) => `${address} ${nameText({ about })}`.trimEnd());
  if (count > places.length) others.push('…');
  return `${text} (${[moreText(count - 1)[language], others.join(', ')].filter(Boolean).join(': ')})`;
}

/** The first rows that went wrong for another reason than an issue on a cell. */
export async function troubleLines(
  rows: AsyncIterable<RowResult>,
  dryRun: boolean,
  language: Language,
): Promise<string[]> {
  const lines: string[] = [];
  let count = 0;
  for await (const row of rows) {
    const status = statusText(row, dryRun);
    const isOnCells = status === 'invalid' || (status === 'conflict' && stopsRow(row.planned.issues));
    if (!needsWork(status) || isOnCells || messageText(row, language) === '') continue;
    if (++count <= MOST_LINES) lines.push(rowText(row, dryRun, language, true));
  }
  return counted(lines, count, language);
}

/** The first rows that can't be taken back, one line each, and how many more there are. */
export function undoneLines(
  rows: readonly { readonly sheet: string; readonly row: number | string; readonly why: string }[],
  count: number,
  language: Language,
): string[] {
  const lines = rows.slice(0, MOST_LINES).map(({ sheet, row, why }) => `  ${sheet} ${row}: ${why}`);
  return counted(lines, count, language);
}

interface Line {
  readonly sheet: string;
  readonly resource: string;
  readonly counts: Counts;
}

const madeBy = madeIn(allSheets);

/** One line a sheet with the columns that count anything, and a total for several sheets. */
export function countsTable(sheets: readonly Line[], would: boolean, language: Language): string[] {
  const each = sheets.map(({ sheet, resource, counts }) => ({ sheet, counts, made: madeBy(resource) }));
  const total = shownTotal(each);
  const shown = shownCounts(total);
  const line = (sheet: string, counts: ShownCounts): string[] => [
    sheet,
    ...shown.map((name) => String(counts[name])),
  ];
  const lines = [
    [
      RESULT_WORDS.sheet[language],
      ...shown.map((name) => SHOWN_WORDS[name][would ? 'would' : 'done'][language]),
    ],
    ...each.map((one) => line(one.sheet, shownTotal([one]))),
    ...(each.length > 1 ? [line(RESULT_WORDS.total[language], total)] : []),
  ];
  const widths = shown.map((_, at) => Math.max(...lines.map((cells) => shownWidth(cells[at + 1] ?? ''))));
  const first = Math.max(...lines.map(([sheet = '']) => shownWidth(sheet)));
  return lines.map(([sheet = '', ...cells]) =>
    [`  ${padded(sheet, first)}`, ...cells.map((cell, at) => padded(cell, widths[at] ?? 0, true))].join('  '),
  );
}
