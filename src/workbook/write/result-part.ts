import { columnLetters } from '../../schema/cell.ts';
import { columnWidths } from '../column-widths.ts';
import { resultBatches, withHeaderRow } from '../result-layout.ts';
import type { ResultRow, ResultSheet } from '../result-sheet.ts';
import { ByteSink } from '../rewrite/byte-sink.ts';
import type { RewriteStyles } from '../rewrite/rewrite-styles.ts';
import type { MarkedCell } from '../rewrite/row-rewriter.ts';
import { MOST_NOTES } from '../rewrite/sheet-rewriter.ts';
import { WORKSHEET } from './book-parts.ts';
import { resultRowXml, TEXT_FORMAT } from './result-row.ts';

/** Rows written at once; the first of these tell the widths. */
const BATCH = 200;
/** Printed: all columns on the width of a sheet of paper. */
const PROPERTIES = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
const PRINTED =
  '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>';

/** One worksheet part of a result that is written anew: rows at their own numbers under a frozen header with a filter. */
export class ResultPart {
  /** The first cells of which something is said; known when the part has been written. */
  readonly notes: MarkedCell[] = [];
  private readonly sheet: ResultSheet;
  private readonly styles: RewriteStyles;
  private readonly selected: boolean;
  private readonly sink = new ByteSink();
  private columns = 0;
  private last = 0;

  constructor(sheet: ResultSheet, styles: RewriteStyles, selected: boolean) {
    this.sheet = sheet;
    this.styles = styles;
    this.selected = selected;
  }

  /** The part, as its rows come. */
  async *chunks(): AsyncGenerator<Buffer> {
    const { sink } = this;
    sink.text(`${WORKSHEET}${PROPERTIES}${this.views()}<sheetFormatPr defaultRowHeight="15"/>`);
    let begun = false;
    for await (const batch of resultBatches(withHeaderRow(this.sheet), BATCH)) {
      if (!begun) sink.text(`${this.columnsXml(batch)}<sheetData>`);
      begun = true;
      for (const result of batch) this.write(result);
      yield* sink.take();
    }
    const drawing = this.notes.length === 0 ? '' : '<legacyDrawing r:id="rId1"/>';
    sink.text(`${begun ? '' : '<sheetData>'}</sheetData>${this.filter()}${PRINTED}${this.ignored()}`);
    sink.text(`${drawing}</worksheet>`);
    yield* sink.take(true);
  }

  private write(result: ResultRow): void {
    const { sheet, styles, sink, notes } = this;
    // Damaged workbooks have rows out of order; a row can't be written above the last one.
    this.last = Math.max(result.row.number, this.last + 1);
    sink.text(resultRowXml(this.last, result, sheet, styles));
    for (const { column, text } of result.outcome?.marks ?? []) {
      const said = text !== null && notes.length < MOST_NOTES && !isAdded(column, sheet);
      if (said) notes.push({ row: this.last, column, text });
    }
  }

  private views(): string {
    const { headerRow } = this.sheet;
    const first = (headerRow ?? 0) + 1;
    const frozen =
      headerRow === null
        ? ''
        : `<pane ySplit="${headerRow}" topLeftCell="A${first}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A${first}" sqref="A${first}"/>`;
    const selected = this.selected ? ' tabSelected="1"' : '';
    return `<sheetViews><sheetView${selected} workbookViewId="0">${frozen}</sheetView></sheetViews>`;
  }

  /** What is typed into a column of texts is a text, too: an id keeps its zeros. */
  private columnsXml(sample: readonly ResultRow[]): string {
    const { added, headerRow } = this.sheet;
    const widths = columnWidths(sample, this.sheet);
    const below = sample.filter(({ row }) => row.number > (headerRow ?? 0)).flatMap(({ row }) => row.cells);
    const others = new Set(below.flatMap(({ type, column }) => (type === 'text' ? [] : [column])));
    this.columns = widths.length;
    const cols = widths.map((width, at) => {
      const isText = headerRow !== null && !others.has(at + 1) && !isAdded(at + 1, this.sheet);
      const style = isText && added !== null ? ` style="${this.styles.shown(TEXT_FORMAT)}"` : '';
      return `<col min="${at + 1}" max="${at + 1}" width="${width}"${style} customWidth="1"/>`;
    });
    return cols.length === 0 ? '' : `<cols>${cols.join('')}</cols>`;
  }

  private filter(): string {
    const { headerRow, added } = this.sheet;
    if (headerRow === null || this.columns === 0 || this.last < headerRow) return '';
    const column = added === null ? this.columns : added.firstColumn + added.headers.length - 1;
    return `<autoFilter ref="A${headerRow}:${columnLetters(column)}${this.last}"/>`;
  }

  /** Numbers in text are meant as such; without this Excel puts a mark on each of them. */
  private ignored(): string {
    const { headerRow } = this.sheet;
    if (headerRow === null || this.last <= headerRow) return '';
    const range = `A${headerRow + 1}:${columnLetters(Math.max(1, this.columns))}${this.last}`;
    return `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`;
  }
}

function isAdded(column: number, { added }: ResultSheet): boolean {
  return added !== null && column >= added.firstColumn && column < added.firstColumn + added.headers.length;
}
