import { LAST_ROW } from '../../files/limits.ts';
import { findPart, partChunks, type Relationship, scanPart } from '../read/package.ts';
import { SeenRows } from '../read/sheet-scanner.ts';
import type { StatusFilter } from '../status-filter.ts';
import { NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeValue } from '../xml/xml-text.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import type { OwnColumns } from './added-columns.ts';
import {
  type CellRange,
  cellRange,
  type FilterChange,
  FilterFinder,
  type FoundFilter,
  overlap,
} from './auto-filter.ts';
import { cellColumn, formatOf, passRow, rowNumber } from './row-rewriter.ts';
import { ATTRIBUTE, ELEMENT } from './sheet-codes.ts';
import type { SourceBook } from './source-book.ts';
import type { RewriteStyles } from './styles-part.ts';

/** A table on a sheet. */
interface FoundTable {
  /** The name of its part. */
  readonly part: string;
  readonly range: CellRange;
  /** The last of its rows that is no total. */
  readonly bottom: number;
  /** Its first row holds its headers, and its columns come from nowhere else. */
  readonly plain: boolean;
  readonly filter: FoundFilter | undefined;
}

/**
 * The filters that a sheet has, what stands in the way of another one, and which rows an earlier result's
 * hides.
 */
export interface SheetSurvey {
  /** The sheet's own filter, which no table has. */
  readonly filter: FoundFilter | undefined;
  readonly tables: readonly FoundTable[];
  readonly pivots: readonly CellRange[];
  /** The first column of the header row, 0 where it has no cells. */
  readonly left: number;
  /** Whether a row is hidden by a condition on the columns of an earlier result, and by nothing before it. */
  isFiltered(row: number): boolean;
}

/** The columns of an earlier result, and of this one. */
export type ProgramColumns = (column: number) => boolean;

const TYPE = nameCode('tableType');
const HEADERS = nameCode('headerRowCount');
const TOTALS = nameCode('totalsRowCount');
const PIVOT_PLACE = nameCode('location');

/** Goes through a worksheet part and what hangs on it, before it is rewritten. Throws DamagedPart. */
export async function surveySheet(
  book: SourceBook,
  related: readonly Relationship[],
  entry: ZipEntry,
  { headerRow, isOurs, styles }: { headerRow: number; isOurs: ProgramColumns; styles: RewriteStyles },
): Promise<SheetSurvey> {
  const tables: FoundTable[] = [];
  const pivots: CellRange[] = [];
  for (const { type, target } of related) {
    const part = findPart(book.source, target);
    if (part === undefined) continue;
    if (type === 'table') tables.push(...(await surveyTable(book, part)));
    if (type === 'pivotTable') pivots.push(...(await pivotRanges(book, part)));
  }
  const { filter, left, hidden } = await surveyRows(book, entry, { headerRow, isOurs, styles });
  const ranges = [filter, ...tables.map((table) => table.filter)].flatMap((one) =>
    one?.conditions.some(isOurs) === true ? [one.range] : [],
  );
  const isFiltered = (row: number): boolean =>
    hidden.has(row) && ranges.some(({ top, bottom }) => row > top && row <= bottom);
  return { filter, tables, pivots, left, isFiltered };
}

async function surveyTable({ source }: SourceBook, entry: ZipEntry): Promise<FoundTable[]> {
  const finder = new FilterFinder();
  let found: Omit<FoundTable, 'filter'> | undefined;
  await scanPart(source, entry, (scanner, token) => {
    finder.visit(scanner, token);
    if (found !== undefined || token !== OPEN) return;
    const range = cellRange(attributeValue(scanner, ATTRIBUTE.ref));
    if (range === undefined) return;
    const own = (attributeValue(scanner, TYPE) ?? 'worksheet') === 'worksheet';
    const plain = own && attributeValue(scanner, HEADERS) !== '0';
    const totals = Number(attributeValue(scanner, TOTALS) ?? 0);
    found = { part: entry.name, range, bottom: range.bottom - totals, plain };
  });
  return found === undefined ? [] : [{ ...found, filter: finder.found }];
}

async function pivotRanges({ source }: SourceBook, entry: ZipEntry): Promise<CellRange[]> {
  const found: CellRange[] = [];
  await scanPart(source, entry, (scanner, token) => {
    if (token !== OPEN || scanner.code !== PIVOT_PLACE) return;
    const range = cellRange(attributeValue(scanner, ATTRIBUTE.ref));
    if (range !== undefined) found.push(range);
  });
  return found;
}

interface Rows {
  readonly filter: FoundFilter | undefined;
  readonly left: number;
  /** Hidden rows with an outcome of an earlier result that are not marked as hidden before it. */
  readonly hidden: SeenRows;
}

