import type { CheckEnd } from '../../api/make-documents.ts';
import type { ShownRun } from '../../api/runs.ts';
import type { CallsResult } from '../../calls/calls.ts';
import type { ServiceCheck } from '../../check/check-service.ts';
import { countsText, requestsText, tookText } from '../../core/counts.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { OWN_SHEETS } from '../../core/own-sheets.ts';
import { shownDay, shownMinute, shownPeriod } from '../../core/shown-moment.ts';
import type { Line } from '../../core/standard-streams.ts';
import { shownWidth } from '../../core/visible-text.ts';
import type { ExportResult } from '../../export/export-records.ts';
import type { WrittenUndo } from '../../export/write-undo.ts';
import { amountText } from '../../finance/amount-text.ts';
import type { FinanceResult } from '../../finance/export-finance.ts';
import type { RunRecord } from '../../ledger/ledger.ts';
import { serviceText } from '../../run/service-text.ts';
import type { WrittenTemplate } from '../../template/write-template-file.ts';
import { fileFlags, fileWord, type GivenFlags, serviceFlags } from './next-command.ts';
import { stepLines } from './next-steps.ts';
import { undoneLines } from './problems.ts';
import { padded, say, WORDS } from './words.ts';

/** What an undo workbook holds, what it can't take back, and what to do with it. */
export function undoText(written: WrittenUndo, language: Language, given: GivenFlags): Line[] {
  const { run, file, sheets, deletes } = written;
  const flag = deletes ? ' --allow-delete' : '';
  const command = `import ${fileWord(file)}${flag} --dry-run${serviceFlags(given)}`;
  return [
    `${say(WORDS.undo, language, { run })}: ${file}`,
    ...sheets.map(({ sheet, rows }) => `  ${sheet}: ${rows}`),
    ...leftLines(written, language),
    ...stepLines([{ why: WORDS.lookAtUndo, command }], language),
  ];
}

function leftLines({ cannot }: WrittenUndo, language: Language): string[] {
  if (cannot.length === 0) return [];
  const rows = cannot.map(({ why, ...place }) => ({ ...place, why: why[language] }));
  return ['', OWN_SHEETS.undone[language], ...undoneLines(rows, rows.length, language)];
}

/** What a template holds, and what to do with it. */
export function templateText(
  { file, sheets, lists, missing, lookUp: { rows, notes } }: WrittenTemplate,
  language: Language,
  given: GivenFlags,
): Line[] {
  const names = sheets.map(({ sheet }) => sheet).join(', ');
  const command = `import ${fileWord(file)} --dry-run${serviceFlags(given)}`;
  const sheet = OWN_SHEETS.lookUp[language];
  const chosen = lists.length === 0 ? WORDS.withoutLists : WORDS.withLists;
  const columns = missing.flatMap((one) => one.columns).join(', ');
  return [
    `${say(WORDS.template, language)}: ${file}`,
    `  ${names}`,
    `  ${say(chosen, language, { n: lists.length })}`,
    ...(columns === '' ? [] : [`  ${say(WORDS.missingLists, language, { columns })}`]),
    ...(rows === 0 ? [] : [`  ${say(WORDS.withLookUp, language, { n: rows, sheet })}`]),
    ...notes.map((note) => `  ${note[language]}`),
    ...stepLines([{ why: WORDS.fillIn, command }], language),
  ];
}

/** What an export wrote, and where. */
export function exportText(result: ExportResult, language: Language, given: GivenFlags): Line[] {
  const { file, sheets, kinds, records, requests, ms, notes, format } = result;
  const own = new Set(kinds.map(({ sheet }) => sheet));
  const count = (n: number): string => say(n === 1 ? WORDS.oneRecord : WORDS.records, language, { n });
  const again = file !== null && format !== 'ndjson' && records > 0;
  const command = `import ${fileWord(file ?? '')} --dry-run${fileFlags(given)}`;
  return [
    `${say(WORDS.exported, language)}: ${file ?? 'stdout'}`,
    ...sheets.map(({ sheet, rows }) => `  ${sheet}: ${own.has(sheet) ? count(rows) : rows}`),
    ...notes.map((note) => `  ${note[language]}`),
    tookText(requests, ms, language),
    ...stepLines(again ? [{ why: WORDS.editIt, command }] : [], language),
  ];
}

/** What a finance export wrote, its totals, and what changed since the last one of the same days. */
export function financeText(result: FinanceResult, language: Language): string[] {
  const { file, service, period, all, sheets, sums, notes, requests, ms } = result;
  const days = shownPeriod(period.from, period.to)[language];
  const which = say(all ? WORDS.allEvents : WORDS.definitiveEvents, language);
  return [
    say(WORDS.exportOf, language, { days, which, service: serviceText(service)[language] }),
    `${say(WORDS.exported, language)}: ${file}`,
    ...sheets.map(({ sheet, rows }) => `  ${sheet}: ${rows}`),
    `  ${say(WORDS.revenue, language)}: ${amountText(sums.revenue, language)}`,
    ...changesText(result, language),
    ...notes.map((note) => `  ${note[language]}`),
    tookText(requests, ms, language),
  ];
}

