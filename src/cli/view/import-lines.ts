import type { ImportEnd } from '../../api/import-workbook.ts';
import {
  SHOWN_WORDS,
  type ShownCounts,
  shownCounts,
  shownName,
  shownTotal,
  tookText,
  willSendText,
  wouldSendText,
} from '../../core/counts.ts';
import { EXIT } from '../../core/errors.ts';
import { describeIssue, stopsRow } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { OWN_SHEETS } from '../../core/own-sheets.ts';
import type { RowResult } from '../../core/plan.ts';
import type { IssueGroup, SheetCounts } from '../../core/plan-report.ts';
import {
  aboutText,
  messageText,
  nameText,
  needsWork,
  shownChanges,
  statusText,
} from '../../core/row-text.ts';
import { aboutText as durationText } from '../../core/shown-moment.ts';
import type { Line } from '../../core/standard-streams.ts';
import { shownWidth } from '../../core/visible-text.ts';
import { countOf } from '../../import/apply/apply-plan.ts';
import { proposalTexts } from '../../import/map/header-proposals.ts';
import { comesToTexts } from '../../import/plan/comes-to.ts';
import type { Plan } from '../../import/plan/plan-import.ts';
import { notesOf, passedOver, unread } from '../../import/results/reading-notes.ts';
import { RESULT_WORDS } from '../../import/results/result-summary.ts';
import { allSheets } from '../../resources/registry.ts';
import { serviceText } from '../../run/service-text.ts';
import { madeIn, moneyIn } from '../../schema/resource.ts';
import { DECLINED, padded } from './lines.ts';
import { type GivenFlags, importSteps, stepLines } from './next-steps.ts';

/** A plan, before it is asked whether to send it. */
export function planLines(plan: Plan, language: Language): Line[] {
  return [
    '',
    ...countsTable(plan.sheets, true, language),
    ...comesToLines(plan, language),
    ...readingLines(plan, [], language),
    '',
    sendText(plan, willSendText(plan.requests))[language],
  ];
}

/** What a run came to; where its plan was `told` before, only what is new. */
export async function importLines(
  { result, rows, service, logFile, exit, ...end }: ImportEnd,
  language: Language,
  given: GivenFlags,
  told: boolean,
): Promise<Line[]> {
  const { plan, dryRun, declined, notes } = result;
  const would = dryRun || declined;
  const trouble = told && declined ? [] : await troubleLines(rows, would, language);
  const place = ({ [language]: of }: Bilingual, path: string | null): Line[] =>
    path === null ? [] : [['bold', path, `${of}: `]];
  const outcome: Line[] = [
    '',
    ['bold', `${plan.workbook.file} → ${serviceText(service)[language]}`],
    ...countsTable(declined ? plan.sheets : result.sheets, would, language),
    ...(would ? comesToLines(plan, language) : []),
    ...readingLines(plan, trouble, language, told, notes),
  ];
  const time = tookText(result.requests, result.ms, language);
  const sent = dryRun ? t('Dry run: nothing was sent.', 'Proefrun: er is niets verstuurd.') : DECLINED;
  return [
    ...(told && declined ? noted(notes, language) : outcome),
    '',
    ...place(t('Result', 'Resultaat'), result.result),
    ...place(t('Report', 'Verslag'), result.report),
    `${would ? `${sent[language]} ` : ''}${time} · ${plan.run}`,
    ...(dryRun && plan.requests > 0 ? [sendText(plan, wouldSendText(plan.requests))[language]] : []),
    ...(exit === EXIT.ok ? [] : [`${t('Log', 'Logboek')[language]}: ${logFile}`]),
    ...stepLines(importSteps({ result, ...end }, given), language),
  ];
}

