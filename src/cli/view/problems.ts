import {
  COUNT_WORDS,
  type Counts,
  countedAs,
  countsText,
  SHOWN_WORDS,
  type ShownCounts,
  shownCounts,
  shownTotal,
} from '../../core/counts.ts';
import { describeIssue, sentence, stopsRow } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { RowResult, Status } from '../../core/plan.ts';
import type { IssueGroup } from '../../core/plan-report.ts';
import { aboutText, messageText, nameText, needsWork, statusText } from '../../core/row-text.ts';
import { shownWidth } from '../../core/visible-text.ts';
import { allSheets } from '../../resources/registry.ts';
import { madeIn } from '../../schema/made.ts';
import { padded } from './lines.ts';

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
  const more = moreText(count - 1)[language];
  const list = others.join(', ');
  return `${text} (${more}${list === '' ? '' : `: ${list}${count > places.length ? ', …' : ''}`})`;
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
    if (!needsWork(status) || status === 'invalid' || hasCellConflict(row)) continue;
    const message = troubleText(row, language);
    if (message === '') continue;
    const word = COUNT_WORDS[countedAs(status as Status)].done[language];
    const about = aboutText(row.planned);
    const place = `${row.planned.sheet} ${row.planned.row}${about === '' ? '' : ` ${about}`}`;
    if (++count <= MOST_LINES) lines.push(`  ${place}: ${word}: ${message}`);
  }
  return counted(lines, count, language);
}

/** Conflicts are told field by field. */
const hasCellConflict = ({ planned }: RowResult): boolean =>
  planned.action === 'conflict' && stopsRow(planned.issues);

/** Issues on cells tell more than the service's sentence about all of them. */
function troubleText(row: RowResult, language: Language): string {
  const { outcome } = row;
  const cells = (outcome?.issues ?? []).map((issue) => describeIssue(issue, language)).join(' ');
  const said = outcome?.message?.[language] ?? '';
  if (cells === '') return messageText(row, language).split('\n')[0] ?? '';
  return outcome?.status === 'failed' || said === '' ? cells : `${sentence(said)} ${cells}`;
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

/** How counts are told: as what would be, in a language, in so many columns. */
interface CountsWording {
  readonly would: boolean;
  readonly language: Language;
  /** Null where any width will do. */
  readonly width: number | null;
}

/**
 * One line a sheet with the columns that count anything, and a total for several sheets. Where that is too
 * wide the counts of each sheet follow one another.
 */
export function countsTable(sheets: readonly Line[], { would, language, width }: CountsWording): string[] {
  const each = sheets.map(({ sheet, resource, counts }) => ({ sheet, counts, made: madeBy(resource) }));
  const total = shownTotal(each);
  const shown = shownCounts(total);
  const word = (name: keyof ShownCounts): string => SHOWN_WORDS[name][would ? 'would' : 'done'][language];
  const sums = { sheet: t('Total', 'Totaal')[language], counts: total };
  const own = each.map((one) => ({ sheet: one.sheet, counts: shownTotal([one]) }));
  const listed = own.length > 1 ? [...own, sums] : own;
  const line = ({ sheet, counts }: (typeof own)[number]): string[] => [
    sheet,
    ...shown.map((name) => String(counts[name])),
  ];
  const lines = [[t('Sheet', 'Werkblad')[language], ...shown.map(word)], ...listed.map(line)];
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((cells) => shownWidth(cells[column] ?? ''))),
  );
  const pad = (cell: string, column: number): string => padded(cell, widths?.[column] ?? 0, column > 0);
  const table = lines.map((cells) => `  ${cells.map(pad).join('  ')}`.trimEnd());
  if (width === null || table.every((one) => shownWidth(one) <= width)) return table;
  return listed.map(({ sheet, counts }) => `  ${sheet}: ${countsText(counts, would, language)}`);
}
