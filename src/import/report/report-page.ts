import { basename } from 'node:path';
import { aboutText } from '../../core/codecs/moment.ts';
import {
  type Counts,
  requestsText,
  SHOWN_WORDS,
  type ShownCounts,
  shownCounts,
  shownTotal,
} from '../../core/counts.ts';
import type { Language } from '../../core/language.ts';
import { OUTCOME_TONES, type OutcomeName } from '../../core/outcome-tones.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import { visibleLine, visibleText } from '../../core/visible-text.ts';
import { serviceText } from '../../run/service-text.ts';
import type { Applied } from '../apply/apply-plan.ts';
import { unknownTexts } from '../map/sheet-notes.ts';
import type { Plan } from '../plan/plan-import.ts';
import type { Problem } from '../results/problem-tally.ts';
import { nextTexts } from '../results/result-summary.ts';
import { type ResultWording, sayIn, withMade } from '../results/row-outcome.ts';
import { type ElementPiece, element, fillIn, type Piece } from './piece.ts';
import { type ReportHead, rowAnchor, rowPiece } from './report-row.ts';
import type { ReportWords } from './report-words.ts';
import { outcomeNumber, type RowSurvey } from './survey-rows.ts';

/** What a report is of. */
export interface ReportSubject extends Applied {
  readonly plan: Plan;
  readonly wording: ResultWording;
}

/** A report with what its rows came to. */
interface SurveyedReport extends ReportSubject {
  readonly survey: RowSurvey;
  readonly head: ReportHead;
  readonly words: ReportWords;
  /** When the run was planned and when this is written, wall clock, `YYYY-MM-DD hh:mm:ss`. */
  readonly startedAt: string;
  readonly at: string;
}

/** The title of the page and its tab. */
export function pageTitle({ plan, words }: SurveyedReport): string {
  return fillIn(words.title, { file: visibleLine(basename(plan.workbook.file)) });
}

/**
 * The page's sections: what was imported, the counts, the problems and oddities, how the file was read, and
 * the rows.
 */
export function pageSections(report: SurveyedReport): ElementPiece[] {
  const { plan, words, notes, wording } = report;
  const say = sayIn(wording);
  const sheets = plan.recognised.flatMap((entry) => (entry.kind === 'problem' ? [say(entry.problem)] : []));
  const texts = notes.map(say).filter((text) => text !== '');
  return [
    topSection(report),
    ...section('counts', words.counts, [countTable(report)]),
    ...section('next', words.next, nextSteps(report)),
    ...section('problems', words.problems, [...paragraphs(sheets), ...problemTable('error', report)]),
    ...section('oddities', words.oddities, problemTable('warning', report)),
    ...section('layout', words.layout, [...paragraphs(texts), ...readingList(report)]),
    rowSection(report),
  ];
}

function section(name: string, title: string, pieces: readonly Piece[]): ElementPiece[] {
  if (pieces.length === 0) return [];
  return [element('section', { 'aria-labelledby': name }, element('h2', { id: name }, title), pieces)];
}

const paragraphs = (texts: readonly string[]): Piece[] =>
  texts.map((text) => element('p', {}, visibleText(text)));

/** What was imported, where, in which run, when, and whether anything was sent. */
function topSection(report: SurveyedReport): ElementPiece {
  const { plan, counts, wording, words, stopped, startedAt, at } = report;
  const { language, dryRun } = wording;
  const fact = (name: string, value: Piece): ElementPiece =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value));
  const state = stopped !== null ? 'stopped' : dryRun ? 'dryRun' : anySent(counts) ? 'sent' : 'nothing';
  const stop = stopped === null ? [] : [stopped.texts.message, stopped.texts.next];
  return element(
    'header',
    {},
    element('p', { class: `state ${state}` }, words[state]),
    element('h1', {}, pageTitle(report)),
    stop.map(
      (text) => text !== undefined && element('p', { class: 'stop' }, visibleText(sayIn(wording)(text))),
    ),
    element(
      'dl',
      { class: 'facts' },
      fact(words.service, serviceText(plan.service)[language]),
      fact(words.run, plan.run),
      fact(words.started, timePiece(startedAt, wording.language)),
      fact(words.when, timePiece(at, wording.language)),
      dryRun && fact(words.wouldSend, sendingText(report)),
    ),
  );
}

/** What to do with the run now. */
function nextSteps({ plan, sheets, wording }: SurveyedReport): Piece[] {
  return nextTexts(plan, sheets, wording).map(({ why, command }) =>
    element('p', {}, why[wording.language], ...(command === null ? [] : [' ', element('code', {}, command)])),
  );
}

