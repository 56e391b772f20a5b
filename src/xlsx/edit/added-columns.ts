import { type Cell, cellAddress, columnLetters } from '../../core/cell.ts';
import { outputMark } from '../../core/header.ts';
import type { CellMark, ResultSheet, ShownOutcome } from '../../files/result-sheet.ts';
import { type CellRange, cellRange, rangeText } from '../../files/sheet.ts';
import { wrappedLines } from '../excel-text.ts';
import { cellXml, columnXml } from '../worksheet-xml.ts';
import type { BookStyles } from '../write/book-styles.ts';
import {
  attributeNumber,
  attributeValue,
  CLOSE,
  nameCodes,
  OPEN,
  type XmlScanner,
} from '../xml/xml-scanner.ts';
import { XmlCopy } from '../xml/xml-write.ts';

/** The columns of a result on a sheet: those that it adds, side by side, and those of an earlier one. */
export interface ResultColumns {
  readonly headerRow: number;
  readonly first: number;
  readonly last: number;
  readonly headers: readonly string[];
  /** The letters of each. */
  readonly letters: readonly string[];
  /** Whether sentences stand in each, which wrap. */
  readonly wraps: readonly boolean[];
  /** Columns of an earlier result elsewhere, with the header that each keeps. */
  readonly emptied: ReadonlyMap<number, string>;
}

/** The columns of a result, from what it adds and the columns of an earlier one. */
export function resultColumns(
  { firstColumn: first, headers }: NonNullable<ResultSheet['added']>,
  headerRow: number,
  old: ReadonlyMap<number, string> = new Map(),
): ResultColumns {
  const last = first + headers.length - 1;
  return {
    ...{ headerRow, first, last, headers },
    letters: headers.map((_, at) => columnLetters(first + at)),
    wraps: headers.map((header) => WRAPPED.has(outputMark(header) ?? header)),
    emptied: new Map([...old].filter(([column]) => column < first || column > last)),
  };
}

/** Added columns with sentences. */
const WRAPPED: ReadonlySet<string> = new Set(['#message', '#changes']);

/** Whether a column is one that the result adds. */
const isOwn = ({ first, last }: ResultColumns, column: number): boolean => column >= first && column <= last;

/** The same, or one of an earlier result. */
export const isOurs = (own: ResultColumns, column: number): boolean =>
  isOwn(own, column) || own.emptied.has(column);

/** Widths in characters. */
const WIDTHS: Readonly<Record<string, number>> = {
  '#status': 13,
  '#id': 11,
  '#message': 60,
  '#changes': 48,
  '#at': 20,
};
const WIDTH = 14;

/** Grows the range of the element just opened where that ends at or in the added columns; returns it. */
export function growRef(copy: XmlCopy, { first, last }: ResultColumns): CellRange | undefined {
  const range = cellRange(attributeValue(copy.scanner, 'ref'));
  if (range === undefined || range.left >= first || range.right < first - 1 || range.right >= last)
    return undefined;
  const grown = { ...range, right: last };
  copy.changeTag({ ref: rangeText(grown) });
  return grown;
}

/** What becomes of a place in a row: an added cell as it is, or a cell with another value, another background, or both. */
interface CellEdit {
  readonly column: number;
  readonly xml?: string;
  readonly cell?: Cell | null;
  readonly tone?: CellMark['tone'];
}

/** The added cells of a row with an outcome, without empty ones. */
export function outcomeCells(
  row: number,
  { cells, tone, oneLine }: ShownOutcome,
  own: ResultColumns,
  styles: BookStyles,
  prefix: string,
): CellEdit[] {
  const placed: CellEdit[] = [];
  for (let index = 0; index < cells.length; index++) {
    const value = cells[index] ?? null;
    if (value === null || value === '') continue;
    const wraps = index !== oneLine && own.wraps[index] === true;
    const style = styles.cell('General', index === 0 ? tone : wraps ? 'message' : 'bare');
    const xml = cellXml(`${own.letters[index]}${row}`, style, value, prefix);
    placed.push({ column: own.first + index, xml });
  }
  return placed;
}

/** The added headers in the format of the header beside them, if there is one. */
export function headerCells(
  row: number,
  beside: number,
  own: ResultColumns,
  styles: BookStyles,
  prefix: string,
): CellEdit[] {
  const style = beside > 0 ? beside : styles.cell('General', 'term');
  return own.headers.map((header, index) => {
    const column = own.first + index;
    return { column, xml: cellXml(cellAddress(column, row), style, header, prefix) };
  });
}

/** Points for a line of text, characters on a line, and the most lines shown. */
const LINE_HEIGHT = 15;
const LINE_LENGTH = 58;
const MOST_LINES = 12;

