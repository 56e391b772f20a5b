import { LAST_ROW } from '../../files/limits.ts';
import { findPart, partChunks, type Relationship, scanPart } from '../read/package.ts';
import { SeenRows } from '../read/sheet-scanner.ts';
import type { StatusFilter } from '../status-filter.ts';
import { NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeNumber, attributeValue } from '../xml/xml-text.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import type { AddedColumns } from './added-columns.ts';
import {
  type CellRange,
  cellRange,
  type FilterChange,
  FilterFinder,
  type FoundFilter,
  type LiftedConditions,
  overlap,
} from './auto-filter.ts';
import { cellColumn, formatOf, rowNumber, skipRow } from './row-rewriter.ts';
import { ATTRIBUTE, ELEMENT } from './sheet-codes.ts';
import type { SourceBook } from './source-book.ts';
import type { RewriteStyles } from './styles-part.ts';

/** A table on the sheet. */
interface FoundTable {
  /** Name of its part. */
  readonly part: string;
  readonly range: CellRange;
  /** The last row that is not a total. */
  readonly bottom: number;
  /** It has a header row, and is not filled by a query. */
  readonly plain: boolean;
  readonly filter: FoundFilter | undefined;
}

/** The filters of a sheet, what is in the way of another one, and rows hidden by an earlier result. */
export interface SheetSurvey {
  /** The filter of the sheet itself. */
  readonly filter: FoundFilter | undefined;
  readonly tables: readonly FoundTable[];
  readonly pivots: readonly CellRange[];
  /** The first column of the header row, 0 if that is blank. */
  readonly left: number;
  /** Whether only a condition on columns of an earlier result hides a row. */
  isFiltered(row: number): boolean;
}

/** The columns of this result and of an earlier one. */
export type ProgramColumns = (column: number) => boolean;

interface KnownSheet {
  readonly headerRow: number;
  readonly isOurs: ProgramColumns;
  readonly styles: RewriteStyles;
}

const TYPE = nameCode('tableType');
const HEADERS = nameCode('headerRowCount');
const TOTALS = nameCode('totalsRowCount');
const PIVOT_PLACE = nameCode('location');

/** Surveys a worksheet part with its tables and pivot tables before the rewrite. Throws DamagedPart. */
export async function surveySheet(
  book: SourceBook,
  related: readonly Relationship[],
  entry: ZipEntry,
  known: KnownSheet,
): Promise<SheetSurvey> {
  const tables: FoundTable[] = [];
  const pivots: CellRange[] = [];
  for (const { type, target } of related) {
    const part = findPart(book.source, target);
    if (part === undefined) continue;
    if (type === 'table') tables.push(...(await surveyTable(book, part)));
    if (type === 'pivotTable') pivots.push(...(await pivotRanges(book, part)));
  }
  const { filter, left, hidden } = await surveyRows(book, entry, known);
  const ranges = [filter, ...tables.map((table) => table.filter)].flatMap((one) =>
    one?.conditions.some(known.isOurs) === true ? [one.range] : [],
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
    const totals = attributeNumber(scanner, TOTALS);
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
  /** Hidden rows with an outcome that does not mark them as hidden before. */
  readonly hidden: SeenRows;
}

async function surveyRows(
  { source }: SourceBook,
  entry: ZipEntry,
  { headerRow, isOurs, styles }: KnownSheet,
): Promise<Rows> {
  const scanner = new XmlScanner(source.limits.tokenBytes);
  const finder = new FilterFinder();
  const hidden = new SeenRows();
  let left = 0;
  let row = 0;
  let column = 0;
  let inData = false;
  let isHidden = false;
  /** The current row has an outcome of an earlier result, which marks it as hidden before. */
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
    if (row !== headerRow && !isHidden && !scanner.selfClosing) skipRow(scanner);
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
  /** The part of its table; null for the filter of the sheet. */
  readonly table: string | null;
  readonly range: CellRange;
  /** All conditions of the filter of the sheet go. */
  readonly renews: boolean;
}

/** The sheet that gets a filter, and which. */
interface FilterTarget {
  readonly own: AddedColumns;
  readonly headerRow: number;
  readonly isOurs: ProgramColumns;
  readonly lifted: LiftedConditions;
  readonly filter: StatusFilter;
}

/**
 * Where to filter on the status: in the table of the rows, else in the filter of the sheet, which may have to
 * grow. Undefined if the sheet filters something else, as it can have only one.
 */
export function placeFilter(survey: SheetSurvey, target: FilterTarget): FilterPlace | undefined {
  const { own, headerRow, isOurs, lifted, filter } = target;
  const table = survey.tables.find(
    ({ plain, range }) =>
      plain && range.top === headerRow && range.left < own.first && range.right >= own.first - 1,
  );
  if (table !== undefined) {
    const { range, part, bottom } = table;
    const right = Math.max(range.right, own.last);
    return { table: part, renews: false, range: { ...range, right, bottom } };
  }
  const taken = [...survey.tables.map(({ range }) => range), ...survey.pivots];
  const isFree = (range: CellRange): boolean => !taken.some((one) => overlap(one, range));
  const before = survey.filter;
  if (before !== undefined && before.range.top === headerRow && before.range.left <= own.first) {
    const { left, top, right, bottom } = before.range;
    const range = { left, top, right: Math.max(right, own.last), bottom: Math.max(bottom, filter.bottom) };
    if (isFree(range)) return { table: null, renews: false, range };
  }
  if (before?.conditions.some((column) => !isOurs(column) && !lifted.has(null, column))) return undefined;
  const { first, last: right } = own;
  const whole = { left: Math.min(survey.left || first, first), top: headerRow, right, bottom: filter.bottom };
  return { table: null, renews: true, range: isFree(whole) ? whole : { ...whole, left: first } };
}

/** How the filter of the sheet changes, and whether it then hides rows; null and undefined if they stay. */
export function sheetFilter(
  survey: SheetSurvey,
  { own, isOurs, lifted }: Pick<FilterTarget, 'own' | 'isOurs' | 'lifted'>,
  place: FilterPlace | undefined,
  filter: StatusFilter | undefined,
): { filter: (FilterChange & { isNew: boolean }) | null; filterMode: boolean | undefined } {
  const before = survey.filter;
  const goes = (column: number): boolean => isOurs(column) || lifted.has(null, column);
  if (place?.table === null && filter !== undefined) {
    const condition = { column: own.first, filter };
    const drops = place.renews ? () => true : goes;
    const isNew = before === undefined;
    return { filter: { range: place.range, condition, drops, isNew }, filterMode: true };
  }
  if (before === undefined || !before.conditions.some(goes)) return { filter: null, filterMode: undefined };
  const { range } = before;
  const right =
    range.left < own.first && range.right >= own.first - 1 ? Math.max(range.right, own.last) : range.right;
  return {
    filter: { range: { ...range, right }, condition: null, drops: goes, isNew: false },
    filterMode: before.conditions.every(goes) ? false : undefined,
  };
}
