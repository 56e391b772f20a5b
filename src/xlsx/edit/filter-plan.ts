import { type Cell, columnLetters } from '../../core/cell.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import type { Relationship } from '../read/package.ts';
import { noWorkNote, type StatusFilter, statusFilter } from '../status-filter.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { isOurs, type ResultColumns } from './added-columns.ts';
import {
  type CellRange,
  type Choice,
  choiceText,
  type FilterChange,
  type FoundFilter,
} from './auto-filter.ts';
import type { RowVisibility } from './row-rewriter.ts';
import type { SheetFilter } from './sheet-rewriter.ts';
import { type SheetSurvey, surveySheet } from './sheet-survey.ts';
import type { SourceBook } from './source-book.ts';
import type { RewriteStyles } from './styles-part.ts';

/** Columns with a condition that is taken off, by the part of their table; null is the sheet's own filter. */
type LiftedConditions = Map<string | null, Set<number>>;

/** How a result filters a sheet. */
export interface FilterPlan {
  readonly visibility: RowVisibility;
  readonly sheet: SheetFilter;
  /** The condition on the status, and the part of the table that gets it; null for none. */
  readonly condition: FilterChange['condition'];
  readonly table: string | null;
  /** Conditions of the user that hide rows that need work. */
  readonly lifted: LiftedConditions;
  /** Notes for the user. */
  readonly notes: readonly Bilingual[];
}

/** Plans the filter of a sheet, surveyed only if it gets one or may have one of an earlier result. */
export async function planFilter(
  book: SourceBook,
  sheet: ResultSheet,
  entry: ZipEntry,
  related: readonly Relationship[],
  own: ResultColumns,
  styles: RewriteStyles,
): Promise<FilterPlan> {
  const wanted = await statusFilter(sheet);
  const isLeft = wanted === undefined && (sheet.oldColumns?.size ?? 0) === 0;
  const survey = isLeft ? undefined : await surveySheet(book, related, entry, own, styles);
  const condition = wanted === undefined ? null : { column: own.first, filter: wanted };
  const lifted: LiftedConditions = new Map();
  const headers = await liftConditions(sheet, survey, wanted, own, lifted);
  const place = survey && wanted && placeFilter(survey, own, lifted, wanted);
  const isFiltered = survey?.isFiltered ?? (() => false);
  const lost = wanted === undefined ? [noWorkNote(sheet)] : place === undefined ? [inTheWay(sheet)] : [];
  return {
    ...{ condition, lifted, table: place?.table ?? null },
    visibility: { wanted, bottom: place?.range.bottom ?? 0, isFiltered },
    sheet: sheetFilter(survey?.filter, own, lifted, place, condition),
    notes: sheet.shown === undefined ? [] : [...lost, ...liftedNotes(sheet, lifted, headers)],
  };
}

const inTheWay = ({ name }: ResultSheet): Bilingual =>
  t(
    `sheet ${name}: its own filter stands in the way of one on #status, so the rows that need no work are not hidden`,
    `werkblad ${name}: het eigen filter staat een filter op #status in de weg, dus de rijen die geen werk vragen zijn niet verborgen`,
  );

/**
 * Finds the conditions of the user under which a wanted row is not seen; reads the rows if there are any.
 * Returns the headers of the columns.
 */
async function liftConditions(
  sheet: ResultSheet,
  survey: SheetSurvey | undefined,
  wanted: StatusFilter | undefined,
  own: ResultColumns,
  lifted: LiftedConditions,
): Promise<ReadonlyMap<number, string>> {
  const headers = new Map<number, string>();
  const filters = survey === undefined ? [] : ownFilters(survey, own);
  if (survey === undefined || wanted === undefined || filters.length === 0) return headers;
  for await (const { row, outcome } of sheet.rows) {
    const isWanted = wanted.shows(outcome);
    const hidden = row.hidden === true && !survey.isFiltered(row.number);
    for (const { part, columns, filter } of filters) {
      const { top, bottom } = filter.range;
      if (row.number === top) for (const { column, value } of row.cells) headers.set(column, String(value));
      if (!isWanted || row.number <= top || row.number > bottom) continue;
      for (const column of columns) {
        const cell = row.cells.find((one) => one.column === column);
        if (!(leaves(filter.choices.get(column), cell) ?? !hidden))
          lifted.set(part, (lifted.get(part) ?? new Set()).add(column));
      }
    }
  }
  return headers;
}

