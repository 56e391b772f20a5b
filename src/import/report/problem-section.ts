import type { Bilingual } from '../../core/language.ts';
import { unknownTexts } from '../map/sheet-notes.ts';
import type { Problem } from '../results/problem-tally.ts';
import { type ElementPiece, element, fillIn, type Piece } from './piece.ts';
import { headRow, rowAnchor } from './report-row.ts';
import { REPORT_WORDS } from './report-words.ts';
import type { NameNumbers, SurveyedReport } from './survey-rows.ts';
import { linkTo } from './top-section.ts';

/** Most problems that are listed. */
const MOST_KINDS = 200;

/** The problems and oddities, a line a kind with links to its first rows; and how the file was read. */
export function attentionPieces(surveyed: SurveyedReport): ElementPiece[] {
  const { plan, survey, wording, notes } = surveyed;
  const { language } = wording;
  const of = (severity: Problem['severity']): readonly Problem[] =>
    survey.problems.filter((problem) => problem.severity === severity);
  const sheets = plan.recognised.flatMap((entry) =>
    entry.kind === 'problem' ? [entry.problem[language]] : [],
  );
  return [
    ...section('problems', REPORT_WORDS.problems[language], [
      ...paragraphs(sheets),
      ...problemTable(of('error'), 'bad', surveyed),
    ]),
    ...section('oddities', REPORT_WORDS.oddities[language], problemTable(of('warning'), 'warn', surveyed)),
    ...section('layout', REPORT_WORDS.layout[language], [
      ...paragraphs(notes.map((note) => note[language])),
      ...readingList(surveyed),
    ]),
  ];
}

function section(name: string, title: string, pieces: readonly Piece[]): ElementPiece[] {
  if (pieces.length === 0) return [];
  return [element('section', { 'aria-labelledby': name }, element('h2', { id: name }, title), pieces)];
}

const paragraphs = (texts: readonly string[]): Piece[] => texts.map((text) => element('p', {}, text));

function problemTable(
  problems: readonly Problem[],
  tone: 'bad' | 'warn',
  { wording: { language }, sheetNames }: SurveyedReport,
): Piece[] {
  if (problems.length === 0) return [];
  const { sheet, column, times, what, cells } = REPORT_WORDS;
  const heads = [sheet, column, times, what, cells];
  const left = problems.length - MOST_KINDS;
  return [
    element(
      'table',
      { class: `problems ${tone}`, role: 'table' },
      element('thead', { role: 'rowgroup' }, headRow(heads.map((head) => head[language]))),
      element(
        'tbody',
        { role: 'rowgroup' },
        problems.slice(0, MOST_KINDS).map((problem) => problemRow(problem, tone, language, sheetNames)),
      ),
    ),
    ...(left > 0 ? paragraphs([fillIn(REPORT_WORDS.moreProblems[language], { n: left })]) : []),
  ];
}

function problemRow(
  { sheet, column, count, text, addresses }: Problem,
  tone: string,
  language: keyof Bilingual,
  sheetNames: NameNumbers,
): ElementPiece {
  const cell = (head: Bilingual, ...children: Piece[]): ElementPiece =>
    element('td', { role: 'cell', 'data-label': head[language] }, children);
  const links = addresses.flatMap((address, at) => [
    ...(at === 0 ? [] : [' ']),
    cellLink(sheetNames.numberOf(sheet), address),
  ]);
  return element(
    'tr',
    { role: 'row' },
    element('th', { role: 'rowheader', scope: 'row' }, sheet),
    cell(REPORT_WORDS.column, column),
    cell(
      REPORT_WORDS.times,
      element('span', { class: `pill ${tone}` }, new Intl.NumberFormat(language).format(count)),
    ),
    cell(REPORT_WORDS.what, text),
    cell(REPORT_WORDS.cells, ...links, ...(count > addresses.length ? [' …'] : [])),
  );
}

function cellLink(sheet: number, address: string): ElementPiece {
  const row = Number(/\d+$/.exec(address)?.[0] ?? 0);
  return element('a', { href: `#${rowAnchor(sheet, row)}`, ...linkTo(sheet, { row }) }, address);
}

/** How the file and its sheets were read, columns not used, and sheets passed over. */
function readingList({ plan, wording: { language } }: SurveyedReport): Piece[] {
  const notes = plan.notes.map(({ sheet, text }): [string | null, string] => [sheet, text[language]]);
  const sheets = plan.recognised.flatMap((entry): [string, string][] => {
    const { name } = entry.sheet;
    if (entry.kind === 'skip')
      return [[name, fillIn(REPORT_WORDS.passedOver[language], { reason: entry.reason[language] })]];
    if (entry.kind === 'problem' || entry.mapping.unknown.length === 0) return [];
    const columns = unknownTexts(entry.mapping, language).join(', ');
    return [[name, fillIn(REPORT_WORDS.unused[language], { columns })]];
  });
  const order = [null, ...plan.recognised.map(({ sheet }) => sheet.name)];
  const all = [...notes, ...sheets].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const lines = all.map(([sheet, text]) =>
    element('li', {}, ...(sheet === null ? [] : [element('b', {}, `${sheet}: `)]), text),
  );
  return lines.length === 0 ? [] : [element('ul', { class: 'notes' }, lines)];
}
