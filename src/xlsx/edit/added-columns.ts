import { cellAddress, columnFromLetters, columnLetters } from '../../core/cell.ts';
import { outputMark } from '../../core/header.ts';
import type { ShownOutcome } from '../../files/result-sheet.ts';
import { excelText } from '../excel-text.ts';
import type { TagChanges, XmlCopy } from '../xml/xml-copy.ts';
import { attributeValue } from '../xml/xml-text.ts';
import { textElement } from '../xml/xml-write.ts';
import { ATTRIBUTE } from './sheet-codes.ts';
import type { RewriteStyles } from './styles-part.ts';

/** The columns that a result adds to a sheet, side by side. */
export interface OwnColumns {
  readonly first: number;
  readonly last: number;
  readonly headers: readonly string[];
}

/**
 * Columns of an earlier result elsewhere, which are emptied, and the header that one keeps; null for none.
 */
export type OldColumns = ReadonlyMap<number, string | null>;

/** Widths in characters. */
const WIDTHS: Readonly<Record<string, number>> = {
  '#status': 13,
  '#id': 11,
  '#message': 60,
  '#changes': 48,
  '#at': 20,
};
const WIDTH = 14;

/** The `<col>` elements of the added columns. */
function ownCols({ first, headers }: OwnColumns, prefix: string): string {
  return headers
    .map(
      (header, at) =>
        `<${prefix}col min="${first + at}" max="${first + at}" width="${WIDTHS[outputMark(header) ?? ''] ?? WIDTH}" customWidth="1"/>`,
    )
    .join('');
}

/**
 * What remains of a `<col>` of the user's that reaches over the added columns: the range at their left and
 * that at their right.
 */
function aroundOwn(
  { first, last }: OwnColumns,
  min: number,
  max: number,
): { readonly left: TagChanges | null; readonly right: TagChanges | null } {
  return {
    left: min < first ? { min: String(min), max: String(Math.min(max, first - 1)) } : null,
    right: max > last ? { min: String(Math.max(min, last + 1)), max: String(max) } : null,
  };
}

const REFERENCE = /^(\$?)([A-Za-z]{1,3})(\$?\d+):(\$?)([A-Za-z]{1,3})(\$?\d+)$/;

/**
 * A range that ends where the added columns begin, or among them, grown over them all; undefined for any
 * other.
 */
export function grown(range: string, { first, last }: OwnColumns): string | undefined {
  const [, absolute = '', start = '', top, end = '', right = '', bottom] = REFERENCE.exec(range) ?? [];
  const [left, edge] = [columnFromLetters(start), columnFromLetters(right)];
  if (left === 0 || left >= first || edge < first - 1 || edge >= last) return undefined;
  return `${absolute}${start}${top}:${end}${columnLetters(last)}${bottom}`;
}

/**
 * A sheet's used range with the added columns in it; undefined when they are in it already, or the range is
 * none.
 */
export function widened(
  range: string,
  { last }: OwnColumns,
  columnOf: (letters: string) => number,
): string | undefined {
  const [, start, top, right, bottom] = /^([A-Z]{1,3})(\d+)(?::([A-Z]{1,3})(\d+))?$/.exec(range) ?? [];
  if (start === undefined || columnOf(right ?? start) >= last) return undefined;
  return `${start}${top}:${columnLetters(last)}${bottom ?? top}`;
}

/** A cell that a row is to get; without `xml` it is only known when its place is reached. */
export interface AwaitedCell {
  readonly column: number;
  readonly xml: string;
}

/**
 * A cell with a value of the program's; a text is text whatever it begins with, as it stands in the cell
 * itself.
 */
export function cellXml(
  address: string,
  style: number,
  value: string | number | null,
  prefix: string,
): string {
  const start = `<${prefix}c r="${address}"${style === 0 ? '' : ` s="${style}"`}`;
  if (value === null) return `${start}/>`;
  if (typeof value === 'number') return `${start}><${prefix}v>${value}</${prefix}v></${prefix}c>`;
  const text = prefixedText(excelText(value), prefix);
  return `${start} t="inlineStr"><${prefix}is>${text}</${prefix}is></${prefix}c>`;
}

function prefixedText(text: string, prefix: string): string {
  return textElement('t', text)
    .replace(/^<t/, `<${prefix}t`)
    .replace(/t>$/, prefix === '' ? 't>' : `${prefix}t>`);
}