async function surveyRows(
  { source }: SourceBook,
  entry: ZipEntry,
  { headerRow, isOurs, styles }: { headerRow: number; isOurs: ProgramColumns; styles: RewriteStyles },
): Promise<Rows> {
  const scanner = new XmlScanner(source.limits.tokenBytes);
  const finder = new FilterFinder();
  const hidden = new SeenRows();
  let left = 0;
  let row = 0;
  let column = 0;
  let inData = false;
  let isHidden = false;
  /** Whether the row at hand has an outcome of an earlier result, and is marked as hidden before it. */
  let [hasOutcome, marked] = [false, false];
  const endRow = (): void => {
    if (hasOutcome && !marked) hidden.add(row);
    hasOutcome = false;
    marked = false;
  };
  const openRow = (): void => {
    endRow();
    row = Math.min(rowNumber(scanner) || row + 1, LAST_ROW);
    column = 0;
    isHidden = attributeIsTrue(scanner, ATTRIBUTE.hidden);
    if (row !== headerRow && !isHidden && !scanner.selfClosing) passRow(scanner);
  };
  const openCell = (): void => {
    column = cellColumn(scanner) || column + 1;
    if (row === headerRow) left = left === 0 ? column : Math.min(left, column);
    else if (isHidden && isOurs(column)) {
      hasOutcome = true;
      marked ||= styles.isMarked(formatOf(scanner));
    }
  };
  for await (const chunk of partChunks(source, entry)) {
    scanner.feed(chunk);
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      const level = scanner.depth + (token === OPEN && !scanner.selfClosing ? 0 : 1);
      if (level === 2 && token === OPEN) inData = scanner.code === ELEMENT.sheetData && !scanner.selfClosing;
      if (!inData) finder.visit(scanner, token);
      else if (token === OPEN && level === 3 && scanner.code === ELEMENT.row) openRow();
      else if (token === OPEN && level === 4 && scanner.code === ELEMENT.cell) openCell();
    }
  }
  endRow();
  return { filter: finder.found, left, hidden };
}

/** Where the filter of a result goes. */
export interface FilterPlace {
  /** The part of the table whose filter it is; null for the sheet's own. */
  readonly table: string | null;
  readonly range: CellRange;
  /** Nothing of what the sheet's own filter was stays. */
  readonly renews: boolean;
}

/** The sheet that gets a filter, and which. */
interface FilterTarget {
  readonly own: OwnColumns;
  readonly headerRow: number;
  readonly isOurs: ProgramColumns;
  readonly filter: StatusFilter;
}

/**
 * Where a filter on the status can go: in the table that the rows are in, else in the sheet's own filter,
 * which reaches over the added columns then. Undefined where the sheet filters something else, as it can have
 * but one.
 */
export function placeFilter(survey: SheetSurvey, target: FilterTarget): FilterPlace | undefined {
  const { own, headerRow, isOurs, filter } = target;
  const table = survey.tables.find((one) => holdsRows(one, target));
  if (table !== undefined) {
    const { range, part, bottom } = table;
    return {
      table: part,
      renews: false,
      range: { ...range, right: Math.max(range.right, own.last), bottom },
    };
  }
  const taken = [...survey.tables.map(({ range }) => range), ...survey.pivots];
  const isFree = (range: CellRange): boolean => !taken.some((one) => overlap(one, range));
  const before = survey.filter;
  if (before !== undefined && before.range.top === headerRow && before.range.left <= own.first) {
    const { left, top, right, bottom } = before.range;
    const range = { left, top, right: Math.max(right, own.last), bottom: Math.max(bottom, filter.bottom) };
    if (isFree(range)) return { table: null, renews: false, range };
  }
  if (before?.conditions.some((column) => !isOurs(column))) return undefined;
  const { first, last: right } = own;
  const whole = { left: Math.min(survey.left || first, first), top: headerRow, right, bottom: filter.bottom };
  return { table: null, renews: true, range: isFree(whole) ? whole : { ...whole, left: first } };
}

function holdsRows({ plain, range }: FoundTable, { own, headerRow }: FilterTarget): boolean {
  return plain && range.top === headerRow && range.left < own.first && range.right >= own.first - 1;
}

/**
 * What becomes of the sheet's own filter, and whether it then hides rows; null and undefined where both stay
 * as they are.
 */
export function sheetFilter(
  survey: SheetSurvey,
  { own, isOurs }: Pick<FilterTarget, 'own' | 'isOurs'>,
  place: FilterPlace | undefined,
  filter: StatusFilter | undefined,
): { filter: (FilterChange & { isNew: boolean }) | null; filterMode: boolean | undefined } {
  const before = survey.filter;
  if (place?.table === null && filter !== undefined) {
    const condition = { column: own.first, filter };
    const drops = place.renews ? () => true : isOurs;
    return {
      filter: { range: place.range, condition, drops, isNew: before === undefined },
      filterMode: true,
    };
  }
  if (before === undefined || !before.conditions.some(isOurs)) return { filter: null, filterMode: undefined };
  const { range } = before;
  const right =
    range.left < own.first && range.right >= own.first - 1 ? Math.max(range.right, own.last) : range.right;
  return {
    filter: { range: { ...range, right }, condition: null, drops: isOurs, isNew: false },
    filterMode: before.conditions.every(isOurs) ? false : undefined,
  };
}
