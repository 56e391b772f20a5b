import { type Cell, columnLetters } from '../../core/cell.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import type { StatusFilter } from '../status-filter.ts';
import { type Choice, choiceText, type FoundFilter } from './auto-filter.ts';
import type { ProgramColumns, SheetSurvey } from './sheet-survey.ts';

/** Conditions of the user that a result takes off, as they hide a row that needs work. */
export class LiftedConditions {
  private readonly columns = new Map<string | null, Set<number>>();

  add(part: string | null, column: number): void {
    const columns = this.columns.get(part) ?? new Set();
    this.columns.set(part, columns.add(column));
  }

  /** Whether that on a column goes: of the table of this part, or null for the filter of the sheet. */
  has(part: string | null, column: number): boolean {
    return this.columns.get(part)?.has(column) === true;
  }

  /** The same for the table of a part; null if it keeps all. */
  of(part: string | null): ((column: number) => boolean) | null {
    return part !== null && this.columns.has(part) ? (column) => this.has(part, column) : null;
  }

  /** The columns of all of them, in order. */
  all(): number[] {
    const columns = new Set([...this.columns.values()].flatMap((some) => [...some]));
    return [...columns].sort((one, other) => one - other);
  }
}

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