/** Whether any row was sent, well or not. */
function anySent({ created, updated, deleted, failed, unknown }: Counts): boolean {
  return created + updated + deleted + failed + unknown > 0;
}

function sendingText({ plan: { requests, estimateMs }, wording: { language } }: SurveyedReport): string {
  const count = requestsText(requests)[language];
  return requests === 0 || estimateMs === null ? count : `${count}, ${aboutText(estimateMs)[language]}`;
}

function timePiece(at: string, language: Language): ElementPiece {
  return element('time', { datetime: at.replace(' ', 'T') }, shownMinute(at)[language]);
}

/** The counts of every sheet, and the total of more than one; a count links to its rows. */
function countTable({ sheets, wording, words, head }: SurveyedReport): ElementPiece {
  const { language, dryRun } = wording;
  const each = withMade(sheets, wording);
  const total = shownTotal(each);
  const shown = shownCounts(total);
  const labels = shown.map((name) => SHOWN_WORDS[name][dryRun ? 'would' : 'done'][language]);
  const heads = [words.sheet, ...labels].map((label) => element('th', { scope: 'col' }, label));
  const line = (name: string, of: ShownCounts, sheet?: number): ElementPiece =>
    element(
      'tr',
      { class: sheet === undefined ? 'total' : undefined },
      element('th', { scope: 'row' }, name),
      shown.map((count, at) =>
        element('td', { 'data-label': labels[at] }, countPiece(count, of[count], head, sheet)),
      ),
    );
  return element(
    'table',
    { class: 'counts' },
    element('thead', {}, element('tr', {}, heads)),
    element(
      'tbody',
      {},
      each.map((one) => line(one.sheet, shownTotal([one]), head.sheets.indexOf(one.sheet))),
      sheets.length > 1 && line(words.total, total),
    ),
  );
}

function countPiece(name: keyof ShownCounts, count: number, { language }: ReportHead, sheet?: number): Piece {
  const text = figure(count, language);
  if (count === 0) return element('span', { class: 'zero' }, text);
  // Unchanged rows are not listed.
  if (name === 'read' || name === 'unchanged') return text;
  const link = { 'data-sheet': sheet, 'data-outcome': outcomeNumber(name) };
  return element('a', { href: '#list', class: `pill ${OUTCOME_TONES[name]}`, ...link }, text);
}

const figure = (count: number, language: string): string => new Intl.NumberFormat(language).format(count);

/** Most problems that are listed. */
const MOST_KINDS = 200;

/** A line a kind of problem, with links to its first rows. */
function problemTable(severity: Problem['severity'], { survey, words, head }: SurveyedReport): Piece[] {
  const problems = survey.tally.problems(severity);
  if (problems.length === 0) return [];
  const tone = severity === 'error' ? 'bad' : 'warn';
  const heads = [words.sheet, words.column, words.times, words.what, words.cells];
  const lines = problems.slice(0, MOST_KINDS).map(({ sheet, column, count, text, addresses, records }) => {
    const cell = (at: number, ...children: Piece[]): ElementPiece =>
      element('td', { role: 'cell', 'data-label': heads[at] }, children);
    const number = head.sheets.indexOf(sheet);
    const addressed = records.some(Boolean);
    const links = addresses.flatMap((address, at) => {
      const of = records[at] ?? '';
      const link = [cellLink(number, address), ...(of === '' ? [] : [` ${visibleText(of)}`])];
      return at === 0 ? link : [addressed ? ', ' : ' ', ...link];
    });
    return element(
      'tr',
      { role: 'row' },
      element('th', { role: 'rowheader', scope: 'row' }, sheet),
      cell(1, column),
      cell(2, element('span', { class: `pill ${tone}` }, figure(count, head.language))),
      cell(3, visibleText(text)),
      cell(4, ...links, ...(count > addresses.length ? [' …'] : [])),
    );
  });
  const left = problems.length - MOST_KINDS;
  return [
    table({ class: `problems ${tone}`, role: 'table' }, heads, lines),
    ...(left > 0 ? paragraphs([fillIn(words.moreProblems, { n: left })]) : []),
  ];
}

/** A table with roles, as on a phone it is laid out as cards; `id` is its body's. */
function table(
  attributes: Parameters<typeof element>[1],
  texts: readonly string[],
  lines: readonly ElementPiece[],
  id?: string,
): ElementPiece {
  const heads = texts.map((text) => element('th', { role: 'columnheader', scope: 'col' }, text));
  return element(
    'table',
    attributes,
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, heads)),
    element('tbody', { id, role: 'rowgroup' }, lines),
  );
}

