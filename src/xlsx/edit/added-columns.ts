import { cellAddress, columnLetters } from '../../core/cell.ts';
import { outputMark } from '../../core/header.ts';
import type { ResultSheet, ShownOutcome } from '../../files/result-sheet.ts';
import type { CellRange } from '../../files/sheet.ts';
import { cellRange, rangeText } from '../cell-range.ts';
import { wrappedLines } from '../excel-text.ts';
import { cellXml, columnXml } from '../worksheet-xml.ts';
import { attributeNumber, attributeValue } from '../xml/xml-scanner.ts';
import type { XmlCopy } from '../xml/xml-write.ts';
import type { RewriteStyles } from './styles-part.ts';

/** The columns that a result adds to a sheet, side by side. */
export interface AddedColumns {
  readonly first: number;
  readonly last: number;
  readonly headers: readonly string[];
  /** The letters of each. */
  readonly letters: readonly string[];
  /** Whether sentences stand in each, which wrap. */
  readonly wraps: readonly boolean[];
}

/** The columns of a result on a sheet: those that it adds, and those of an earlier one. */
export interface ResultColumns extends AddedColumns {
  readonly headerRow: number;
  /** Columns of an earlier result elsewhere, with the header that each keeps. */
  readonly emptied: ReadonlyMap<number, string>;
}

/** The columns that a result adds. */
export function addedColumns({ firstColumn, headers }: NonNullable<ResultSheet['added']>): AddedColumns {
  return {
    ...{ first: firstColumn, last: firstColumn + headers.length - 1, headers },
    letters: headers.map((_, at) => columnLetters(firstColumn + at)),
    wraps: headers.map((header) => WRAPPED.has(outputMark(header) ?? header)),
  };
}

/** Added columns with sentences. */
const WRAPPED: ReadonlySet<string> = new Set(['#message', '#changes']);

/** Whether a column is one that the result adds. */
export const isOwn = ({ first, last }: AddedColumns, column: number): boolean =>
  column >= first && column <= last;

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
export function growRef(copy: XmlCopy, { first, last }: AddedColumns): CellRange | undefined {
  const range = cellRange(attributeValue(copy.scanner, 'ref'));
  if (range === undefined || range.left >= first || range.right < first - 1 || range.right >= last)
    return undefined;
  const grown = { ...range, right: last };
  copy.changeTag({ ref: rangeText(grown) });
  return grown;
}

/** A cell to be put in a row. */
export interface PlacedCell {
  readonly column: number;
  readonly xml: string;
}

/** The added cells of a row with an outcome, without empty ones. */
export function outcomeCells(
  row: number,
  { cells, tone, oneLine }: ShownOutcome,
  own: AddedColumns,
  styles: RewriteStyles,
  prefix: string,
): PlacedCell[] {
  const placed: PlacedCell[] = [];
  for (let index = 0; index < cells.length; index++) {
    const value = cells[index] ?? null;
    if (value === null || value === '') continue;
    const wraps = index !== oneLine && own.wraps[index] === true;
    const style = styles.added(index, wraps, tone);
    const xml = cellXml(`${own.letters[index]}${row}`, style, value, prefix);
    placed.push({ column: own.first + index, xml });
  }
  return placed;
}

/** The added headers in the format of the header beside them, if there is one. */
export function headerCells(
  row: number,
  beside: number,
  own: AddedColumns,
  styles: RewriteStyles,
  prefix: string,
): PlacedCell[] {
  const style = beside > 0 ? beside : styles.header();
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
export class ColumnRewriter {
  private readonly copy: XmlCopy;
  private readonly own: AddedColumns;
  private readonly styles: (readonly [min: number, max: number, style: number])[] = [];
  private done = false;
  /** The `</col>` of a replaced tag is still to come. */
  private open = false;

  constructor(copy: XmlCopy, own: AddedColumns) {
    this.copy = copy;
    this.own = own;
  }

  /** The style of blank cells in a column, 0 for none. */
  styleOf(column: number): number {
    return this.styles.find(([min, max]) => column >= min && column <= max)?.[2] ?? 0;
  }

  openCol(): void {
    const { copy, own } = this;
    const [min, max] = [attributeNumber(copy.scanner, 'min'), attributeNumber(copy.scanner, 'max')];
    const style = attributeNumber(copy.scanner, 'style');
    if (style > 0) this.styles.push([min, max, style]);
    if (max < own.first) return;
    if (min > own.last) {
      copy.insertBefore(this.widths());
      return;
    }
    // What the tag says of columns at either side stays.
    const left = min < own.first ? [min, Math.min(max, own.first - 1)] : null;
    const right = max > own.last ? [Math.max(min, own.last + 1), max] : null;
    const text = copy.text.replace(/\s*\/?>$/, '/>');
    this.open = !copy.scanner.selfClosing;
    copy.replace(`${ranged(text, left)}${this.widths()}${ranged(text, right)}`);
  }

  closeCol(): void {
    if (this.open) this.copy.replace('');
    this.open = false;
  }

  closeCols(): void {
    this.copy.insertBefore(this.widths());
  }

  /** Columns stand before `<sheetData>`. */
  openData(): void {
    const widths = this.widths();
    const { copy } = this;
    if (widths !== '') copy.insertBefore(`<${copy.prefix}cols>${widths}</${copy.prefix}cols>`);
  }

  /** The same, once. */
  private widths(): string {
    if (this.done) return '';
    this.done = true;
    const { first, headers } = this.own;
    const widthOf = (header: string): number => WIDTHS[outputMark(header) ?? ''] ?? WIDTH;
    const cols = headers.map((header, at) => columnXml(first + at, widthOf(header), 0, this.copy.prefix));
    return cols.join('');
  }
}

function ranged(col: string, range: readonly number[] | null): string {
  if (range === null) return '';
  return col
    .replace(/\smin=(?:"[^"]*"|'[^']*')/, ` min="${range[0]}"`)
    .replace(/\smax=(?:"[^"]*"|'[^']*')/, ` max="${range[1]}"`);
}
