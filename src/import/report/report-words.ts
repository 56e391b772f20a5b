import { type Bilingual, type Language, t } from '../../core/language.ts';
import { RESULT_WORDS } from '../results/result-words.ts';

/** The words of the program's part of a page. */
const REPORT_WORDS = {
  ...RESULT_WORDS,
  title: t('Import of {file}', 'Import van {file}'),
  dryRun: t('Dry run: nothing was sent', 'Proefrun: er is niets verstuurd'),
  sent: t('Sent', 'Verstuurd'),
  nothing: t('There was nothing to send', 'Er was niets te versturen'),
  stopped: t('Stopped before the end', 'Gestopt voor het einde'),
  started: t('Planned at', 'Gepland op'),
  when: t('Report made at', 'Verslag gemaakt op'),
  wouldSend: t('Would be sent', 'Te versturen'),
  counts: t('In figures', 'In cijfers'),
  moreProblems: t(
    'and {n} more; the rows below show them all',
    'en nog {n}; in de rijen hieronder staan ze allemaal',
  ),
  layout: t('How the file was read', 'Hoe het bestand gelezen is'),
  unused: t('columns not used: {columns}', 'niet-gebruikte kolommen: {columns}'),
  passedOver: t('passed over: {reason}', 'overgeslagen: {reason}'),
  wouldChange: t('What would change, row by row', 'Wat er zou veranderen, rij voor rij'),
  changed: t('What happened to each row', 'Wat er met elke rij gebeurd is'),
  withoutScript: t(
    'Only the first {n} of {total} rows are shown. To see and search all of them, open this file in a browser that runs scripts.',
    'Alleen de eerste {n} van {total} rijen staan hier. Open dit bestand in een browser die scripts uitvoert om ze alle te zien en te doorzoeken.',
  ),
  nothingListed: t(
    'No row changes, and there are no remarks.',
    'Geen enkele rij verandert en er zijn geen opmerkingen.',
  ),
  unchanged: t('{n} unchanged rows are not listed.', '{n} ongewijzigde rijen staan hier niet bij.'),
  oneUnchanged: t('1 unchanged row is not listed.', '1 ongewijzigde rij staat hier niet bij.'),
  anyOutcome: t('Every outcome', 'Elke uitkomst'),
  anySheet: t('Every sheet', 'Elk werkblad'),
} as const;

/** The words that a row and the page's script need. */
const PAGE_WORDS = {
  row: t('Row', 'Rij'),
  outcome: t('Outcome', 'Uitkomst'),
  record: t('Record', 'Record'),
  said: t('Changes and remarks', 'Wijzigingen en opmerkingen'),
  wanted: t('Wanted:', 'Gewenst:'),
  search: t('Search', 'Zoeken'),
  hint: t('name, field, value, cell, or #12 for row 12', 'naam, veld, waarde, cel, of #12 voor rij 12'),
  remarks: t('With a remark ({n})', 'Met een opmerking ({n})'),
  shown: t('{n} of {total} rows', '{n} van {total} rijen'),
  all: t('{total} rows', '{total} rijen'),
  none: t('No row matches.', 'Geen enkele rij voldoet.'),
  reset: t('Show all', 'Alles tonen'),
  more: t('Show more ({n} left)', 'Meer tonen (nog {n})'),
} as const;

/** The words that a row and the page's script need. */
export type PageWords = Words<typeof PAGE_WORDS>;

/** All other words of a report. */
export type ReportWords = Words<typeof REPORT_WORDS>;

type Words<W> = Readonly<Record<keyof W, string>>;

/** The words that a row and the page's script need, in one language. */
export const pageWords = (language: Language): PageWords => wordsIn(PAGE_WORDS, language);

/** All other words of a report, in one language. */
export const reportWords = (language: Language): ReportWords => wordsIn(REPORT_WORDS, language);

function wordsIn<W extends Readonly<Record<string, Bilingual>>>(words: W, language: Language): Words<W> {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word[language]])) as Words<W>;
}
