import { cellAddress } from '../../core/cell.ts';
import type { ShownOutcome } from '../../files/result-sheet.ts';
import { excelText } from '../excel-text.ts';
import type { OwnColumns } from './own-columns.ts';
import type { RewriteStyles } from './rewrite-styles.ts';
import { textElement } from './xml-write.ts';

/** A cell that a row is to get; without `xml` it is only known when its place is reached. */
export interface AwaitedCell {
  readonly column: number;
  readonly xml: string;
}

/** A cell with a value of the program's; a text is text whatever it begins with, as it stands in the cell itself. */
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
): AwaitedCell[] {
  return cells.flatMap((value, index) => {
    if (value === null || value === '') return [];
    const column = own.first + index;
    const style = styles.added(index, index === oneLine ? '' : (own.headers[index] ?? ''), tone);
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
