import { type ElementPiece, element, fillIn } from './piece.ts';
import type { ReportHead } from './report-row.ts';
import { headRow, rowPiece } from './report-row.ts';
import { REPORT_WORDS } from './report-words.ts';
import type { SurveyedReport } from './survey-rows.ts';
import { OUTCOME_TONES, type OutcomeName, outcomeNumber, outcomeWords } from './survey-rows.ts';

/** The rows: the first of them, which the page's script takes over, and the form to choose from all. */
export function rowSection(surveyed: SurveyedReport, head: ReportHead): ElementPiece {
  const { survey, wording } = surveyed;
  const { language, dryRun } = wording;
  const { words } = head;
  const count = (n: number): string => new Intl.NumberFormat(language).format(n);
  const title = dryRun ? REPORT_WORDS.wouldChange : REPORT_WORDS.changed;
  const { listed, first, unchanged } = survey;
  const counted = { n: count(first.length), total: count(listed) };
  const unlisted = unchanged === 1 ? REPORT_WORDS.oneUnchanged : REPORT_WORDS.unchanged;
  return element(
    'section',
    { id: 'list', 'aria-labelledby': 'list-title' },
    element('h2', { id: 'list-title', tabindex: '-1' }, title[language]),
    filterForm(surveyed, head),
    ...(listed > first.length
      ? [element('noscript', {}, element('p', {}, fillIn(REPORT_WORDS.withoutScript[language], counted)))]
      : []),
    ...(listed === 0 ? [element('p', {}, REPORT_WORDS.nothingListed[language])] : []),
    element(
      'table',
      {
        class: 'rows',
        role: 'table',
        'aria-labelledby': 'list-title',
        ...(listed === 0 ? { hidden: '' } : {}),
      },
      element('thead', { role: 'rowgroup' }, headRow([words.row, words.outcome, words.record, words.said])),
      element(
        'tbody',
        { id: 'rows', role: 'rowgroup' },
        first.map((row) => rowPiece(row, head)),
      ),
    ),
    element('button', { id: 'more', type: 'button', hidden: '' }, ''),
    ...(unchanged === 0
      ? []
      : [element('p', { class: 'unlisted' }, fillIn(unlisted[language], { n: count(unchanged) }))]),
  );
}

/** Hidden until the page's script runs. */
function filterForm(
  { counts, survey, sheets, wording, sheetNames }: SurveyedReport,
  head: ReportHead,
): ElementPiece {
  const { language } = wording;
  const { words } = head;
  const texts = outcomeWords(wording);
  const count = (n: number): string => new Intl.NumberFormat(language).format(n);
  const outcomes = (Object.keys(OUTCOME_TONES) as OutcomeName[])
    .filter((name) => name !== 'unchanged' && counts[name] > 0)
    .map((name) => ({
      value: outcomeNumber(name),
      text: `${texts[outcomeNumber(name)]?.text} (${count(counts[name])})`,
    }));
  const remarks =
    survey.remarks === 0
      ? []
      : [{ value: 'remarks', text: fillIn(words.remarks, { n: count(survey.remarks) }) }];
  const names = sheets.map(({ sheet }) => ({ value: sheetNames.numberOf(sheet), text: sheet }));
  return element(
    'form',
    { id: 'filter', role: 'search', hidden: '' },
    element(
      'label',
      { class: 'search' },
      element('span', {}, words.search),
      element('input', {
        id: 'search',
        type: 'search',
        placeholder: words.hint,
        autocomplete: 'off',
        spellcheck: 'false',
      }),
    ),
    chooser('sheet', REPORT_WORDS.sheet[language], REPORT_WORDS.anySheet[language], names),
    chooser('outcome', words.outcome, REPORT_WORDS.anyOutcome[language], [...outcomes, ...remarks]),
    element('button', { type: 'reset' }, words.reset),
    element('p', { id: 'told', role: 'status' }, ''),
  );
}

function chooser(
  id: string,
  label: string,
  any: string,
  choices: readonly { readonly value: string | number; readonly text: string }[],
): ElementPiece {
  return element(
    'label',
    choices.length < 2 ? { hidden: '' } : {},
    element('span', {}, label),
    element(
      'select',
      { id },
      element('option', { value: '' }, any),
      choices.map(({ value, text }) => element('option', { value: String(value) }, text)),
    ),
  );
}
