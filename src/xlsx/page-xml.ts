import { cellAddress } from '../core/cell.ts';
import { sheetReference, wrappedLines } from './excel-text.ts';
import { type CellValue, columnXml, contentXml, FITTED, worksheetOpen } from './worksheet-xml.ts';
import { escapeText, escapeXml } from './xml/xml-write.ts';

/** What of a cell on a page is not its style. */
interface PlacedText {
  readonly value: CellValue | null;
  /** Without `=`, with the names and separators of files. */
  readonly formula?: string;
  /** Tells how tall its row is; a `sentence` wraps. */
  readonly look?: string;
  /** Columns that it spans; one if absent. */
  readonly span?: number;
  /** The cell that a click goes to. */
  readonly link?: { readonly sheet: string; readonly address: string };
}

/** A sheet to read and print: cells in any place, one page wide on A4. */
interface PageForm<PageCell extends PlacedText> {
  /** In characters. */
  readonly widths: readonly number[];
  /** The cells of each row from column A on; null is no cell. */
  readonly rows: readonly (readonly (PageCell | null)[])[];
  readonly styleOf: (cell: PageCell) => number;
  /** What stands behind the print settings. */
  readonly end?: string;
  /** The namespace of its workbook. */
  readonly main?: string;
}

/** Points for a line of text, and characters in the width of a digit. */
const LINE = 15.5;
const CHARACTERS = 1.1;
const TALL: Readonly<Record<string, number>> = { title: 28, heading: 22, head: 20, 'figure-head': 20 };

/** The worksheet part of a page. */
export function pageXml<PageCell extends PlacedText>(page: PageForm<PageCell>): string {
  const { widths, rows, styleOf, end = '', main } = page;
  const merges: string[] = [];
  const links: string[] = [];
  const cellXml = (cell: PageCell | null, column: number, row: number): string => {
    if (cell === null) return '';
    const { value, formula, span = 1, link } = cell;
    const address = cellAddress(column, row);
    const style = styleOf(cell);
    // Those that it spans have its borders.
    const others = Array.from(
      { length: span - 1 },
      (_, at) => `<c r="${cellAddress(column + 1 + at, row)}" s="${style}"/>`,
    );
    if (span > 1) merges.push(`<mergeCell ref="${address}:${cellAddress(column + span - 1, row)}"/>`);
    if (link !== undefined) links.push(linkXml(address, link));
    const content = contentXml(value, formula === undefined ? '' : `<f>${escapeText(formula)}</f>`);
    return `<c r="${address}" s="${style}"${content}${others.join('')}`;
  };
  const data = rows.map((row, at) => {
    const height = heightOf(row, widths);
    const tall = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
    const cells = row.map((cell, column) => cellXml(cell, column + 1, at + 1));
    return `<row r="${at + 1}"${tall}>${cells.join('')}</row>`;
  });
  const cols = widths.map((width, at) => columnXml(at + 1, width));
  return [
    `${worksheetOpen(main)}${FITTED}${VIEW}`,
    ...[listXml('cols', cols), `<sheetData>${data.join('')}</sheetData>`],
    ...[listXml('mergeCells', merges), listXml('hyperlinks', links)],
    `${PRINTED}${end}</worksheet>`,
  ].join('');
}

const listXml = (name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<${name}>${items.join('')}</${name}>`;

function linkXml(address: string, { sheet, address: to }: NonNullable<PlacedText['link']>): string {
  const location = `${sheetReference(sheet)}!${to}`;
  return `<hyperlink ref="${address}" location="${escapeXml(location)}" display="${escapeXml(to)}"/>`;
}

/** Not every program sizes rows for wrapped text, and none for merged cells. */
function heightOf(row: readonly (PlacedText | null)[], widths: readonly number[]): number | undefined {
  const heights = row.flatMap((cell, at) => {
    if (cell === null) return [];
    const { look = '', value, span = 1 } = cell;
    const tall = TALL[look];
    if (tall !== undefined) return tall + LINE * (String(value).split('\n').length - 1);
    if (look !== 'sentence') return [];
    const room = widths.slice(at, at + span).reduce((sum, width) => sum + width, 0);
    return LINE * wrappedLines(String(value), room * CHARACTERS);
  });
  return heights.length === 0 ? undefined : Math.max(...heights);
}

const VIEW =
  '<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="16" customHeight="1"/>';
const PRINTED =
  '<printOptions horizontalCentered="1"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';
