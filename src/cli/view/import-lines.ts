import type { ImportEnd } from '../../api/import-workbook.ts';
import { aboutText } from '../../core/codecs/moment.ts';
import { tookText, willSendText, wouldSendText } from '../../core/counts.ts';
import { EXIT } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { OWN_SHEETS } from '../../core/own-sheets.ts';
import type { Line } from '../../core/standard-streams.ts';
import { proposalTexts } from '../../import/map/header-proposals.ts';
import type { Plan } from '../../import/plan/plan-import.ts';
import { notesOf, passedOver, unread } from '../../import/results/reading-notes.ts';
import { RESULT_WORDS } from '../../import/results/result-words.ts';
import { serviceText } from '../../run/service-text.ts';
import { DECLINED } from './lines.ts';
import type { GivenFlags } from './next-command.ts';
import { importSteps, stepLines } from './next-steps.ts';
import { countsTable, issueLines, troubleLines, undoneLines } from './problems.ts';

/** A plan, before it is asked whether to send it. */
export function planLines(plan: Plan, language: Language): Line[] {
  return [
    '',
    ...countsTable(plan.sheets, true, language),
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
  const trouble = declined ? [] : await troubleLines(rows, dryRun, language);
  const place = ({ [language]: of }: Bilingual, path: string | null): Line[] =>
    path === null ? [] : [['bold', path, `${of}: `]];
  const outcome: Line[] = [
    '',
    ['bold', `${plan.workbook.file} → ${serviceText(service)[language]}`],
    ...countsTable(result.sheets, would, language),
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
  const time = aboutText(estimateMs);
  return t(`${en}, which takes ${time.en}.`, `${nl}, dat duurt ${time.nl}.`);
}
