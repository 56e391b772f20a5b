import { LAST_ROW } from '../../files/limits.ts';
import { cellColumn, rowNumber, styleIndex } from '../read/cells.ts';
import { findPart, partChunks, type Relationship, scanElements, scanPart } from '../read/package.ts';
import { SeenRows } from '../read/sheet-scanner.ts';
import { NEED, nameCodes, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeNumber, attributeValue } from '../xml/xml-text.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { isOurs, type ResultColumns } from './added-columns.ts';
import { type CellRange, cellRange, FilterFinder, type FoundFilter } from './auto-filter.ts';
import { skipRow } from './skip-rows.ts';
import type { SourceBook } from './source-book.ts';
import type { RewriteStyles } from './styles-part.ts';
import { isPlain } from './table-part.ts';

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

const ELEMENT = nameCodes('sheetData', 'row', 'c');

/** Surveys a worksheet part with its tables and pivot tables before the rewrite. Throws DamagedPart. */
export async function surveySheet(
  book: SourceBook,
  related: readonly Relationship[],
  entry: ZipEntry,
  own: ResultColumns,
  styles: RewriteStyles,
): Promise<SheetSurvey> {
  const tables: FoundTable[] = [];
  const pivots: CellRange[] = [];
  for (const { type, target } of related) {
    const part = findPart(book.source, target);
    if (part === undefined) continue;
    if (type === 'table') tables.push(...(await surveyTable(book, part)));
    if (type === 'pivotTable')
      await scanElements(book.source, part, 'location', (scanner) => {
        const range = cellRange(attributeValue(scanner, 'ref'));
        if (range !== undefined) pivots.push(range);
      });
  }
  const { filter, left, isHiddenByUs } = await surveyRows(book, entry, own, styles);
  const ranges = [filter, ...tables.map((table) => table.filter)].flatMap((one) =>
    one?.conditions.some((column) => isOurs(own, column)) === true ? [one.range] : [],
  );
  const isFiltered = (row: number): boolean =>
    isHiddenByUs(row) && ranges.some(({ top, bottom }) => row > top && row <= bottom);
  return { filter, tables, pivots, left, isFiltered };
}

async function surveyTable({ source }: SourceBook, entry: ZipEntry): Promise<FoundTable[]> {
  const finder = new FilterFinder();
  let found: Omit<FoundTable, 'filter'> | undefined;
  await scanPart(source, entry, (scanner, token) => {
    finder.visit(scanner, token);
    if (found !== undefined || token !== OPEN) return;
    const range = cellRange(attributeValue(scanner, 'ref'));
    if (range === undefined) return;
    const bottom = range.bottom - attributeNumber(scanner, 'totalsRowCount');
    found = { part: entry.name, range, bottom, plain: isPlain(scanner) };
  });
  return found === undefined ? [] : [{ ...found, filter: finder.found }];
}

async function surveyRows(
  { source }: SourceBook,
  entry: ZipEntry,
  own: ResultColumns,
  styles: RewriteStyles,
) {
  const { headerRow } = own;
  const scanner = new XmlScanner(source.limits.tokenBytes);
  const finder = new FilterFinder();
  /** Hidden rows with an outcome of an earlier result, and those that it marks as hidden before. */
  const [hidden, marked] = [new SeenRows(), new SeenRows()];
  let left = 0;
  let row = 0;
  let column = 0;
  let inData = false;
  let isHidden = false;
  const openRow = (): void => {
    row = Math.min(rowNumber(scanner) || row + 1, LAST_ROW);
    column = 0;
    isHidden = attributeIsTrue(scanner, 'hidden');
    if (row !== headerRow && !isHidden && !scanner.selfClosing) skipRow(scanner);
  };
  const openCell = (): void => {
    column = cellColumn(scanner) || column + 1;
    if (row === headerRow) left = left === 0 ? column : Math.min(left, column);
    else if (isHidden && isOurs(own, column)) {
      hidden.add(row);
      if (styles.isMarked(styleIndex(scanner) || 0)) marked.add(row);
    }
  };
  for await (const chunk of partChunks(source, entry)) {
    scanner.feed(chunk);
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      const { level } = scanner;
      if (level === 2 && token === OPEN) inData = scanner.code === ELEMENT.sheetData && !scanner.selfClosing;
      if (!inData) finder.visit(scanner, token);
      else if (token === OPEN && level === 3 && scanner.code === ELEMENT.row) openRow();
      else if (token === OPEN && level === 4 && scanner.code === ELEMENT.c) openCell();
    }
  }
  const isHiddenByUs = (number: number): boolean => hidden.has(number) && !marked.has(number);
  return { filter: finder.found, left, isHiddenByUs };
}