/** What each sheet comes to in money with its largest change: three lines at most. */
export function comesToLines({ comesTo = [] }: Pick<Plan, 'comesTo'>, language: Language): Line[] {
  const lines = comesTo.map((one) => {
    const { text, largest } = comesToTexts(one, language);
    return `  ${[text, ...largest.slice(0, 1)].join(` ${t('Largest', 'Grootste')[language]}: `)}`;
  });
  const all = counted(lines.slice(0, lines.length > 3 ? 2 : 3), lines.length, language);
  return all.length === 0 ? [] : ['', ...all];
}

/**
 * What is to be told about how a file was read and planned, with the rows that came to grief; where its plan was
 * `told`, no more than warnings and what is new.
 */
function readingLines(
  plan: Plan,
  trouble: readonly string[],
  language: Language,
  told = false,
  notes: readonly Bilingual[] = [],
): Line[] {
  const { groups, left, sheets, proposed } = plan;
  const section = ({ [language]: title }: Bilingual, lines: readonly string[]): Line[] =>
    lines.length === 0 ? [] : ['', ['bold', title], ...lines];
  const problems = told
    ? []
    : [...unread(plan, { language }).map((text) => `  ${text}`), ...issueLines(groups, 'error', language)];
  const layout = told
    ? []
    : [
        ...passedOver(plan, { language }),
        ...notesOf(plan, null, { language }),
        ...sheets.flatMap(({ sheet }) =>
          notesOf(plan, sheet, { language }).map((note) => `${sheet}: ${note}`),
        ),
      ].map((line) => `  ${line}`);
  return [
    ...section(RESULT_WORDS.problems, [...problems, ...trouble]),
    ...section(RESULT_WORDS.oddities, issueLines(groups, 'warning', language)),
    ...(left === undefined ? [] : section(OWN_SHEETS.undone, undoneLines(left.rows, left.count, language))),
    ...section(t('How the file was read', 'Hoe het bestand gelezen is'), layout),
    ...noted(notes, language),
    ...(told || proposed === undefined ? [] : ['', ...proposalTexts(proposed).map((text) => text[language])]),
  ];
}

const noted = (notes: readonly Bilingual[], language: Language): Line[] =>
  notes.flatMap((note) => ['', note[language]]);

function sendText({ estimateMs }: Plan, { en, nl }: Bilingual): Bilingual {
  if (estimateMs === null) return t(`${en}.`, `${nl}.`);
  const time = durationText(estimateMs);
  return t(`${en}, which takes ${time.en}.`, `${nl}, dat duurt ${time.nl}.`);
}

const MOST_LINES = 12;

/** Issues of one severity, one line a kind: the first cell, what is wrong, how many more there are. */
function issueLines(
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

const madeBy = madeIn(allSheets);

/** One line a sheet with the columns that count anything, and a total for several sheets. */
export function countsTable(sheets: readonly SheetCounts[], would: boolean, language: Language): string[] {
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

/** Whether a resource's field is an amount of money. */
export const isMoney = moneyIn(allSheets);

/** One row of a run: its place, status and message, and what it changes; `brief`: without that. */
export function rowText(row: RowResult, dryRun: boolean, language: Language, brief = false): string {
  const { planned, outcome } = row;
  const id = outcome?.id ?? planned.id;
  const name = shownName(countOf(row, dryRun), madeBy(planned.resource));
  const status = SHOWN_WORDS[name][dryRun ? 'would' : 'done'][language];
  const isNamed = id === null || Object.values(planned.about?.key ?? {}).includes(id);
  const about = aboutText(planned);
  const place = `${planned.sheet} ${planned.row}${about === '' ? '' : ` ${about}`}`;
  const head = `  ${place}: ${status}${isNamed ? '' : ` (${id})`}`;
  const message = messageText(row, language);
  // What a count changes its message tells.
  const changes =
    brief || planned.action === 'create'
      ? []
      : shownChanges(planned, { language, locale: language, isMoney });
  const said = [
    ...(message === '' ? [] : message.split('\n')),
    ...changes.map(({ field, from, to }) => `${field}: ${from} → ${to}`),
  ];
  return said.length === 0 ? head : `${head}: ${said.join('; ').replaceAll('.; ', '. ')}`;
}
