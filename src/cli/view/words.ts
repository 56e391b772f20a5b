import { EXIT, type StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { Line } from '../../core/standard-streams.ts';
import { shownWidth } from '../../core/visible-text.ts';
import { columnsOf } from './wrap.ts';

/** The texts of the command line. */
export const WORDS = {
  sheet: t('Sheet', 'Werkblad'),
  total: t('Total', 'Totaal'),
  problems: t('What needs attention', 'Wat aandacht vraagt'),
  oddities: t('Read in a way you may not expect', 'Gelezen op een manier die je misschien niet verwacht'),
  oddRow: t(
    'Read in a way you may not expect: 1 row',
    'Gelezen op een manier die je misschien niet verwacht: 1 rij',
  ),
  oddRows: t(
    'Read in a way you may not expect: {n} rows',
    'Gelezen op een manier die je misschien niet verwacht: {n} rijen',
  ),
  layout: t('How the file was read', 'Hoe het bestand gelezen is'),
  andMore: t('and {n} more', 'en nog {n}'),
  result: t('Result', 'Resultaat'),
  report: t('Report', 'Verslag'),
  log: t('Log', 'Logboek'),
  dryRun: t('Dry run: nothing was sent.', 'Proefrun: er is niets verstuurd.'),
  declined: t('Nothing was sent.', 'Er is niets verstuurd.'),
  confirm: t('Send this to {service}? [y/N] ', 'Dit versturen naar {service}? [j/N] '),
  headersMean: t(
    'These headers may stand for columns that are known',
    'Deze koppen staan misschien voor bekende kolommen',
  ),
  sheetMay: t('{sheet}, as {kind}', '{sheet}, als {kind}'),
  takeHeaders: t('Take them so, also next time? [y/N] ', 'Zo overnemen, ook de volgende keer? [j/N] '),
  takes: t(', which takes {time}', ', dat duurt {time}'),
  reading: t('Reading {of}: {count}', '{Of} lezen: {count}'),
  planning: t('Planning rows: {count}', 'Rijen plannen: {count}'),
  sending: t('Sending rows: {count}', 'Rijen versturen: {count}'),
  writingRows: t('Writing rows: {count}', 'Rijen schrijven: {count}'),
  ofAll: t('{done} of {total}', '{done} van {total}'),
  writing: t('Writing the result', 'Resultaat schrijven'),
  left: t('left', 'te gaan'),
  inDoubt: t('{rows} in doubt, looked for until {time}', '{rows} in twijfel, gezocht tot {time}'),
  fine: t('ok', 'ok'),
  wrong: t('no', 'nee'),
  toDo: t('What can be done about it', 'Wat eraan te doen is'),
  usable: t('Workbooks can be imported here.', 'Hier kunnen werkmappen worden geïmporteerd.'),
  unusable: t('No workbook can be imported here.', 'Hier kan geen werkmap worden geïmporteerd.'),
  template: t('Template', 'Sjabloon'),
  withLists: t('with {n} lists to choose from', 'met {n} lijsten om uit te kiezen'),
  withoutLists: t('without lists to choose from', 'zonder lijsten om uit te kiezen'),
  withLookUp: t('with {n} numbers on the sheet {sheet}', 'met {n} nummers op het werkblad {sheet}'),
  fillIn: t('Fill in the file and import it:', 'Vul het bestand in en importeer het daarna:'),
  missingLists: t(
    'No list to choose from in {columns}: type the number there. `catersheet check` says why.',
    'Geen lijst om uit te kiezen in {columns}: typ daar het nummer. `catersheet check` zegt waarom.',
  ),
  exported: t('Export', 'Export'),
  exportOf: t('{days}, {which}, from {service}', '{days}, {which}, van {service}'),
  allEvents: t('all events', 'alle evenementen'),
  definitiveEvents: t('definitive events', 'definitieve evenementen'),
  oneRecord: t('{n} record', '{n} record'),
  records: t('{n} records', '{n} records'),
  editIt: t('Edit the file and import it:', 'Bewerk het bestand en importeer het daarna:'),
  revenue: t('Revenue', 'Omzet'),
  sameAsBefore: t(
    'Since the last one, of {at}: nothing changed',
    'Sinds de vorige, van {at}: niets gewijzigd',
  ),
  otherThanBefore: t('Since the last one, of {at}: {what}', 'Sinds de vorige, van {at}: {what}'),
  changedRecords: {
    added: t('{n} added', '{n} erbij'),
    removed: t('{n} removed', '{n} weg'),
    changed: t('{n} changed', '{n} gewijzigd'),
  },
  otherRevenue: t('; revenue {was} → {now}', '; omzet {was} → {now}'),
  undo: t('Undo of {run}', 'Terugdraaien van {run}'),
  lookAtUndo: t('Look at the file and import it:', 'Bekijk het bestand en importeer het daarna:'),
  sandboxRuns: t(
    'The sandbox keeps its company in {file}. Ctrl-C ends it.',
    'De ingebouwde proefomgeving bewaart haar bedrijf in {file}. Stop met Ctrl-C.',
  ),
  workerRuns: t(
    'Waiting for runs that are handed over with --queue. Ctrl-C ends it when what is out was answered.',
    'Wacht op runs die met --queue overgegeven worden. Ctrl-C stopt het als wat onderweg is beantwoord is.',
  ),
  deskRuns: t(
    'The page runs on this machine alone, for as long as this program does. Ctrl-C ends it.',
    'De pagina draait alleen op deze computer, zolang dit programma draait. Stop met Ctrl-C.',
  ),
  deskAgain: t(
    'The page was opened. To open it once more, in another browser too:',
    'De pagina is geopend. Om haar nog eens te openen, ook in een andere browser:',
  ),
  deskUnopened: t(
    'No browser could be opened: open the address yourself.',
    'Er kon geen browser geopend worden: open het adres zelf.',
  ),
  embedded: t(
    'No service is named, so the embedded sandbox answers (a made-up company, kept on this machine). Set one with --base-url.',
    'Er is geen systeem genoemd, dus de ingebouwde proefomgeving antwoordt (een verzonnen bedrijf, op deze computer). Stel er een in met --base-url.',
  ),
} as const;

/** A text with its `{n}` or `{service}` filled in. */
export function say(
  words: Bilingual,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return words[language].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A text filled up with blanks to a width as it is shown: behind it, or before it. */
export function padded(text: string, width: number, before = false): string {
  const blanks = ' '.repeat(Math.max(0, width - shownWidth(text)));
  return before ? `${blanks}${text}` : `${text}${blanks}`;
}

/** What stopped a run, in lines: what is wrong, and the next step; of a fault its places in the program. */
export function stopLines({ texts, exit }: StopError, language: Language): Line[] {
  const next = texts.next?.[language];
  const command = texts.command?.[language];
  const after = next === undefined ? [] : exit === EXIT.fault ? next.split('\n') : nextLines(next, command);
  return [texts.message[language], ...after];
}

/** The next step; a command at its end that does not fit on the line has one of its own, whole. */
function nextLines(next: string, command: string | undefined): Line[] {
  if (command === undefined || shownWidth(next) <= columnsOf()) return [next];
  return [next.slice(0, -command.length).trimEnd(), ['command', command, '  ']];
}
