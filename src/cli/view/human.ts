import type { ImportEnd } from '../../api/import-workbook.ts';
import { aboutText } from '../../core/codecs/moment.ts';
import { requestsText, wouldSendText } from '../../core/counts.ts';
import type { StopError } from '../../core/errors.ts';
import type { Bilingual, Language } from '../../core/language.ts';
import { type Line, showLines } from '../../core/standard-streams.ts';
import type { ImportResult } from '../../import/import.ts';
import type { Plan } from '../../import/plan/plan-import.ts';
import { headerLines } from './header-lines.ts';
import type { GivenFlags } from './next-command.ts';
import { importSteps, stepLines } from './next-steps.ts';
import { countsTable, issueLines, noteLines, proposalLines, sheetLines, troubleLines } from './problems.ts';
import {
  callsText,
  checkText,
  exportText,
  financeText,
  missingLists,
  templateText,
  undoText,
} from './summaries.ts';
import { askLine, NO_PROGRESS, progressOn } from './terminal.ts';
import type { View } from './view.ts';
import { say, stopLines, WORDS } from './words.ts';

/** How a run is shown to people. */
interface HumanOptions {
  readonly language: Language;
  readonly quiet: boolean;
  readonly color: boolean;
  /** The flags of the command, which a following one needs too. */
  readonly given: GivenFlags;
}

/** Shows a run to people: a bar while it works, then a summary that a cook can read. */
export function humanView({ language, quiet, color, given }: HumanOptions): View {
  const bar = quiet ? NO_PROGRESS : progressOn(language);
  const err = (...lines: readonly Line[]): void => {
    bar.clear();
    showLines('stderr', lines, color);
  };
  const out = (lines: readonly Line[]): void => {
    bar.clear();
    showLines('stdout', lines, color);
  };
  return {
    note(text) {
      if (!quiet) err(text[language]);
    },
    progress: (progress) => bar.show(progress),
    async confirm(plan, signal) {
      err(...planLines(plan, language), '');
      return await agreed(say(WORDS.confirm, language, { service: plan.service }), signal);
    },
    ask: (question, signal) => agreed(question[language], signal),
    async takeHeaders(proposed, signal) {
      err('', ...headerLines(proposed, language), '');
      return await agreed(WORDS.takeHeaders[language], signal);
    },
    askText: (question, signal) => askLine(question[language], signal),
    tell: (text) => err(text[language]),
    async showImport(shown) {
      out(await importLines(shown, language, given));
    },
    showExport(result) {
      if (result.file !== null) out(exportText(result, language, given));
      else if (!quiet) err(...exportText(result, language, given));
    },
    showFinance: (result) => out(financeText(result, language)),
    showUndo: (written) => out(undoText(written, language, given)),
    showTemplate(written) {
      const missing = missingLists(written, language);
      if (missing !== null && !quiet) err(missing);
      out(templateText(written, language, given));
    },
    showCalls: (result) => out(callsText(result, language)),
    showCheck: (end) => out(checkText(end, language)),
    stop(error, logFile) {
      err(...stoppedLines(error, logFile, language));
    },
    close: () => bar.clear(),
  };
}

async function agreed(question: string, signal?: AbortSignal): Promise<boolean> {
  const answer = await askLine(question, signal);
  return /^(y|yes|j|ja)$/i.test(answer.trim());
}

function section(title: string, lines: readonly string[]): Line[] {
  return lines.length === 0 ? [] : ['', ['bold', title], ...lines];
}

function planLines(plan: Plan, language: Language): Line[] {
  return [
    '',
    ...countsTable(plan.sheets, plan.counts, true, language),
    ...section(WORDS.problems[language], issueLines(plan.groups, 'error', language)),
    ...section(WORDS.oddities[language], issueLines(plan.groups, 'warning', language)),
    ...section(WORDS.layout[language], noteLines(plan, language)),
    '',
    wouldSend(plan, language),
  ];
}

function wouldSend({ requests, estimateMs }: Plan, language: Language): string {
  const count = wouldSendText(requests)[language];
  if (estimateMs === null) return `${count}.`;
  return `${count}${say(WORDS.takes, language, { time: aboutText(estimateMs)[language] })}.`;
}

async function importLines(shown: ImportEnd, language: Language, given: GivenFlags): Promise<Line[]> {
  const { result } = shown;
  const sheets = sheetLines(result, language);
  const problems = [
    ...sheets.problems,
    ...issueLines(result.plan.groups, 'error', language),
    ...(await troubleLines(shown.rows, result.dryRun, language)),
  ];
  const place = (of: Bilingual, path: string | null): Line[] =>
    path === null ? [] : [['bold', path, `${of[language]}: `]];
  const lines: Line[] = [
    '',
    ['bold', `${result.plan.workbook.file} → ${shown.service}`],
    ...countsTable(result.sheets, result.counts, result.dryRun, language),
    ...section(WORDS.problems[language], problems),
    ...section(WORDS.oddities[language], issueLines(result.plan.groups, 'warning', language)),
    ...section(WORDS.layout[language], noteLines(result.plan, language)),
    ...result.notes.flatMap((note) => ['', note[language]]),
    ...listed(WORDS.skippedSheets[language], sheets.skipped.join(', ')),
    ...listed(WORDS.unknownColumns[language], sheets.unused.join('; ')),
    ...proposalLines(result.plan, language),
    '',
    ...place(WORDS.result, result.result),
    ...place(WORDS.report, result.report),
    `${endText(result, language)} · ${result.plan.run}`,
  ];
  if (result.dryRun && result.plan.requests > 0) lines.push(wouldSend(result.plan, language));
  if (problems.length > 0) lines.push(`${say(WORDS.log, language)}: ${shown.logFile}`);
  return [...lines, ...stepLines(importSteps(result, given), language)];
}

const listed = (title: string, text: string): string[] => (text === '' ? [] : ['', `${title}: ${text}`]);

function endText(result: ImportResult, language: Language): string {
  const requests = requestsText(result.requests)[language];
  const seconds = `${(result.ms / 1000).toFixed(1)} s`;
  const sent = result.dryRun
    ? `${WORDS.dryRun[language]} `
    : result.declined
      ? `${WORDS.declined[language]} `
      : '';
  return `${sent}${requests}, ${seconds}`;
}

function stoppedLines(error: StopError, logFile: string | null, language: Language): Line[] {
  const [message = '', ...next] = stopLines(error, language);
  const log = logFile === null ? [] : [`${say(WORDS.log, language)}: ${logFile}`];
  return [['red', message], ...next, ...log];
}
