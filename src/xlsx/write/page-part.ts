import { cellAddress } from '../../core/cell.ts';
import { columnXml, contentXml, footerXml, WORKSHEET_OPEN } from '../worksheet-xml.ts';
import { ByteSink, escapeText } from '../xml/xml-write.ts';
import type { SpooledPart } from '../zip/spooled-part.ts';
import type { SheetPart } from './book-parts.ts';
import type { BookStyles } from './book-styles.ts';
import type { PageCell, PageRow, WrittenChart, WrittenPage } from './written-book.ts';

/** Points for a line of text, and characters in the width of a digit. */
const LINE = 15.5;
const CHARACTERS = 1.1;
const TALL: Readonly<Partial<Record<PageCell['look'], number>>> = {
  title: 28,
  heading: 22,
  head: 20,
  'figure-head': 20,
};

const EMPTY: WrittenPage = { widths: [], rows: [], chart: null, footer: '' };

/** Writes a worksheet part of cells in any place, such as a page of totals with a chart. */
export class PagePart implements SheetPart {
  readonly spool: SpooledPart;
  readonly state = null;
  readonly table = null;
  private readonly styles: BookStyles;
  private page = EMPTY;

  constructor(spool: SpooledPart, styles: BookStyles) {
    this.spool = spool;
    this.styles = styles;
  }

  get chart(): WrittenChart | null {
    return this.page.chart;
  }

  write(page: WrittenPage): void {
    this.page = page;
  }

  async finish(): Promise<void> {
    const { widths, rows, chart, footer } = this.page;
    const sink = new ByteSink();
    sink.text(`${WORKSHEET_OPEN}${FITTED}${VIEW}${columnsXml(widths)}<sheetData>`);
    for (const [at, row] of rows.entries()) sink.text(this.rowXml(row, at + 1, widths));
    sink.text(`</sheetData>${mergesXml(rows)}${PRINTED}${footerXml(footer)}`);
    sink.text(`${chart === null ? '' : '<drawing r:id="rId1"/>'}</worksheet>`);
    await this.spool.write(sink.take(true));
  }

  private rowXml(row: PageRow, number: number, widths: readonly number[]): string {
    const cells = row.map((cell, at) => (cell === null ? '' : this.cellsXml(cell, at + 1, number)));
    const height = heightOf(row, widths);
    const tall = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
    return `<row r="${number}"${tall}>${cells.join('')}</row>`;
  }

  /** A cell with those that it spans, which have its borders. */
  private cellsXml(cell: PageCell, column: number, row: number): string {
    const style = this.styles.cell(cell.format ?? 'General', cell.look);
    const others = Array.from(
      { length: (cell.span ?? 1) - 1 },
      (_, at) => `<c r="${cellAddress(column + 1 + at, row)}" s="${style}"/>`,
    );
    const formula = cell.formula === undefined ? '' : `<f>${escapeText(cell.formula)}</f>`;
    const content = contentXml(cell.value, formula);
    return `<c r="${cellAddress(column, row)}" s="${style}"${content}${others.join('')}`;
  }
}

/** Not every program sizes rows for wrapped text, and none for merged cells. */
function heightOf(row: PageRow, widths: readonly number[]): number | undefined {
  const heights = row.flatMap((cell, at) => {
    if (cell === null) return [];
    const tall = TALL[cell.look];
    if (tall !== undefined) return tall + LINE * (String(cell.value).split('\n').length - 1);
    if (cell.look !== 'sentence') return [];
    const room = widths.slice(at, at + (cell.span ?? 1)).reduce((sum, width) => sum + width, 0);
    return LINE * Math.max(1, Math.ceil(String(cell.value).length / (room * CHARACTERS)));
  });
  return heights.length === 0 ? undefined : Math.max(...heights);
}

const FITTED = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
const VIEW =
  '<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="16" customHeight="1"/>';
const PRINTED =
  '<printOptions horizontalCentered="1"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';

const columnsXml = (widths: readonly number[]): string =>
  widths.length === 0 ? '' : `<cols>${widths.map((width, at) => columnXml(at + 1, width)).join('')}</cols>`;

function mergesXml(rows: readonly PageRow[]): string {
  const merged = rows.flatMap((row, at) =>
    row.flatMap((cell, column) => {
      const end = cellAddress(column + (cell?.span ?? 1), at + 1);
      const isMerged = (cell?.span ?? 1) !== 1;
      return isMerged ? [`<mergeCell ref="${cellAddress(column + 1, at + 1)}:${end}"/>`] : [];
    }),
  );
  return merged.length === 0 ? '' : `<mergeCells count="${merged.length}">${merged.join('')}</mergeCells>`;
}
