import { type Cell, CIRCULAR, cellAddress, columnLetters, UNCACHED } from '../../core/cell.ts';
import type { Bilingual } from '../../core/language.ts';
import {
  addedCells,
  isAdded,
  type ResultRow,
  type ResultSheet,
  resultBatches,
  userCells,
  withHeaderRow,
} from '../../files/result-sheet.ts';
import {
  type AddedColumns,
  addedColumns,
  headerCells,
  outcomeCells,
  outcomeHeight,
  type PlacedCell,
} from '../edit/added-columns.ts';
import { rangeText } from '../edit/cell-range.ts';
import type { RewriteStyles } from '../edit/styles-part.ts';
import { longestLine } from '../excel-text.ts';
import { hidesRows, isHidden, ShownAgain } from '../shown-rows.ts';
import { cellXml, columnXml, contentXml, frozenView, textsIn, WORKSHEET_OPEN } from '../worksheet-xml.ts';
import { ByteSink } from '../xml/xml-write.ts';
import { TEXT_FORMAT } from './book-styles.ts';

/** Rows written at once; the first ones tell the widths. */
const BATCH = 200;
/** Printed with all columns on the width of a sheet of paper. */
const PROPERTIES = '<pageSetUpPr fitToPage="1"/>';
const PRINTED =
  '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>';

/** A worksheet part of a new result: rows at their own numbers below a frozen header with a filter. */
export class ResultPart {
  private readonly sheet: ResultSheet;
  private readonly styles: RewriteStyles;
  private readonly selected: boolean;
  private readonly added: AddedColumns | null;
  private readonly sink = new ByteSink();
  private columns = 0;
  private last = 0;
  private hides = false;
  private readonly shownAgain = new ShownAgain();

  constructor(sheet: ResultSheet, styles: RewriteStyles, selected: boolean) {
    this.sheet = sheet;
    this.styles = styles;
    this.selected = selected;
    this.added = sheet.added && addedColumns(sheet.added);
  }

  /** Notes for the user on what is seen, when the part is written. */
  get notes(): Bilingual[] {
    return this.shownAgain.notes(this.sheet, this.hides);
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const { sink } = this;
    this.hides = await hidesRows(this.sheet);
    const selected = this.selected ? ' tabSelected="1"' : '';
    sink.text(
      `${WORKSHEET_OPEN}<sheetPr>${PROPERTIES}</sheetPr>${frozenView(this.sheet.headerRow, selected)}`,
    );
    let begun = false;
    for await (const batch of resultBatches(withHeaderRow(this.sheet), BATCH)) {
      if (!begun) sink.text(`${this.columnsXml(batch)}<sheetData>`);
      begun = true;
      for (const result of batch) this.write(result);
      yield* sink.take();
    }
    sink.text(`${begun ? '' : '<sheetData>'}</sheetData>${this.filter()}${PRINTED}${this.ignored()}`);
    sink.text('</worksheet>');
    yield* sink.take(true);
  }

  private write(result: ResultRow): void {
    const { sheet, styles, sink } = this;
    // Rows of damaged workbooks may be out of order.
    this.last = Math.max(result.row.number, this.last + 1);
    const before = result.row.hidden === true;
    const hidden = isHidden(before, result.outcome, this.hides);
    if (before && !hidden) this.shownAgain.add(this.last);
    sink.text(
      resultRowXml(this.last, { ...result, row: { ...result.row, hidden } }, sheet, styles, this.added),
    );
  }

  /** A column of texts has their format, so that typed ids keep their zeros. */
  private columnsXml(sample: readonly ResultRow[]): string {
    const { added, headerRow } = this.sheet;
    const widths = columnWidths(sample, this.sheet);
    const below = sample.filter(({ row }) => row.number > (headerRow ?? 0)).flatMap(({ row }) => row.cells);
    const others = new Set(below.flatMap(({ type, column }) => (type === 'text' ? [] : [column])));
    this.columns = widths.length;
    const cols = widths.map((width, at) => {
      const isText = headerRow !== null && !others.has(at + 1) && !isAdded(at + 1, this.sheet);
      const style = isText && added !== null ? this.styles.shown(TEXT_FORMAT) : 0;
      return columnXml(at + 1, width, style);
    });
    return cols.length === 0 ? '' : `<cols>${cols.join('')}</cols>`;
  }

  /** From the header to the last row. */
  private filter(): string {
    const { headerRow, added } = this.sheet;
    if (headerRow === null || this.columns === 0 || this.last < headerRow) return '';
    const right = added === null ? this.columns : added.firstColumn + added.headers.length - 1;
    return `<autoFilter ref="${rangeText({ left: 1, top: headerRow, right, bottom: this.last })}"/>`;
  }

