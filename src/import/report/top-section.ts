import { basename } from 'node:path';
import { aboutText } from '../../core/codecs/moment.ts';
import { COUNT_WORDS, type Counts, requestsText, shownCounts } from '../../core/counts.ts';
import type { Language } from '../../core/language.ts';
import { type ElementPiece, element, fillIn, type Piece } from './piece.ts';
import { REPORT_WORDS } from './report-words.ts';
import type { SurveyedReport } from './survey-rows.ts';
import { OUTCOME_TONES, type OutcomeName, outcomeNumber } from './survey-rows.ts';

/** The title of the page and its tab. */
export function reportTitle({ plan, wording }: Pick<SurveyedReport, 'plan' | 'wording'>): string {
  return fillIn(REPORT_WORDS.title[wording.language], { file: basename(plan.workbook.file) });
}

/** What was imported, where, in which run, when, and whether anything was sent. */
export function topPieces(surveyed: SurveyedReport): ElementPiece {
  const { plan, counts, wording, stopped, startedAt, at } = surveyed;
  const { language, dryRun } = wording;
  const fact = (name: string, ...value: Piece[]): ElementPiece =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value));
  const state = stopped !== null ? 'stopped' : dryRun ? 'dryRun' : anySent(counts) ? 'sent' : 'nothing';
  const stop = stopped === null ? [] : [stopped.texts.message, stopped.texts.next];
  return element(
    'header',
    {},
    element('p', { class: `state ${state}` }, REPORT_WORDS[state][language]),
    element('h1', {}, reportTitle(surveyed)),
    stop.flatMap((text) => (text === undefined ? [] : [element('p', { class: 'stop' }, text[language])])),
    element(
      'dl',
      { class: 'facts' },
      fact(REPORT_WORDS.service[language], plan.service),
      fact(REPORT_WORDS.run[language], plan.run),
      fact(REPORT_WORDS.started[language], timePiece(startedAt)),
      fact(REPORT_WORDS.when[language], timePiece(at)),
      ...(dryRun ? [fact(REPORT_WORDS.wouldSend[language], sendingText(plan, language))] : []),
      ...(dryRun && plan.requests > 0
        ? [fact(REPORT_WORDS.apply[language], element('code', {}, `catersheet apply ${plan.run}`))]
        : []),
    ),
  );
}

/** Whether any row was sent, well or not. */
function anySent({ created, updated, deleted, failed, unknown }: Counts): boolean {
  return created + updated + deleted + failed + unknown > 0;
}

function sendingText({ requests, estimateMs }: SurveyedReport['plan'], language: Language): string {
  const count = requestsText(requests)[language];
  return requests === 0 || estimateMs === null ? count : `${count}, ${aboutText(estimateMs)[language]}`;
}

function timePiece(at: string): ElementPiece {
  return element('time', { datetime: at.replace(' ', 'T') }, at.slice(0, 16));
}

/** The counts of every sheet, and the total of more than one; a count links to its rows. */
export function countPieces({ sheets, counts, wording, sheetNames }: SurveyedReport): ElementPiece {
  const { language, dryRun } = wording;
  const shown = shownCounts(counts);
  const heads = [
    REPORT_WORDS.sheet[language],
    ...shown.map((name) => COUNT_WORDS[name][dryRun ? 'would' : 'done'][language]),
  ];
  const headCells = heads.map((head) => element('th', { scope: 'col' }, head));
  const line = (name: string, of: Counts, sheet: number | null): ElementPiece =>
    element(
      'tr',
      sheet === null ? { class: 'total' } : {},
      element('th', { scope: 'row' }, name),
      shown.map((count, at) =>
        element('td', { 'data-label': heads[at + 1] ?? '' }, countPiece(count, of[count], sheet, language)),
      ),
    );
  const lines = sheets.map((each) => line(each.sheet, each.counts, sheetNames.numberOf(each.sheet)));
  const total = sheets.length > 1 ? [line(REPORT_WORDS.total[language], counts, null)] : [];
  return element(
    'section',
    { 'aria-labelledby': 'counts' },
    element('h2', { id: 'counts' }, REPORT_WORDS.counts[language]),
    element(
      'table',
      { class: 'counts' },
      element('thead', {}, element('tr', {}, headCells)),
      element('tbody', {}, lines, total),
    ),
  );
}

function countPiece(name: keyof Counts, count: number, sheet: number | null, language: string): Piece {
  const text = new Intl.NumberFormat(language).format(count);
  if (count === 0) return element('span', { class: 'zero' }, text);
  // Unchanged rows are not listed.
  if (name === 'read' || name === 'unchanged') return text;
  return element(
    'a',
    { href: '#list', class: `pill ${OUTCOME_TONES[name]}`, ...linkTo(sheet, { outcome: name }) },
    text,
  );
}

/** The attributes by which the page's script knows the rows of a link. */
export function linkTo(
  sheet: number | null,
  of: { readonly row?: number; readonly outcome?: OutcomeName },
): Record<string, string> {
  return {
    ...(sheet === null ? {} : { 'data-sheet': String(sheet) }),
    ...(of.row === undefined ? {} : { 'data-row': String(of.row) }),
    ...(of.outcome === undefined ? {} : { 'data-outcome': String(outcomeNumber(of.outcome)) }),
  };
}
