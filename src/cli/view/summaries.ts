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
import { padded } from './lines.ts';
import { fileFlags, fileWord, type GivenFlags, serviceFlags } from './next-command.ts';
import { stepLines } from './next-steps.ts';
import { undoneLines } from './problems.ts';

/** What an undo workbook holds, what it can't take back, and what to do with it. */
export function undoText(written: WrittenUndo, language: Language, given: GivenFlags): Line[] {
  const { run, file, sheets, deletes } = written;
  const flag = deletes ? ' --allow-delete' : '';
  const command = `import ${fileWord(file)}${flag} --dry-run${serviceFlags(given)}`;
  return [
    `${t(`Undo of ${run}`, `Terugdraaien van ${run}`)[language]}: ${file}`,
    ...sheets.map(({ sheet, rows }) => `  ${sheet}: ${rows}`),
    ...leftLines(written, language),
    ...stepLines(
      [{ why: t('Look at the file and import it:', 'Bekijk het bestand en importeer het daarna:'), command }],
      language,
    ),
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
  const chosen =
    lists.length === 0
      ? t('without lists to choose from', 'zonder lijsten om uit te kiezen')
      : t(`with ${lists.length} lists to choose from`, `met ${lists.length} lijsten om uit te kiezen`);
  const columns = missing.flatMap((one) => one.columns).join(', ');
  return [
    `${t('Template', 'Sjabloon')[language]}: ${file}`,
    `  ${names}`,
    `  ${chosen[language]}`,
    ...(columns === ''
      ? []
      : [
          `  ${t(`No list to choose from in ${columns}: type the number there. \`catersheet check\` says why.`, `Geen lijst om uit te kiezen in ${columns}: typ daar het nummer. \`catersheet check\` zegt waarom.`)[language]}`,
        ]),
    ...(rows === 0
      ? []
      : [
          `  ${t(`with ${rows} numbers on the sheet ${sheet}`, `met ${rows} nummers op het werkblad ${sheet}`)[language]}`,
        ]),
    ...notes.map((note) => `  ${note[language]}`),
    ...stepLines(
      [{ why: t('Fill in the file and import it:', 'Vul het bestand in en importeer het daarna:'), command }],
      language,
    ),
  ];
}

/** What an export wrote, and where. */
export function exportText(result: ExportResult, language: Language, given: GivenFlags): Line[] {
  const { file, sheets, kinds, records, requests, ms, notes, format } = result;
  const own = new Set(kinds.map(({ sheet }) => sheet));
  const count = (n: number): string => `${n} ${n === 1 ? 'record' : 'records'}`;
  const again = file !== null && format !== 'ndjson' && records > 0;
  const command = `import ${fileWord(file ?? '')} --dry-run${fileFlags(given)}`;
  return [
    `${t('Export', 'Export')[language]}: ${file ?? 'stdout'}`,
    ...sheets.map(({ sheet, rows }) => `  ${sheet}: ${own.has(sheet) ? count(rows) : rows}`),
    ...notes.map((note) => `  ${note[language]}`),
    tookText(requests, ms, language),
    ...stepLines(
      again
        ? [{ why: t('Edit the file and import it:', 'Bewerk het bestand en importeer het daarna:'), command }]
        : [],
      language,
    ),
  ];
}

/** What a finance export wrote, its totals, and what changed since the last one of the same days. */
export function financeText(result: FinanceResult, language: Language): string[] {
  const { file, service, period, all, sheets, sums, notes, requests, ms } = result;
  const days = shownPeriod(period.from, period.to)[language];
  const { [language]: which } = all
    ? t('all events', 'alle evenementen')
    : t('definitive events', 'definitieve evenementen');
  return [
    t(
      `${days}, ${which}, from ${serviceText(service)[language]}`,
      `${days}, ${which}, van ${serviceText(service)[language]}`,
    )[language],
    `${t('Export', 'Export')[language]}: ${file}`,
    ...sheets.map(({ sheet, rows }) => `  ${sheet}: ${rows}`),
    `  ${t('Revenue', 'Omzet')[language]}: ${amountText(sums.revenue, language)}`,
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
  const shown = [
    t(`${count('added')} added`, `${count('added')} erbij`),
    t(`${count('removed')} removed`, `${count('removed')} weg`),
    t(`${count('changed')} changed`, `${count('changed')} gewijzigd`),
  ].flatMap(({ [language]: text }) => (text.startsWith('0 ') ? [] : text));
  const [was, now] = [amountText(since.sums.revenue, language), amountText(sums.revenue, language)];
  const revenue = was === now ? '' : t(`; revenue ${was} → ${now}`, `; omzet ${was} → ${now}`)[language];
  const what =
    shown.length === 0 ? t('nothing changed', 'niets gewijzigd')[language] : `${shown.join(', ')}${revenue}`;
  const at = shownMinute(since.at)[language];
  return [`  ${t('Since the last one, of', 'Sinds de vorige, van')[language]} ${at}: ${what}`];
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
  const todo =
    advice.length === 0
      ? []
      : ['', t('What can be done about it', 'Wat eraan te doen is')[language], ...advice];
  const verdict = ok
    ? t('Workbooks can be imported here.', 'Hier kunnen werkmappen worden geïmporteerd.')
    : t('No workbook can be imported here.', 'Hier kan geen werkmap worden geïmporteerd.');
  return [serviceText(service)[language], ...lines, ...todo, '', verdict[language]];
}

/** A failed check that an import does not need is only odd. */
function mark({ ok, needed }: ServiceCheck, language: Language): string {
  const marks = { fine: t('ok', 'ok')[language], odd: '!', wrong: t('no', 'nee')[language] };
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
