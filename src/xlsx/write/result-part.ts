import { type Cell, cellAddress, columnLetters, UNCACHED } from '../../core/cell.ts';
import type { Bilingual } from '../../core/language.ts';
import {
  addedCells,
  type CellMark,
  ownCells,
  type ResultRow,
  type ResultSheet,
  resultBatches,
  withHeaderRow,
} from '../../files/result-sheet.ts';
import { cellXml, outcomeCells, outcomeHeight } from '../edit/added-columns.ts';
import { type CellRange, filterXml } from '../edit/auto-filter.ts';
import type { MarkedCell } from '../edit/row-rewriter.ts';
import { MOST_NOTES } from '../edit/sheet-rewriter.ts';
import type { RewriteStyles } from '../edit/styles-part.ts';
import { excelFormat } from '../excel-text.ts';
import { textToSerial } from '../serial-date.ts';
import { noWorkNote, type StatusFilter, statusFilter } from '../status-filter.ts';
import { ByteSink } from '../xml/xml-write.ts';
import { WORKSHEET_OPEN } from './book-parts.ts';

/** Rows written at once; the first of these tell the widths. */
const BATCH = 200;
/** Printed: all columns on the width of a sheet of paper. */
const PROPERTIES = '<pageSetUpPr fitToPage="1"/>';
const PRINTED =
  '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>';

/**
 * One worksheet part of a result that is written anew: rows at their own numbers under a frozen header with a
 * filter.
 */
export class ResultPart {
  /** The first cells of which something is said; known when the part has been written. */
  readonly notes: MarkedCell[] = [];
  private readonly sheet: ResultSheet;
  private readonly styles: RewriteStyles;
  private readonly selected: boolean;
  private readonly sink = new ByteSink();
  private columns = 0;
  private last = 0;
  private shown: StatusFilter | undefined;

  constructor(sheet: ResultSheet, styles: RewriteStyles, selected: boolean) {
    this.sheet = sheet;
    this.styles = styles;
    this.selected = selected;
  }

  /** What there is to say of the rows that are seen, when the part has been written. */
  get shownNotes(): Bilingual[] {
    return this.sheet.shown === undefined || this.shown !== undefined ? [] : [noWorkNote(this.sheet)];
  }

  /** The range of the filter that hides rows, when the part has been written; undefined for one without. */
  get filtered(): CellRange | undefined {
    return this.shown && this.range();
  }

