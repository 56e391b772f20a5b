import type { ImportEnd } from '../../api/import-workbook.ts';
import { aboutText } from '../../core/codecs/moment.ts';
import { tookText, willSendText, wouldSendText } from '../../core/counts.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { OWN_SHEETS } from '../../core/own-sheets.ts';
import type { Line } from '../../core/standard-streams.ts';
import type { ImportResult } from '../../import/import.ts';
import { proposalTexts } from '../../import/map/proposed-map.ts';
import type { Plan } from '../../import/plan/plan-import.ts';
import { notesOf, passedOver, unread } from '../../import/results/reading-notes.ts';
import { serviceText } from '../../run/service-text.ts';
import { DECLINED } from './lines.ts';
import type { GivenFlags } from './next-command.ts';
import { importSteps, stepLines } from './next-steps.ts';
import { countsTable, issueLines, troubleLines, undoneLines } from './problems.ts';

/** How the lines on a run are written. */
interface ImportWording {
  readonly language: Language;
  /** Columns to fit tables to; null where any width will do. */
  readonly width: number | null;
}

/** A plan, before it is asked whether to send it. */
export function planLines(plan: Plan, { language, width }: ImportWording): Line[] {
  return [
    '',
    ...countsTable(plan.sheets, { would: true, language, width }),
    ...readingLines(plan, [], language),
    '',
    sendText(plan, willSendText(plan.requests), language),
  ];
}

/** What a run came to; where its plan was `told` before, only what is new. */
export async function importLines(
  shown: ImportEnd,
  { language, width }: ImportWording,
  given: GivenFlags,
  told: boolean,
): Promise<Line[]> {
  const { result } = shown;
  const { plan, dryRun, declined } = result;
  const would = dryRun || declined;
  const trouble = declined ? [] : await troubleLines(shown.rows, dryRun, language);
  const place = (of: Bilingual, path: string | null): Line[] =>
    path === null ? [] : [['bold', path, `${of[language]}: `]];
  const table = countsTable(result.sheets, { would, language, width });
  const head: Line[] = [
    '',
    ['bold', `${plan.workbook.file} → ${serviceText(shown.service)[language]}`],
    ...table,
  ];
  const body = told
    ? [
        ...section(t('What needs attention', 'Wat aandacht vraagt')[language], trouble),
        ...oddityLines(plan, language),
        ...leftLines(plan, language),
      ]
    : readingLines(plan, trouble, language, result.notes);
  const problems = declined ? 0 : trouble.length + (told ? 0 : problemLines(plan, language).length);
  return [
    ...(told && declined ? [] : [...head, ...body]),
    ...(told ? noted(result.notes, language) : []),
    '',
    ...place(t('Result', 'Resultaat'), result.result),
    ...place(t('Report', 'Verslag'), result.report),
    `${endText(result, language)} · ${plan.run}`,
    ...(dryRun && plan.requests > 0 ? [sendText(plan, wouldSendText(plan.requests), language)] : []),
    ...(problems > 0 ? [`${t('Log', 'Logboek')[language]}: ${shown.logFile}`] : []),
    ...stepLines(importSteps(shown, given), language),
  ];
}

/** All that is to be told about how a file was read and planned, with the rows that came to grief. */
function readingLines(
  plan: Plan,
  trouble: readonly string[],
  language: Language,
  notes: readonly Bilingual[] = [],
): Line[] {
  return [
    ...section(t('What needs attention', 'Wat aandacht vraagt')[language], [
      ...problemLines(plan, language),
      ...trouble,
    ]),
    ...oddityLines(plan, language),
    ...leftLines(plan, language),
    ...section(
      t('How the file was read', 'Hoe het bestand gelezen is')[language],
      layoutLines(plan, language),
    ),
    ...noted(notes, language),
    ...(plan.proposed === undefined
      ? []
      : ['', ...proposalTexts(plan.proposed).map((text) => text[language])]),
  ];
}

const problemLines = (plan: Plan, language: Language): string[] => [
  ...unread(plan, { language }).map((text) => `  ${text}`),
  ...issueLines(plan.groups, 'error', language),
];

/** How the file and its sheets were read, and what of them is not used. */
const layoutLines = (plan: Plan, language: Language): string[] =>
  [
    ...passedOver(plan, { language }),
    ...notesOf(plan, null, { language }),
    ...plan.sheets.flatMap(({ sheet }) =>
      notesOf(plan, sheet, { language }).map((note) => `${sheet}: ${note}`),
    ),
  ].map((line) => `  ${line}`);

/** What an undo leaves of its run. */
const leftLines = ({ left }: Plan, language: Language): Line[] =>
  left === undefined
    ? []
    : section(OWN_SHEETS.undone[language], undoneLines(left.rows, left.count, language));

/** How many rows have warnings, and of which kinds. */
function oddityLines({ groups, warned }: Plan, language: Language): Line[] {
  const rows = warned?.rows ?? 0;
  const count =
    rows === 0 ? t('', '') : rows === 1 ? t(': 1 row', ': 1 rij') : t(`: ${rows} rows`, `: ${rows} rijen`);
  const title = t(
    `Read in a way you may not expect${count.en}`,
    `Gelezen op een manier die je misschien niet verwacht${count.nl}`,
  );
  return section(title[language], issueLines(groups, 'warning', language));
}

const section = (title: string, lines: readonly string[]): Line[] =>
  lines.length === 0 ? [] : ['', ['bold', title], ...lines];

const noted = (notes: readonly Bilingual[], language: Language): Line[] =>
  notes.flatMap((note) => ['', note[language]]);

function sendText({ estimateMs }: Plan, count: Bilingual, language: Language): string {
  if (estimateMs === null) return `${count[language]}.`;
  return `${count[language]}${t(`, which takes ${aboutText(estimateMs)[language]}`, `, dat duurt ${aboutText(estimateMs)[language]}`)[language]}.`;
}

function endText({ requests, ms, dryRun, declined }: ImportResult, language: Language): string {
  const sent = dryRun
    ? `${t('Dry run: nothing was sent.', 'Proefrun: er is niets verstuurd.')[language]} `
    : declined
      ? `${DECLINED[language]} `
      : '';
  return `${sent}${tookText(requests, ms, language)}`;
}