function cellLink(sheet: number, address: string): ElementPiece {
  const row = Number(/\d+$/.exec(address)?.[0] ?? 0);
  const attributes = { href: `#${rowAnchor(sheet, row)}`, 'data-sheet': sheet, 'data-row': row };
  return element('a', attributes, address);
}

/** How the file and its sheets were read, columns not used, and sheets passed over. */
function readingList({ plan, words, wording }: SurveyedReport): Piece[] {
  const say = sayIn(wording);
  const notes = plan.notes
    .map(({ sheet, text }): [string | null, string] => [sheet, say(text)])
    .filter(([, text]) => text !== '');
  const sheets = plan.recognised.flatMap((entry): [string, string][] => {
    const { name } = entry.sheet;
    if (entry.kind === 'skip' && entry.own) return [];
    if (entry.kind === 'skip') return [[name, fillIn(words.passedOver, { reason: say(entry.reason) })]];
    if (entry.kind === 'problem' || entry.mapping.unknown.length === 0) return [];
    const columns = unknownTexts(entry, wording.language).join(', ');
    return [[name, fillIn(words.unused, { columns })]];
  });
  const order = [null, ...plan.recognised.map(({ sheet }) => sheet.name)];
  const all = [...notes, ...sheets].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const lines = all.map(([sheet, text]) =>
    element('li', {}, sheet !== null && element('b', {}, `${visibleText(sheet)}: `), visibleText(text)),
  );
  return lines.length === 0 ? [] : [element('ul', { class: 'notes' }, lines)];
}

/** The rows: the first of them, which the page's script takes over, and the form to choose from all. */
function rowSection(report: SurveyedReport): ElementPiece {
  const { survey, words, head, wording } = report;
  const count = (n: number): string => figure(n, head.language);
  const { listed, first, unchanged } = survey;
  const counted = { n: count(first.length), total: count(listed) };
  const unlisted = unchanged === 1 ? words.oneUnchanged : words.unchanged;
  const { row, outcome, record, said } = head.words;
  const titled = { 'aria-labelledby': 'list-title' };
  return element(
    'section',
    { id: 'list', ...titled },
    element('h2', { id: 'list-title', tabindex: -1 }, wording.dryRun ? words.wouldChange : words.changed),
    filterForm(report),
    listed > first.length && element('noscript', {}, element('p', {}, fillIn(words.withoutScript, counted))),
    listed === 0 && element('p', {}, words.nothingListed),
    table(
      { class: 'rows', role: 'table', ...titled, hidden: listed === 0 ? '' : undefined },
      [row, outcome, record, said],
      first.map((each) => rowPiece(each, head)),
      'rows',
    ),
    element('button', { id: 'more', type: 'button', hidden: '' }, ''),
    unchanged > 0 && element('p', { class: 'unlisted' }, fillIn(unlisted, { n: count(unchanged) })),
  );
}

/** Hidden until the page's script runs. */
function filterForm({ survey, sheets, head, words, wording }: SurveyedReport): ElementPiece {
  const counts = shownTotal(withMade(sheets, wording));
  const { language, words: own } = head;
  const outcomes = (Object.keys(OUTCOME_TONES) as OutcomeName[])
    .filter((name) => name !== 'unchanged' && counts[name] > 0)
    .map((name): Choice => {
      const number = outcomeNumber(name);
      return [number, `${head.outcomes[number]?.text} (${figure(counts[name], language)})`];
    });
  const { remarks } = survey;
  if (remarks > 0) outcomes.push(['remarks', fillIn(own.remarks, { n: figure(remarks, language) })]);
  const names = sheets.map(({ sheet }): Choice => [head.sheets.indexOf(sheet), sheet]);
  const search = { id: 'search', type: 'search', placeholder: own.hint };
  return element(
    'form',
    { id: 'filter', role: 'search', hidden: '' },
    element(
      'label',
      { class: 'search' },
      element('span', {}, own.search),
      element('input', { ...search, autocomplete: 'off', spellcheck: 'false' }),
    ),
    chooser('sheet', words.sheet, words.anySheet, names),
    chooser('outcome', own.outcome, words.anyOutcome, outcomes),
    element('button', { type: 'reset' }, own.reset),
    element('p', { id: 'told', role: 'status' }, ''),
  );
}

type Choice = [value: string | number, text: string];

function chooser(id: string, label: string, any: string, choices: readonly Choice[]): ElementPiece {
  const options = [['', any] as const, ...choices];
  return element(
    'label',
    { hidden: choices.length < 2 ? '' : undefined },
    element('span', {}, label),
    element(
      'select',
      { id },
      options.map(([value, text]) => element('option', { value }, text)),
    ),
  );
}