  private ignored(): string {
    const { headerRow } = this.sheet;
    if (headerRow === null || this.last <= headerRow) return '';
    const range = `A${headerRow + 1}:${columnLetters(Math.max(1, this.columns))}${this.last}`;
    return textsIn([range]);
  }
}

/** The errors that Excel knows; with any other it would offer to repair the file. */
const ERRORS = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'];

/** A row at a number: the cells of the user, coloured by their remarks, and the added ones. */
function resultRowXml(
  number: number,
  result: ResultRow,
  sheet: ResultSheet,
  styles: RewriteStyles,
  own: AddedColumns | null,
): string {
  const { row, outcome } = result;
  const isHeader = row.number === sheet.headerRow;
  const tones = new Map(isHeader ? [] : outcome?.marks?.map(({ column, tone }) => [column, tone]));
  const tinted = (style: number, column: number): number => {
    const tone = tones.get(column);
    return tone === undefined ? style : styles.tint(style, tone);
  };
  const cells = new Map<number, string>();
  for (const cell of userCells(result, sheet)) {
    const { column } = cell;
    const style = isHeader ? styles.header() : tinted(styles.shown(formatOf(cell)), column);
    cells.set(column, valueXml(cellAddress(column, number), style, cell));
  }
  const outcomes = (): PlacedCell[] =>
    own === null || outcome === undefined ? [] : outcomeCells(number, outcome, own, styles, '');
  const added = isHeader && own !== null ? headerCells(number, 0, own, styles, '') : outcomes();
  for (const { column, xml } of added) cells.set(column, xml);
  // A blank cell can be wrong too.
  for (const column of tones.keys())
    if (!cells.has(column)) {
      const style = tinted(styles.shown(TEXT_FORMAT), column);
      cells.set(column, cellXml(cellAddress(column, number), style, null));
    }
  const height = isHeader || outcome === undefined ? undefined : outcomeHeight(outcome);
  const room = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
  const inOrder = [...cells].sort(([one], [other]) => one - other).map(([, xml]) => xml);
  return `<row r="${number}"${row.hidden ? ' hidden="1"' : ''}${room}>${inOrder.join('')}</row>`;
}

/** The number format of a cell; a date always has one. */
function formatOf({ format, type, value }: Cell): string {
  if (format !== undefined) return format;
  if (type !== 'date') return type === 'text' ? TEXT_FORMAT : 'General';
  if (!value.includes('-')) return 'hh:mm:ss';
  return value.includes(' ') ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd';
}

/** A cell with a value of the user. Dates are serials, as anything else would bring in a time zone. */
function valueXml(address: string, style: number, cell: Cell): string {
  const { type, value } = cell;
  if (type === 'text' || type === 'number') return cellXml(address, style, value);
  if (type === 'date') return cellXml(address, style, { date: value });
  const start = `<c r="${address}" s="${style}"`;
  if (type === 'boolean') return `${start}${contentXml(value)}`;
  // A formula with an unknown result and text. If it were left blank the row would look complete and be sent
  // without it; this one has no stored result again, and shows `#N/A` once calculated.
  if (value === UNCACHED || value === CIRCULAR) return `${start}><f>NA()</f></c>`;
  return `${start} t="e"><v>${ERRORS.includes(value) ? value : '#N/A'}</v></c>`;
}

const NARROWEST = 8;
const WIDEST = 42;
const WIDEST_ADDED = 60;

/** Widths in characters from column A on, for the sampled rows; titles above the header may overflow. */
function columnWidths(sample: readonly ResultRow[], sheet: ResultSheet): number[] {
  const widths: number[] = [];
  for (const result of sample) {
    if (result.row.number < (sheet.headerRow ?? 1)) continue;
    for (const { column, value } of userCells(result, sheet)) widen(widths, column, String(value), WIDEST);
    const first = sheet.added?.firstColumn ?? 1;
    for (const [index, value] of addedCells(result, sheet).entries()) {
      widen(widths, first + index, String(value ?? ''), WIDEST_ADDED);
    }
  }
  return Array.from(widths, (width) => width ?? NARROWEST);
}

function widen(widths: number[], column: number, text: string, widest: number): void {
  // With room for the arrow of the filter.
  const needed = longestLine(text) + 3;
  widths[column - 1] = Math.min(widest, Math.max(widths[column - 1] ?? NARROWEST, needed));
}