  /** The part, as its rows come. */
  async *chunks(): AsyncGenerator<Buffer> {
    const { sink } = this;
    this.shown = await statusFilter(this.sheet);
    const mode = this.shown === undefined ? '' : ' filterMode="1"';
    sink.text(
      `${WORKSHEET_OPEN}<sheetPr${mode}>${PROPERTIES}</sheetPr>${this.views()}<sheetFormatPr defaultRowHeight="15"/>`,
    );
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
    const hidden = result.outcome !== undefined && this.shown?.hides(result.outcome) === true;
    const row = hidden ? { ...result, row: { ...result.row, hidden } } : result;
    sink.text(resultRowXml(this.last, row, sheet, styles));
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

  /** From the header to the last row; to the last with a status where rows are hidden by that. */
  private range(): CellRange | undefined {
    const { headerRow, added } = this.sheet;
    if (headerRow === null || this.columns === 0 || this.last < headerRow) return undefined;
    const right = added === null ? this.columns : added.firstColumn + added.headers.length - 1;
    return { left: 1, top: headerRow, right, bottom: this.shown?.bottom ?? this.last };
  }

  private filter(): string {
    const range = this.range();
    if (range === undefined) return '';
    const column = this.sheet.added?.firstColumn ?? 1;
    const condition = this.shown === undefined ? null : { column, filter: this.shown };
    return filterXml({ range, condition, drops: () => false }, '');
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

/** The format of texts: no program then makes a number or date of one. */
const TEXT_FORMAT = '@';

/** The errors Excel knows in a file; any other would make it offer to repair the file. */
const ERRORS = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'];

/** A cell of a row, and its place. */
interface Placed {
  readonly column: number;
  readonly xml: string;
}

/**
 * One row of a result that is written anew, at a number: the user's own cells, then the added ones; what is
 * said of a cell is its colour.
 */
function resultRowXml(number: number, result: ResultRow, sheet: ResultSheet, styles: RewriteStyles): string {
  const isHeader = result.row.number === sheet.headerRow;
  const marks = isHeader ? [] : (result.outcome?.marks ?? []);
  const marked = new Map(marks.map((mark) => [mark.column, mark]));
  const cells: Placed[] = ownCells(result, sheet).map((cell) => {
    const { column } = cell;
    const style = isHeader
      ? styles.header()
      : tinted(styles.shown(formatOf(cell)), marked.get(column), styles);
    marked.delete(column);
    return { column, xml: valueXml(cellAddress(column, number), style, cell) };
  });
  const added = addedXml(number, result, sheet, styles);
  for (const { column } of added) marked.delete(column);
  // A cell that holds nothing can be what is wrong.
  const blank = [...marked.values()].map(({ column, tone }) => {
    const style = styles.tint(styles.shown(TEXT_FORMAT), tone);
    return { column, xml: cellXml(cellAddress(column, number), style, null, '') };
  });
  const all = [...cells, ...blank, ...added].sort((one, other) => one.column - other.column);
  const height = isHeader || result.outcome === undefined ? undefined : outcomeHeight(result.outcome);
  const room = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
  const hidden = result.row.hidden ? ' hidden="1"' : '';
  return `<row r="${number}"${hidden}${room}>${all.map(({ xml }) => xml).join('')}</row>`;
}

function addedXml(number: number, result: ResultRow, sheet: ResultSheet, styles: RewriteStyles): Placed[] {
  const { added, headerRow } = sheet;
  if (added === null) return [];
  const { firstColumn: first, headers } = added;
  if (result.row.number === headerRow)
    return addedCells(result, sheet).map((header, at) => {
      const address = cellAddress(first + at, number);
      return { column: first + at, xml: cellXml(address, styles.header(), header, '') };
    });
  if (result.outcome === undefined) return [];
  const own = { first, last: first + headers.length - 1, headers };
  return outcomeCells(number, result.outcome, own, styles, '');
}

const tinted = (style: number, mark: CellMark | undefined, styles: RewriteStyles): number =>
  mark === undefined ? style : styles.tint(style, mark.tone);

function formatOf(cell: Cell): string {
  return excelFormat(cell) ?? (cell.type === 'text' ? TEXT_FORMAT : 'General');
}

/** A cell's value as a file holds it. Dates are serials, as anything else would bring a time zone into it. */
function valueXml(address: string, style: number, cell: Cell): string {
  const { type, value } = cell;
  if (type === 'text' || type === 'number') return cellXml(address, style, value, '');
  if (type === 'date') return cellXml(address, style, textToSerial(value) ?? value, '');
  const start = `<c r="${address}" s="${style}"`;
  if (type === 'boolean') return `${start} t="b"><v>${value ? 1 : 0}</v></c>`;
  // A formula whose result is not stored, and whose text is not known. Left empty, its row would look
  // complete and be sent without it the
  // next time; this one has no stored result again, and shows `#N/A` where it is worked out.
  if (value === UNCACHED) return `${start}><f>NA()</f></c>`;
  return `${start} t="e"><v>${ERRORS.includes(value) ? value : '#N/A'}</v></c>`;
}

const NARROWEST = 8;
const WIDEST = 42;
const WIDEST_ADDED = 60;

/** Widths, in characters, that show the sampled rows; index 0 is column A. Titles above the header don't count, as they may overflow. */
function columnWidths(sample: readonly ResultRow[], sheet: ResultSheet): number[] {
  const widths: number[] = [];
  for (const result of sample) {
    if (result.row.number < (sheet.headerRow ?? 1)) continue;
    for (const { column, value } of ownCells(result, sheet)) widen(widths, column, String(value), WIDEST);
    const first = sheet.added?.firstColumn ?? 1;
    for (const [index, value] of addedCells(result, sheet).entries()) {
      widen(widths, first + index, String(value ?? ''), WIDEST_ADDED);
    }
  }
  return Array.from(widths, (width) => width ?? NARROWEST);
}

function widen(widths: number[], column: number, text: string, widest: number): void {
  const longest = Math.max(...text.split('\n').map((line) => line.length));
  // Room for the filter's arrow.
  widths[column - 1] = Math.min(widest, Math.max(widths[column - 1] ?? NARROWEST, longest + 3));
}
