import { statusOf } from '../../core/counts.ts';
import { OUTCOME_TONES, type OutcomeName } from '../../core/outcome-tones.ts';
import type { RowResult } from '../../core/plan.ts';
import {
  aboutText,
  changesText,
  isMade,
  issuesOf,
  messageText,
  needsWork,
  shownChanges,
} from '../../core/row-text.ts';
import { visibleText } from '../../core/visible-text.ts';
import { createProblemTally, type ProblemTally } from '../results/problem-tally.ts';
import { outcomeOf, type ResultWording, WANTED } from '../results/row-outcome.ts';
import { type Html, html } from './html.ts';

/** Most rows of one outcome that a report lists: a page of more is slow to open, and the result has them all. */
const MOST_ROWS = 2000;

/** The rows of one outcome, as lines of a table. */
export interface RowGroup {
  readonly name: OutcomeName;
  readonly lines: Html[];
  count: number;
}

/** What a report says of a run's rows. */
export interface ReportRows {
  readonly tally: ProblemTally;
  /** By outcome, what needs work first. */
  readonly groups: readonly RowGroup[];
  /** Rows that are listed, by their anchors. */
  readonly anchors: ReadonlySet<string>;
  /** Rows of which there is nothing to say. */
  readonly unchanged: number;
}

/** The id of a row in the page, for links. */
export const rowAnchor = (sheet: string, row: number): string => `${sheet}-${row}`.replace(/\s/g, '_');

/** Goes through a run's rows once. */
export async function gatherRows(
  rows: AsyncIterable<RowResult>,
  wording: ResultWording,
): Promise<ReportRows> {
  const tally = createProblemTally(wording);
  const groups = new Map<OutcomeName, RowGroup>();
  const anchors = new Set<string>();
  let unchanged = 0;
  for await (const result of rows) {
    tally.add(result);
    const name = outcomeOf(result, wording);
    const message = visibleText(messageText(result, wording.language, wording.form));
    if (name === 'unchanged' && message === '') {
      unchanged++;
      continue;
    }
    const group = groups.get(name) ?? { name, lines: [], count: 0 };
    groups.set(name, group);
    if (++group.count > MOST_ROWS) continue;
    anchors.add(rowAnchor(result.planned.sheet, result.planned.row));
    group.lines.push(rowLine(result, message, wording));
  }
  const names = Object.keys(OUTCOME_TONES) as OutcomeName[];
  const isWork = ({ name }: RowGroup): boolean => needsWork(statusOf(name, false));
  const inOrder = names.flatMap((name) => groups.get(name) ?? []);
  return {
    groups: [...inOrder.filter(isWork), ...inOrder.filter((group) => !isWork(group))],
    ...{ tally, anchors, unchanged },
  };
}

function rowLine(result: RowResult, message: string, wording: ResultWording): Html {
  const { planned, outcome } = result;
  const id = outcome?.id ?? planned.id;
  const issues = issuesOf(result);
  const tone = issues.some(({ severity }) => severity === 'error') ? 'bad' : issues.length > 0 && 'warn';
  return html`<tr id="${rowAnchor(planned.sheet, planned.row)}"><th scope="row">${planned.sheet} ${planned.row}</th><td>${visibleText(aboutText(planned))}${id !== null && html` <span class="dim">id ${id}</span>`}</td><td>${message !== '' && html`<p class="${tone}">${message}</p>`}${changeList(result, wording)}</td></tr>\n`;
}

/** What a row changes, a line each; what a new record is made with stands on one. */
function changeList({ planned, outcome }: RowResult, wording: ResultWording): Html | false {
  const made = isMade(planned) ? visibleText(changesText(planned, wording)) : '';
  const lines = shownChanges(planned, wording).map(
    ({ field, from, to }) =>
      html`<li>${field}: <del>${visibleText(from)}</del> → <ins>${visibleText(to)}</ins></li>`,
  );
  if (made === '' && lines.length === 0) return false;
  const wanted = !wording.dryRun && needsWork(outcome?.status ?? 'not sent');
  return html`${wanted && html`<p class="dim">${WANTED[wording.language]}</p>`}${made !== '' && html`<p>${made}</p>`}${lines.length > 0 && html`<ul>${lines}</ul>`}`;
}