/** The filters with a condition of the user, and the columns of these. */
const ownFilters = ({ filter: ofSheet, tables }: SheetSurvey, own: ResultColumns) =>
  [{ part: null, filter: ofSheet }, ...tables].flatMap(({ part, filter }) => {
    const columns = filter?.conditions.filter((column) => !isOurs(own, column)) ?? [];
    return filter === undefined || columns.length === 0 ? [] : [{ part, filter, columns }];
  });

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
function liftedNotes(
  { name }: ResultSheet,
  lifted: LiftedConditions,
  headers: ReadonlyMap<number, string>,
): Bilingual[] {
  const columns = [...new Set([...lifted.values()].flatMap((some) => [...some]))];
  if (columns.length === 0) return [];
  const named = columns
    .sort((one, other) => one - other)
    .map((column) => `${columnLetters(column)} ${headers.get(column) ?? ''}`.trim());
  const list = named.join(', ');
  return [
    t(
      `sheet ${name}: your filter on ${list} is taken off, as it hides rows that need work`,
      `werkblad ${name}: je filter op ${list} is eraf gehaald, want het verbergt rijen die werk vragen`,
    ),
  ];
}

/** Where the filter of a result goes. */
interface FilterPlace {
  /** The part of its table; null for the filter of the sheet. */
  readonly table: string | null;
  readonly range: CellRange;
  /** All conditions of the filter of the sheet go. */
  readonly renews: boolean;
}

/** Whether two ranges share a cell. */
const overlap = (one: CellRange, other: CellRange): boolean =>
  one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom;

/** Whether the condition of the sheet's own filter on a column goes. */
const goes = (own: ResultColumns, lifted: LiftedConditions, column: number): boolean =>
  isOurs(own, column) || lifted.get(null)?.has(column) === true;

/**
 * Where to filter on the status: in the table of the rows, else in the filter of the sheet, which may have to
 * grow. Undefined if the sheet filters something else, as it can have only one.
 */
function placeFilter(
  survey: SheetSurvey,
  own: ResultColumns,
  lifted: LiftedConditions,
  wanted: StatusFilter,
): FilterPlace | undefined {
  const { first, last, headerRow } = own;
  const table = survey.tables.find(
    ({ plain, range }) => plain && range.top === headerRow && range.left < first && range.right >= first - 1,
  );
  if (table !== undefined) {
    const { range, part, bottom } = table;
    return { table: part, renews: false, range: { ...range, right: Math.max(range.right, last), bottom } };
  }
  const taken = [...survey.tables.map(({ range }) => range), ...survey.pivots];
  const isFree = (range: CellRange): boolean => !taken.some((one) => overlap(one, range));
  const before = survey.filter;
  if (before !== undefined && before.range.top === headerRow && before.range.left <= first) {
    const { right, bottom } = before.range;
    const grown = { right: Math.max(right, last), bottom: Math.max(bottom, wanted.bottom) };
    const range = { ...before.range, ...grown };
    if (isFree(range)) return { table: null, renews: false, range };
  }
  if (before?.conditions.some((column) => !goes(own, lifted, column))) return undefined;
  const left = Math.min(survey.left || first, first);
  const whole = { left, top: headerRow, right: last, bottom: wanted.bottom };
  return { table: null, renews: true, range: isFree(whole) ? whole : { ...whole, left: first } };
}

/** How the filter of the sheet changes, and whether it then hides rows. */
function sheetFilter(
  before: FoundFilter | undefined,
  own: ResultColumns,
  lifted: LiftedConditions,
  place: FilterPlace | undefined,
  condition: FilterChange['condition'],
): SheetFilter {
  const isGone = (column: number): boolean => goes(own, lifted, column);
  if (place?.table === null) {
    const drops = place.renews ? () => true : isGone;
    return {
      filter: { range: place.range, condition, drops, isNew: before === undefined },
      filterMode: true,
    };
  }
  if (before === undefined || !before.conditions.some(isGone)) return { filter: null, filterMode: undefined };
  const { left, right } = before.range;
  const grows = left < own.first && right >= own.first - 1;
  const range = { ...before.range, right: grows ? Math.max(right, own.last) : right };
  return {
    filter: { range, condition: null, drops: isGone, isNew: false },
    filterMode: before.conditions.every(isGone) ? false : undefined,
  };
}