/** The added cells of a row with an outcome; those without a value but the status are left out. */
export function outcomeCells(
  row: number,
  { cells, tone, oneLine }: ShownOutcome,
  own: OwnColumns,
  styles: RewriteStyles,
  prefix: string,
  wasHidden = false,
): AwaitedCell[] {
  return cells.flatMap((value, index) => {
    if (value === null || value === '') return [];
    const column = own.first + index;
    const header = index === oneLine ? '' : (own.headers[index] ?? '');
    const style = styles.added(index, header, tone, wasHidden);
    return [{ column, xml: cellXml(cellAddress(column, row), style, value, prefix) }];
  });
}

/** The added headers, in the look of the user's own header beside them, if it has one. */
export function headerCells(
  row: number,
  beside: number,
  own: OwnColumns,
  styles: RewriteStyles,
  prefix: string,
): AwaitedCell[] {
  const style = beside > 0 ? beside : styles.header();
  return own.headers.map((header, index) => {
    const column = own.first + index;
    return { column, xml: cellXml(cellAddress(column, row), style, header, prefix) };
  });
}

/** Points a line of text needs, characters that fit on one, and lines shown of a long message. */
const LINE_HEIGHT = 15;
const LINE_LENGTH = 58;
const MOST_LINES = 12;

/** The height in points at which a row shows what was added; undefined where one line is enough. */
export function outcomeHeight({ cells, oneLine }: ShownOutcome): number | undefined {
  let most = 1;
  for (const [index, cell] of cells.entries()) {
    if (index === oneLine || typeof cell !== 'string' || (cell.length <= LINE_LENGTH && !cell.includes('\n')))
      continue;
    const lines = cell
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0);
    most = Math.max(most, lines);
  }
  return most === 1 ? undefined : Math.min(most, MOST_LINES) * LINE_HEIGHT;
}

/**
 * Gives the added columns their widths: what the sheet says of those columns gives way, what it says of
 * others stays.
 */
export class ColumnRewriter {
  /** The prefix of the sheet's tags, with its colon. */
  prefix = '';
  private readonly copy: XmlCopy;
  private readonly own: OwnColumns;
  private readonly styles: (readonly [min: number, max: number, style: number])[] = [];
  private done = false;
  /** A `</col>` is still to come of a tag that has been replaced. */
  private open = false;

  constructor(copy: XmlCopy, own: OwnColumns) {
    this.copy = copy;
    this.own = own;
  }

  /** The format of a column's blank cells, 0 for none. */
  styleOf(column: number): number {
    return this.styles.find(([min, max]) => column >= min && column <= max)?.[2] ?? 0;
  }

  /** The scanner stands behind `<col/>`. */
  openCol(): void {
    const { copy, own } = this;
    const numbers = [ATTRIBUTE.min, ATTRIBUTE.max, ATTRIBUTE.style].map((name) =>
      Number(attributeValue(copy.scanner, name) ?? 0),
    );
    const [min = 0, max = 0, style = 0] = numbers;
    if (style > 0) this.styles.push([min, max, style]);
    if (max < own.first) return;
    if (min > own.last) {
      copy.insertBefore(this.widths());
      return;
    }
    const { left, right } = aroundOwn(own, min, max);
    const text = copy.scanner.bytes
      .toString('utf8', copy.before, copy.scanner.position)
      .replace(/\s*\/?>$/, '/>');
    this.open = !copy.scanner.selfClosing;
    copy.replace(`${ranged(text, left)}${this.widths()}${ranged(text, right)}`);
  }

  /** The scanner stands behind `</col>`. */
  closeCol(): void {
    if (this.open) this.copy.replace('');
    this.open = false;
  }

  /** The scanner stands behind `</cols>`. */
  closeCols(): void {
    this.copy.insertBefore(this.widths());
  }

  /** The scanner stands behind `<sheetData>`, before which the columns must have been. */
  openData(): void {
    const widths = this.widths();
    if (widths !== '') this.copy.insertBefore(`<${this.prefix}cols>${widths}</${this.prefix}cols>`);
  }

  /** The widths, once. */
  private widths(): string {
    if (this.done) return '';
    this.done = true;
    return ownCols(this.own, this.prefix);
  }
}

function ranged(col: string, range: TagChanges | null): string {
  if (range === null) return '';
  return col
    .replace(/\smin=(?:"[^"]*"|'[^']*')/, ` min="${range.min}"`)
    .replace(/\smax=(?:"[^"]*"|'[^']*')/, ` max="${range.max}"`);
}
