import { type Cell, columnLetters } from '../../core/cell.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import type { StatusFilter } from '../status-filter.ts';
import { type Choice, choiceText, type FoundFilter, LiftedConditions } from './auto-filter.ts';
import type { ProgramColumns, SheetSurvey } from './sheet-survey.ts';

/** The conditions that hide a wanted row, and the headers of their columns. */
export interface FoundConditions {
  readonly lifted: LiftedConditions;
  readonly headers: ReadonlyMap<number, string>;
}

/** Finds the conditions of the user under which a wanted row is not seen; reads the rows if there are any. */
export async function conditionsToLift(
  sheet: ResultSheet,
  survey: SheetSurvey,
  wanted: StatusFilter,
  isOurs: ProgramColumns,
): Promise<FoundConditions> {
  const lifted = new LiftedConditions();
  const headers = new Map<number, string>();
  const filters = ownFilters(survey, isOurs);
  if (filters.length === 0) return { lifted, headers };
  for await (const { row, outcome } of sheet.rows) {
    const isWanted = outcome !== undefined && wanted.shows(outcome);
    const hidden = row.hidden === true && !survey.isFiltered(row.number);
    for (const { part, columns, filter } of filters) {
      const { top, bottom } = filter.range;
      if (row.number === top) for (const { column, value } of row.cells) headers.set(column, String(value));
      if (!isWanted || row.number <= top || row.number > bottom) continue;
      for (const column of columns) {
        const cell = row.cells.find((one) => one.column === column);
        if (!(leaves(filter.choices.get(column), cell) ?? !hidden)) lifted.add(part, column);
      }
    }
  }
  return { lifted, headers };
}

interface OwnFilter {
  readonly part: string | null;
  readonly filter: FoundFilter;
  /** The columns with a condition of the user. */
  readonly columns: readonly number[];
}

function ownFilters({ filter, tables }: SheetSurvey, isOurs: ProgramColumns): OwnFilter[] {
  const all = [{ part: null, filter }, ...tables];
  return all.flatMap((one) => {
    const columns = one.filter?.conditions.filter((column) => !isOurs(column)) ?? [];
    return one.filter === undefined || columns.length === 0
      ? []
      : [{ part: one.part, filter: one.filter, columns }];
  });
}

/** Whether a condition leaves a cell in sight; undefined where that depends on how the cell is shown. */
function leaves(choice: Choice | undefined, cell: Cell | undefined): boolean | undefined {
  if (choice === undefined) return undefined;
  if (cell === undefined || cell.value === '') return choice.blank;
  if (choice.values.has(choiceText(String(cell.value)))) return true;
  if (cell.type === 'text') return false;
  if (cell.type !== 'number') return undefined;
  if (choice.numbers.has(cell.value)) return true;
  return choice.numbers.has(Number.NaN) ? undefined : false;
}

/** The note that names the columns; none if no condition is taken off. */
export function liftedNotes(
  { name }: Pick<ResultSheet, 'name'>,
  { lifted, headers }: FoundConditions,
): Bilingual[] {
  const columns = lifted.all();
  if (columns.length === 0) return [];
  const named = columns.map((column) => `${columnLetters(column)} ${headers.get(column) ?? ''}`.trim());
  const list = named.join(', ');
  return [
    t(
      `sheet ${name}: your filter on ${list} is taken off, as it hides rows that need work`,
      `werkblad ${name}: je filter op ${list} is eraf gehaald, want het verbergt rijen die werk vragen`,
    ),
  ];
}
