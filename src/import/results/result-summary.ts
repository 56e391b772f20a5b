import { basename } from 'node:path';
import {
  isMadeName,
  SHOWN_WORDS,
  type ShownCounts,
  shownCounts,
  shownTotal,
  statusOf,
} from '../../core/counts.ts';
import { asTyped, type Bilingual, type Language, t } from '../../core/language.ts';
import { OWN_SHEETS, SUMMARY_TITLE } from '../../core/own-sheets.ts';
import { type SheetCounts, totalCounts } from '../../core/plan-report.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import { visibleText } from '../../core/visible-text.ts';
import type { ResultSummary } from '../../files/result-sheet.ts';
import { serviceText } from '../../run/service-text.ts';
import type { Plan } from '../plan/plan-import.ts';
import type { Problem, ProblemTally } from './problem-tally.ts';
import { type ResultWording, withMade } from './row-outcome.ts';

/** The words of a summary; a report shares most. */
export const RESULT_WORDS = {
  file: t('File', 'Bestand'),
  service: t('Service', 'Systeem'),
  run: t('Run', 'Run'),
  sheet: t('Sheet', 'Werkblad'),
  total: t('Total', 'Totaal'),
  next: t('What to do next', 'Wat je nu kunt doen'),
  problems: t('What needs attention', 'Wat aandacht vraagt'),
  oddities: t('Read in a way you may not expect', 'Gelezen op een manier die je misschien niet verwacht'),
  column: t('Column', 'Kolom'),
  times: t('Times', 'Aantal'),
  what: t('What', 'Wat'),
  cells: t('First cells', 'Eerste cellen'),
  records: t('First records', 'Eerste records'),
  when: t('When', 'Wanneer'),
  dryRun: t('Dry run: nothing was sent.', 'Proefrun: er is niets verstuurd.'),
  code: t('Code', 'Code'),
  inStatus: t('in the column #status', 'in kolom #status'),
} as const;

type SummaryCell = ReturnType<ResultSummary['rows']>[number][number];

/** First cells that a problem links to. */
const CELLS = 3;
/** Of the columns: sheet, column, times, first cells and records, words, code; narrow ones hold counts. */
const WIDTHS = [24, 13, 13, ...new Array<number>(CELLS).fill(13), 40, 90, 46];

/** Most lines of each list. */
const MOST_PROBLEMS = 200;