/** The row height in points that an outcome needs; undefined for one line. */
export function outcomeHeight({ cells, oneLine }: ShownOutcome): number | undefined {
  let most = 1;
  for (const [index, cell] of cells.entries()) {
    if (index === oneLine || typeof cell !== 'string' || (cell.length <= LINE_LENGTH && !cell.includes('\n')))
      continue;
    most = Math.max(most, wrappedLines(cell, LINE_LENGTH));
  }
  return most === 1 ? undefined : Math.min(most, MOST_LINES) * LINE_HEIGHT;
}

/** Sets the widths of the added columns; called with the scanner behind the tag that a method names. */
export function columnRewriter(copy: XmlCopy, own: ResultColumns) {
  const styles: (readonly [min: number, max: number, style: number])[] = [];
  let done = false;
  /** The `</col>` of a replaced tag is still to come. */
  let open = false;

  /** The style of blank cells in a column, 0 for none. */
  function styleOf(column: number): number {
    return styles.find(([min, max]) => column >= min && column <= max)?.[2] ?? 0;
  }

  function openCol(): void {
    const [min, max] = [attributeNumber(copy.scanner, 'min'), attributeNumber(copy.scanner, 'max')];
    const style = attributeNumber(copy.scanner, 'style');
    if (style > 0) styles.push([min, max, style]);
    if (max < own.first) return;
    if (min > own.last) {
      copy.insertBefore(widths());
      return;
    }
    // What the tag says of columns at either side stays.
    const left = min < own.first ? [min, Math.min(max, own.first - 1)] : null;
    const right = max > own.last ? [Math.max(min, own.last + 1), max] : null;
    const text = copy.text.replace(/\s*\/?>$/, '/>');
    open = !copy.scanner.selfClosing;
    copy.replace(`${ranged(text, left)}${widths()}${ranged(text, right)}`);
  }

  function closeCol(): void {
    if (open) copy.replace('');
    open = false;
  }

  function closeCols(): void {
    copy.insertBefore(widths());
  }

  /** Columns stand before `<sheetData>`. */
  function openData(): void {
    const cols = widths();
    if (cols !== '') copy.insertBefore(`<${copy.prefix}cols>${cols}</${copy.prefix}cols>`);
  }

  /** The same, once. */
  function widths(): string {
    if (done) return '';
    done = true;
    const { first, headers } = own;
    const widthOf = (header: string): number => WIDTHS[outputMark(header) ?? ''] ?? WIDTH;
    const cols = headers.map((header, at) => columnXml(first + at, widthOf(header), 0, copy.prefix));
    return cols.join('');
  }

  return { styleOf, openCol, closeCol, closeCols, openData };
}

function ranged(col: string, range: readonly number[] | null): string {
  if (range === null) return '';
  return col
    .replace(/\smin=(?:"[^"]*"|'[^']*')/, ` min="${range[0]}"`)
    .replace(/\smax=(?:"[^"]*"|'[^']*')/, ` max="${range[1]}"`);
}

const ELEMENT = nameCodes('autoFilter', 'tableColumns', 'tableColumn');

/**
 * The table part grown over the added columns, with their headers, so that they are sorted along. Undefined
 * for a table that does not end at or in these columns, has its headers in another row or is filled by a
 * query.
 */
export function growTable(bytes: Buffer, own: ResultColumns): Buffer | undefined {
  const copy = XmlCopy.of(bytes);
  const { scanner } = copy;
  let left = 0;
  let inColumns = false;
  let added: readonly string[] = [];
  const ids: number[] = [];
  for (const token of copy.tokens()) {
    const { code, level } = scanner;
    if (token === CLOSE && level === 2) {
      const last = Math.max(...ids);
      const columns = added.map(
        (header, at) => `<${copy.prefix}tableColumn id="${last + 1 + at}" name="${header}"/>`,
      );
      if (inColumns) copy.insertBefore(columns.join(''));
      inColumns = false;
    }
    if (token !== OPEN) continue;
    if (level === 1) {
      const range = cellRange(attributeValue(scanner, 'ref'));
      if (range === undefined || !isPlain(scanner) || range.top !== own.headerRow) return undefined;
      if (range.left >= own.first || range.right < own.first - 1) return undefined;
      left = range.left;
      added = own.headers.slice(range.right + 1 - own.first);
      growRef(copy, own);
    } else if (code === ELEMENT.autoFilter) growRef(copy, own);
    else if (code === ELEMENT.tableColumns) {
      inColumns = true;
      copy.changeTag({ count: String(attributeNumber(scanner, 'count') + added.length) });
    } else if (code === ELEMENT.tableColumn) {
      const column = left + ids.length;
      const name = own.headers[column - own.first] ?? own.emptied.get(column);
      if (name !== undefined) copy.changeTag({ name });
      ids.push(attributeNumber(scanner, 'id'));
    }
  }
  return Buffer.concat(copy.take(true));
}

/** Whether the table just opened has a header row, and is not filled by a query. */
const isPlain = (scanner: XmlScanner): boolean =>
  (attributeValue(scanner, 'tableType') ?? 'worksheet') === 'worksheet' &&
  attributeValue(scanner, 'headerRowCount') !== '0';
