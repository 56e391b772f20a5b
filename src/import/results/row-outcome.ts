import { addressColumn } from '../../core/cell.ts';
import { type Counts, type Made, OUTCOME_TONES, shownName } from '../../core/counts.ts';
import { OUTPUT_MARKS } from '../../core/header.ts';
import type { Issue } from '../../core/issue.ts';
import { asTyped, type Bilingual, type Form, t } from '../../core/language.ts';
import type { RowResult } from '../../core/plan.ts';
import type { SheetCounts } from '../../core/plan-report.ts';
import {
  changesText,
  isMade,
  issuesOf,
  messageText,
  needsWork,
  statusText,
  type ValueWording,
} from '../../core/row-text.ts';
import { visibleText } from '../../core/visible-text.ts';
import type { CellMark, ShownOutcome } from '../../files/result-sheet.ts';
import { countOf } from '../apply/apply-plan.ts';
import type { KeptCorrection } from '../correct/corrected-workbook.ts';
import { isNoRecord } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import { correctedText } from './corrected-cells.ts';

/** How a result is worded: language, numbers, and as what was done or what would be. */
export interface ResultWording extends ValueWording {
  readonly dryRun: boolean;
  /** What the creates of a resource are called; undefined where they are creates. */
  readonly madeBy: (resource: string) => Made | undefined;
  /** How texts are said: with commands, or as on a page, where it is absent as they are. */
  readonly form?: Form | undefined;
  /** Only rows that need work are seen: the others are hidden. */
  readonly onlyProblems?: boolean | undefined;
  /** Others send it still: a row that is out is no more than not done yet. */
  readonly busy?: boolean | undefined;
}

/** How a result says a text. */
export const sayIn =
  ({ language, form = asTyped }: Pick<ResultWording, 'language' | 'form'>) =>
  (text: Bilingual): string =>
    form(text)[language];

/** The name that a row's outcome is shown under. */
export const outcomeOf = (result: RowResult, { dryRun, madeBy }: ResultWording): keyof typeof OUTCOME_TONES =>
  shownName(countOf(result, dryRun), madeBy(result.planned.resource)) as keyof typeof OUTCOME_TONES;

/** The counts of sheets, with what their creates are called. */
export const withMade = (
  sheets: readonly SheetCounts[],
  { madeBy }: Pick<ResultWording, 'madeBy'>,
): { readonly sheet: string; readonly counts: Counts; readonly made: Made | undefined }[] =>
  sheets.map(({ sheet, resource, counts }) => ({ sheet, counts, made: madeBy(resource) }));

/** Where a sheet has its fields. */
type ResultColumns = Pick<SheetMapping, 'columnOf'>;

/** A row's outcome as it stands beside the row. */
export function toOutcome(
  result: RowResult,
  columns: ResultColumns,
  wording: ResultWording,
  corrections: readonly KeptCorrection[] = [],
): ShownOutcome {
  const { columnOf } = columns;
  const { language, form, dryRun, onlyProblems = false } = wording;
  const { planned, outcome } = result;
  const status = statusText(result, dryRun);
  const id = outcome?.id ?? planned.id;
  const told = [messageText(result, language, form)];
  if (corrections.length > 0) told.push(correctedText(corrections, language));
  const message = visibleText(told.filter((text) => text !== '').join('\n'));
  const changes = visibleText(changesText(planned, wording));
  const wanted = !dryRun && changes !== '' && needsWork(status);
  const cells = [
    // Without a status a total stays in sight.
    onlyProblems && isNoRecord(planned.message) ? null : status,
    id,
    message,
    wanted ? `${WANTED[language]}${isMade(planned) ? ' ' : '\n'}${changes}` : changes,
    outcome?.at ?? null,
  ];
  const said = marksOf(issuesOf(result));
  const changed = dryRun ? planned.changes.flatMap(({ field }) => columnOf.get(field) ?? []) : [];
  for (const { column } of corrections) changed.push(column);
  const marks = changed.length === 0 ? said : [...said, ...changeMarks(changed, said)];
  const usual = OUTCOME_TONES[countOf(result, dryRun)];
  const tone = planned.issues.length > 0 && usual !== 'bad' ? 'warn' : usual;
  const shown = { cells, tone, marks };
  return isMade(planned) ? { ...shown, oneLine: CHANGES } : shown;
}

/** Where the changes stand among the added cells. */
const CHANGES = OUTPUT_MARKS.indexOf('#changes');

/** Stands before changes that did not take place, or are not known to. */
export const WANTED = t('Wanted:', 'Gewenst:');

/** The marks on a row's own cells, one a cell. */
function marksOf(issues: readonly Issue[]): CellMark[] {
  const marks = new Map<number, CellMark>();
  for (const issue of issues) {
    if (issue.address === null) continue;
    const column = addressColumn(issue.address);
    const isBad = issue.severity === 'error' || marks.get(column)?.tone === 'bad';
    marks.set(column, { column, tone: isBad ? 'bad' : 'warn' });
  }
  return [...marks.values()];
}

/** Marks on cells that were corrected or whose values would be sent, but for those marked already. */
function changeMarks(columns: readonly number[], said: readonly CellMark[]): CellMark[] {
  return [...new Set(columns)]
    .filter((column) => !said.some((mark) => mark.column === column))
    .map((column) => ({ column, tone: 'change' }));
}