interface Summarised {
  readonly plan: Plan;
  readonly sheets: readonly SheetCounts[];
  readonly tally: ProblemTally;
  /** Wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly at: string;
  readonly wording: ResultWording;
}

/** The sheet that sums up an import: counts, when, where, and what needs attention, with links to cells. */
export function resultSummary(summarised: Summarised): ResultSummary {
  const { plan, wording } = summarised;
  const { language } = wording;
  const before = plan.recognised.find((entry) => entry.kind === 'skip' && entry.summary === true);
  return {
    name: OWN_SHEETS.summary[language],
    replaces: before?.sheet.name ?? null,
    widths: WIDTHS,
    rows: () => summaryRows(summarised, language),
  };
}

function summaryRows({ plan, sheets, tally, at, wording }: Summarised, language: Language): SummaryCell[][] {
  const label = (text: Bilingual): SummaryCell => ({ value: text[language], look: 'term' });
  const fact = (of: Bilingual, value: string): SummaryCell[] => [label(of), { value }];
  return [
    [{ value: SUMMARY_TITLE[language], look: 'title' }],
    [],
    ...(wording.dryRun ? [[label(RESULT_WORDS.dryRun)], []] : []),
    fact(RESULT_WORDS.file, visibleText(basename(plan.workbook.file))),
    fact(RESULT_WORDS.service, serviceText(plan.service)[language]),
    fact(RESULT_WORDS.run, plan.run),
    fact(RESULT_WORDS.when, shownMinute(at)[language]),
    [],
    ...countRows(sheets, wording),
    ...nextRows(nextTexts(plan, sheets, wording), language),
    ...problemRows(RESULT_WORDS.problems[language], tally.problems('error'), language),
    ...problemRows(RESULT_WORDS.oddities[language], tally.problems('warning'), language),
  ];
}

function countRows(
  sheets: readonly SheetCounts[],
  { language, dryRun, madeBy }: ResultWording,
): SummaryCell[][] {
  const each = withMade(sheets, { madeBy });
  const total = shownTotal(each);
  const shown = shownCounts(total);
  const words = shown.map((name) => SHOWN_WORDS[name][dryRun ? 'would' : 'done'][language]);
  const heads = [RESULT_WORDS.sheet[language], ...words].map(
    (value): SummaryCell => ({ value, look: 'head' }),
  );
  // What the rows say stays as it is defined, whatever the language.
  const statuses = shown.map((name) => (name === 'read' ? '' : statusOf(name, dryRun)));
  const said = [RESULT_WORDS.inStatus[language], ...statuses].map((value): SummaryCell => ({ value }));
  const line = (name: string, counts: ShownCounts): SummaryCell[] => [
    { value: name },
    ...shown.map((count): SummaryCell => ({ value: counts[count] })),
  ];
  const lines = each.map((one) => line(one.sheet, shownTotal([one])));
  const isOther = language === 'nl' || shown.some(isMadeName);
  return [
    heads,
    ...(isOther ? [said] : []),
    ...lines,
    ...(sheets.length > 1 ? [line(RESULT_WORDS.total[language], total)] : []),
  ];
}

function nextRows(steps: readonly NextText[], language: Language): SummaryCell[][] {
  if (steps.length === 0) return [];
  const said = steps.map(({ why, command }): SummaryCell[] => [
    { value: command === null ? why[language] : `${why[language]} ${command}` },
  ]);
  return [[], [{ value: RESULT_WORDS.next[language], look: 'term' }], ...said];
}

function problemRows(title: string, problems: readonly Problem[], language: Language): SummaryCell[][] {
  if (problems.length === 0) return [];
  const cells = Array.from({ length: CELLS }, (_, at) => (at === 0 ? RESULT_WORDS.cells : null));
  const heads = [
    RESULT_WORDS.sheet,
    RESULT_WORDS.column,
    RESULT_WORDS.times,
    ...cells,
    RESULT_WORDS.records,
    RESULT_WORDS.what,
    RESULT_WORDS.code,
  ];
  return [
    [],
    [{ value: title, look: 'term' }],
    heads.map((head) => ({ value: head?.[language] ?? '', look: 'head' })),
    ...problems.slice(0, MOST_PROBLEMS).map(problemRow),
  ];
}

function problemRow(problem: Problem): SummaryCell[] {
  const { sheet, column, name, count, text, addresses, records, severity } = problem;
  const cells = Array.from({ length: CELLS }, (_, at): SummaryCell => {
    const address = addresses[at];
    return address === undefined ? { value: '' } : { value: address, link: { sheet, address } };
  });
  return [
    { value: sheet, look: severity === 'error' ? 'bad' : 'warn' },
    { value: column },
    { value: count },
    ...cells,
    { value: visibleText(records.filter(Boolean).join('; ')), look: 'sentence' },
    { value: visibleText(text), look: 'sentence' },
    { value: name },
  ];
}

/** What a reader may do next with a run: why, and the command that does it where one is needed. */
interface NextText {
  readonly why: Bilingual;
  readonly command: string | null;
}

/**
 * What to do after a run, or after the plan of one, as its result and its report say it: correct what went
 * wrong, send what was planned, or take back what was sent. Who types no commands has buttons for the last two.
 */
export function nextTexts(
  plan: Plan,
  sheets: readonly SheetCounts[],
  { dryRun, form = asTyped }: Pick<ResultWording, 'dryRun' | 'form'>,
): NextText[] {
  const { created, updated, deleted, invalid, failed } = totalCounts(sheets);
  const taken = plan.recognised.flatMap((entry) => (entry.kind === 'import' ? [entry.mapping.resource] : []));
  const isImport = taken.every(({ command }) => command === undefined);
  const wrote = !dryRun && isImport && created + updated + deleted > 0;
  const correct =
    plan.planOnly === null && invalid + failed > 0
      ? [{ why: !isImport ? CORRECT_ONLY : failed > 0 ? CORRECT_FAILED : CORRECT, command: null }]
      : [];
  if (form !== asTyped) return correct;
  return [
    ...correct,
    ...(dryRun && plan.requests > 0 ? [{ why: SEND, command: `catersheet apply ${plan.run}` }] : []),
    ...(wrote ? [{ why: UNDO, command: `catersheet undo ${plan.run}` }] : []),
  ];
}

const CORRECT = t(
  'Correct the red cells of the result and import that file.',
  'Verbeter de rode cellen van het resultaat en importeer dat bestand.',
);
const CORRECT_FAILED = t(
  'Correct what is wrong in the red cells of the result and import that file, which tries what failed again.',
  'Verbeter wat fout is in de rode cellen van het resultaat en importeer dat bestand, dat opnieuw probeert wat mislukte.',
);
const CORRECT_ONLY = t(
  'Correct the red cells of the result and go on with that file.',
  'Verbeter de rode cellen van het resultaat en ga met dat bestand verder.',
);
/** Why to send a plan as it was shown. */
export const SEND = t('To send exactly this:', 'Om precies dit te versturen:');
/** Why to take a run back. */
export const UNDO = t('To take this run back:', 'Om deze run terug te draaien:');