function changesText({ changes, sums }: FinanceResult, language: Language): string[] {
  if (changes === null) return [];
  const { since, counts } = changes;
  const count = (what: 'added' | 'removed' | 'changed'): number =>
    Object.values(counts).reduce((sum, one) => sum + one[what], 0);
  const counted = (['added', 'removed', 'changed'] as const).flatMap((what) =>
    count(what) === 0 ? [] : say(WORDS.changedRecords[what], language, { n: count(what) }),
  );
  const [was, now] = [amountText(since.sums.revenue, language), amountText(sums.revenue, language)];
  const revenue = was === now ? '' : say(WORDS.otherRevenue, language, { was, now });
  const words = counted.length === 0 ? WORDS.sameAsBefore : WORDS.otherThanBefore;
  const what = `${counted.join(', ')}${revenue}`;
  return [`  ${say(words, language, { at: shownMinute(since.at)[language], what })}`];
}

/** The checks, one line each, then advice on those that failed. */
export function checkText({ service, ok, checks }: CheckEnd, language: Language): Line[] {
  const width = Math.max(...checks.map(({ what }) => shownWidth(what[language])));
  const lines = checks.map((check): Line => {
    const before = `  ${mark(check, language)}  ${padded(check.what[language], width)}  `;
    return ['plain', check.found[language], before];
  });
  const advice = checks.flatMap(({ what, advice }) =>
    advice === null ? [] : [`  ${what[language]}: ${advice[language]}`],
  );
  const todo = advice.length === 0 ? [] : ['', WORDS.toDo[language], ...advice];
  const verdict = ok ? WORDS.usable : WORDS.unusable;
  return [serviceText(service)[language], ...lines, ...todo, '', say(verdict, language)];
}

/** A failed check that an import does not need is only odd. */
function mark({ ok, needed }: ServiceCheck, language: Language): string {
  const marks = { fine: WORDS.fine[language], odd: '!', wrong: WORDS.wrong[language] };
  const width = Math.max(...Object.values(marks).map((text) => text.length));
  return (ok ? marks.fine : needed ? marks.wrong : marks.odd).padEnd(width);
}

const STATUS: Readonly<Record<CallsResult['calls'][number]['status'], Bilingual>> = {
  done: t('done', 'gedaan'),
  unchanged: t('unchanged', 'ongewijzigd'),
  failed: t('failed', 'mislukt'),
  unknown: t('unknown', 'onbekend'),
  'not sent': t('not sent', 'niet verstuurd'),
};

/** The outcome of each call, one line each. */
export function callsText({ service, calls, requests }: CallsResult, language: Language): string[] {
  const width = Math.max(...calls.map(({ id }) => shownWidth(id)));
  const lines = calls.map(({ id, status, message }) => {
    const said = message === null ? '' : `: ${message[language]}`;
    return `  ${padded(id, width)}  ${STATUS[status][language]}${said}`;
  });
  return [serviceText(service)[language], ...lines, requestsText(requests)[language]];
}

const STATES: Readonly<Record<RunRecord['state'], Bilingual>> = {
  planning: t('plan not finished', 'plan niet af'),
  planned: t('planned, not sent', 'gepland, niet verstuurd'),
  applying: t('being sent', 'wordt verstuurd'),
  interrupted: t('interrupted, can be continued', 'onderbroken, kan verder'),
  done: t('done', 'klaar'),
};

const PLANNING = t('being planned', 'wordt gepland');

/** One run: its name, when, how far, which file, and its counts. */
export function runText(run: ShownRun, language: Language): string[] {
  const state = run.busy && run.state === 'planning' ? PLANNING : STATES[run.state];
  const numbers = run.shown === null ? '' : countsText(run.shown, run.state === 'planned', language);
  return [
    `${run.run}  ${shownMinute(run.startedAt)[language]}  ${state[language]}${endWords(run, language)}`,
    `    ${run.file} → ${serviceText(run.service)[language]}`,
    ...(numbers === '' ? [] : [`    ${numbers}`]),
  ];
}

const WAITS = t('waits for a worker', 'wacht op een worker');
const THEIRS = t('workers have it', 'workers hebben hem');

function endWords({ takenBack, finishedBy, workers, prunedAt }: ShownRun, language: Language): string {
  const isDutch = language === 'nl';
  const theirs = workers && `, ${(workers === 'waiting' ? WAITS : THEIRS)[language]}`;
  const finished = finishedBy && `, ${isDutch ? 'afgemaakt' : 'finished'} in ${finishedBy}`;
  const back = takenBack && `, ${isDutch ? 'teruggedraaid' : 'taken back'} in ${takenBack}`;
  const pruned =
    prunedAt === null
      ? ''
      : `, ${isDutch ? 'rijen opgeruimd op' : 'rows removed on'} ${shownDay(prunedAt)[language]}`;
  return `${finished ?? ''}${back ?? ''}${theirs ?? ''}${pruned}`;
}
