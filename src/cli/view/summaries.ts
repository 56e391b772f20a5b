import type { CheckEnd } from '../../api/make-documents.ts';
import type { ShownRun } from '../../api/runs.ts';
import type { CallsResult } from '../../calls/calls.ts';
import type { ServiceCheck } from '../../check/check-service.ts';
import { countsText, requestsText, tookText } from '../../core/counts.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { OWN_SHEETS } from '../../core/own-sheets.ts';
import { moneyText } from '../../core/row-text.ts';
import { shownDay, shownMinute, shownPeriod } from '../../core/shown-moment.ts';
import type { Line } from '../../core/standard-streams.ts';
import { shownWidth } from '../../core/visible-text.ts';
import type { ExportDocument } from '../../export/export-records.ts';
import type { WrittenUndo } from '../../export/undo-run.ts';
import type { FinanceDocument } from '../../finance/export-finance.ts';
import type { RunRecord } from '../../ledger/ledger.ts';
import { serviceText } from '../../run/service-text.ts';
import type { WrittenTemplate } from '../../template/write-template-file.ts';
import { undoneLines } from './import-lines.ts';
import { padded } from './lines.ts';
import { fileFlags, fileWord, type GivenFlags, serviceFlags, stepLines } from './next-steps.ts';

/** What an undo workbook holds, what it can't take back, and what to do with it. */
export function undoText(written: WrittenUndo, language: Language, given: GivenFlags): Line[] {
  const { run, file, sheets, cannot, deletes } = written;
  const rows = cannot.map(({ why, ...place }) => ({ ...place, why: why[language] }));
  const why = t('Look at the file and import it:', 'Bekijk het bestand en importeer het daarna:');
  return [
    t(`Undo of ${run}: ${file}`, `Terugdraaien van ${run}: ${file}`)[language],
    ...sheetLines(sheets),
    ...(rows.length === 0
      ? []
      : ['', OWN_SHEETS.undone[language], ...undoneLines(rows, rows.length, language)]),
    ...importStep(why, file, `${deletes ? ' --allow-delete' : ''} --dry-run${serviceFlags(given)}`, language),
  ];
}

/** What a template holds, and what to do with it. */
export function templateText(
  { file, sheets, lists, missing }: WrittenTemplate,
  language: Language,
  given: GivenFlags,
): Line[] {
  const columns = missing.flatMap((one) => one.columns).join(', ');
  const said = [
    lists.length === 0
      ? t('without lists to choose from', 'zonder lijsten om uit te kiezen')
      : t(`with ${lists.length} lists to choose from`, `met ${lists.length} lijsten om uit te kiezen`),
  ];
  if (columns !== '')
    said.push(
      t(
        `No list to choose from in ${columns}: type the number there. \`catersheet check\` says why.`,
        `Geen lijst om uit te kiezen in ${columns}: typ daar het nummer. \`catersheet check\` zegt waarom.`,
      ),
    );
  const why = t('Fill in the file and import it:', 'Vul het bestand in en importeer het daarna:');
  return [
    t(`Template: ${file}`, `Sjabloon: ${file}`)[language],
    `  ${sheets.map((one) => one.sheet).join(', ')}`,
    ...said.map((note) => `  ${note[language]}`),
    ...importStep(why, file, ` --dry-run${serviceFlags(given)}`, language),
  ];
}

const sheetLines = (sheets: readonly { readonly sheet: string; readonly rows: number }[]): string[] =>
  sheets.map(({ sheet, rows }) => `  ${sheet}: ${rows}`);

const importStep = (why: Bilingual, file: string, flags: string, language: Language): Line[] =>
  stepLines([[why, `import ${fileWord(file)}${flags}`]], language);

/** What an export wrote, and where. */
export function exportText(result: ExportDocument, language: Language, given: GivenFlags): Line[] {
  const { file, records, requests, ms, format } = result;
  const why = t('Edit the file and import it:', 'Bewerk het bestand en importeer het daarna:');
  return [
    ...writtenLines(result, file ?? 'stdout', result.notes),
    tookText(requests, ms, language),
    ...(file !== null && format !== 'ndjson' && records > 0
      ? importStep(why, file, ` --dry-run${fileFlags(given)}`, language)
      : []),
  ];
}

/** A file of an export, its sheets, and what is to be known of it. */
function writtenLines(
  { sheets }: Pick<ExportDocument, 'sheets'>,
  file: string,
  notes: readonly string[],
): Line[] {
  return [`Export: ${file}`, ...sheetLines(sheets), ...notes.map((note) => `  ${note}`)];
}

/** What a finance export wrote, its totals, and what changed since the last one of the same days. */
export function financeText(result: FinanceDocument, language: Language): Line[] {
  const { file, service, period, all, sums, requests, ms } = result;
  const [days, of] = [shownPeriod(period.from, period.to), serviceText(service)];
  const revenue = moneyText(Number(sums.revenue), language);
  return [
    t(
      `${days.en}, ${all ? 'all' : 'definitive'} events, from ${of.en}`,
      `${days.nl}, ${all ? 'alle' : 'definitieve'} evenementen, van ${of.nl}`,
    )[language],
    ...writtenLines(result, file, [
      t(`Revenue: ${revenue}`, `Omzet: ${revenue}`)[language],
      ...changesText(result, language),
      ...result.notes,
    ]),
    tookText(requests, ms, language),
  ];
}

function changesText({ changes, sums }: FinanceDocument, language: Language): string[] {
  if (changes === null) return [];
  const { since, counts } = changes;
  const count = (what: 'added' | 'removed' | 'changed'): number =>
    Object.values(counts).reduce((sum, one) => sum + one[what], 0);
  const [added, removed, changed] = [count('added'), count('removed'), count('changed')];
  const at = shownMinute(since.at);
  const revenue = ({ revenue }: typeof sums): string => moneyText(Number(revenue), language);
  const [was, now] = [revenue(since.sums), revenue(sums)];
  return [
    t(
      `Since the last one, of ${at.en}: ${added} added, ${removed} removed, ${changed} changed; revenue ${was} → ${now}`,
      `Sinds de vorige, van ${at.nl}: ${added} erbij, ${removed} weg, ${changed} gewijzigd; omzet ${was} → ${now}`,
    )[language],
  ];
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
const mark = ({ ok, needed }: ServiceCheck, language: Language): string =>
  padded(ok ? 'ok' : needed ? t('no', 'nee')[language] : '!', 3);

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
  const { state, shown, finishedBy, takenBack, workers, prunedAt } = run;
  const said = [run.busy && state === 'planning' ? PLANNING : STATES[state]];
  if (finishedBy) said.push(t(`finished in ${finishedBy}`, `afgemaakt in ${finishedBy}`));
  if (takenBack) said.push(t(`taken back in ${takenBack}`, `teruggedraaid in ${takenBack}`));
  if (workers) said.push(workers === 'waiting' ? WAITS : THEIRS);
  if (prunedAt !== null) {
    const day = shownDay(prunedAt);
    said.push(t(`rows removed on ${day.en}`, `rijen opgeruimd op ${day.nl}`));
  }
  const numbers = shown === null ? '' : countsText(shown, state === 'planned', language);
  return [
    `${run.run}  ${shownMinute(run.startedAt)[language]}  ${said.map((text) => text[language]).join(', ')}`,
    `    ${run.file} → ${serviceText(run.service)[language]}`,
    ...(numbers === '' ? [] : [`    ${numbers}`]),
  ];
}

const WAITS = t('waits for a worker', 'wacht op een worker');
const THEIRS = t('workers have it', 'workers hebben hem');
