import { cellAddress } from '../../core/cell.ts';
import type { ResultSummary } from '../../files/result-sheet.ts';
import { sheetReference, wrappedLines } from '../excel-text.ts';
import { columnXml, contentXml, FITTED, footerXml, worksheetOpen } from '../worksheet-xml.ts';
import { escapeText, escapeXml } from '../xml/xml-write.ts';
import type { SpooledPart } from '../zip/write-zip.ts';
import type { SheetPart } from './book-parts.ts';
import type { BookStyles } from './book-styles.ts';
import type { PageCell, WrittenPage } from './written-book.ts';

/** Writes a worksheet part of cells in any place, such as a page of totals with a chart. */
export function pagePart(
  spool: SpooledPart,
  styles: BookStyles,
): SheetPart & { write(page: WrittenPage): void } {
  let page: WrittenPage = { widths: [], rows: [], chart: null, footer: '' };

  async function finish(): Promise<void> {
    const { widths, rows, chart, footer } = page;
    const end = `${footerXml(footer)}${chart === null ? '' : '<drawing r:id="rId1"/>'}`;
    await spool.write([Buffer.from(pageXml({ widths, rows }, styles, { end }))]);
  }

  return {
    ...{ spool, state: null, table: null, finish },
    get chart() {
      return page.chart;
    },
    write(written) {
      page = written;
    },
  };
}

/** Points for a line of text, and characters in the width of a digit. */
const LINE = 15.5;
const CHARACTERS = 1.1;
const TALL: Readonly<Record<string, number>> = { title: 28, heading: 22, head: 20, 'figure-head': 20 };

/** The worksheet part of a page; `end` stands behind its print settings, and `main` is the namespace of its workbook. */
function pageXml(
  { widths, rows }: Pick<WrittenPage, 'widths' | 'rows'>,
  styles: BookStyles,
  { end = '', main }: { readonly end?: string; readonly main?: string },
): string {
  const merges: string[] = [];
  const links: string[] = [];
  const cellXml = (cell: PageCell | null, column: number, row: number): string => {
    if (cell === null) return '';
    const { value, formula, span = 1, link, format = 'General', look } = cell;
    const address = cellAddress(column, row);
    const style = styles.cell(format, look);
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

function linkXml(address: string, { sheet, address: to }: NonNullable<PageCell['link']>): string {
  const location = `${sheetReference(sheet)}!${to}`;
  return `<hyperlink ref="${address}" location="${escapeXml(location)}" display="${escapeXml(to)}"/>`;
}

/** Not every program sizes rows for wrapped text, and none for merged cells. */
function heightOf(row: readonly (PageCell | null)[], widths: readonly number[]): number | undefined {
  const heights = row.flatMap((cell, at) => {
    if (cell === null) return [];
    const { look, value, span = 1 } = cell;
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

/** The worksheet part of a summary. */
export const summaryPart = ({ widths, rows }: ResultSummary, styles: BookStyles, main: string): Buffer => {
  const cells = rows().map((row) =>
    row.map(({ look, ...cell }): PageCell => {
      return { ...cell, look: cell.link === undefined ? (look ?? 'left') : 'link' };
    }),
  );
  return Buffer.from(pageXml({ widths, rows: cells }, styles, { main }));
};
