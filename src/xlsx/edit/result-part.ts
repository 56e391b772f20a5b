import { type Cell, CIRCULAR, cellAddress, UNCACHED } from '../../core/cell.ts';
import { type ResultRow, type ResultSheet, resultBatches, userCells } from '../../files/result-sheet.ts';
import { TEXT_FORMAT } from '../number-formats.ts';
import { hidesRows, isHidden } from '../shown-rows.ts';
import { cellXml, columnXml, contentXml, frozenView, textsIn, worksheetOpen } from '../worksheet-xml.ts';
import { ByteSink } from '../xml/xml-write.ts';
import {
  type AddedColumns,
  addedColumns,
  addedWidths,
  headerCells,
  outcomeCells,
  outcomeHeight,
  type PlacedCell,
} from './added-columns.ts';
import { rangeText } from './cell-range.ts';
import type { RewriteStyles } from './styles-part.ts';

/** Rows written at once. */
const BATCH = 200;
/** In characters, and how many columns have that width where more is not known. */
const WIDTH = 20;
const USUAL = 64;
/** Printed with all columns on the width of a sheet of paper. */
const PROPERTIES = '<pageSetUpPr fitToPage="1"/>';
const PRINTED =
  '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>';

/** A worksheet part of a new result: rows at their own numbers below a frozen header with a filter. */
export class ResultPart {
  private readonly sheet: ResultSheet;
  private readonly styles: RewriteStyles;
  private readonly selected: boolean;
  private readonly main: string | undefined;
  private readonly added: AddedColumns | null;
  private readonly sink = new ByteSink();
  private last = 0;
  private hides = false;

  /** `main` is the namespace of its workbook. */
  constructor(sheet: ResultSheet, styles: RewriteStyles, selected: boolean, main?: string) {
    this.sheet = sheet;
    this.styles = styles;
    this.selected = selected;
    this.main = main;
    this.added = sheet.added && addedColumns(sheet.added);
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const { sink } = this;
    this.hides = await hidesRows(this.sheet);
    const selected = this.selected ? ' tabSelected="1"' : '';
    sink.text(
      `${worksheetOpen(this.main)}<sheetPr>${PROPERTIES}</sheetPr>${frozenView(this.sheet.headerRow, selected)}`,
    );
    sink.text(`${this.columnsXml()}<sheetData>`);
    for await (const batch of resultBatches(this.sheet.rows, BATCH)) {
      for (const result of batch) this.write(result);
      yield* sink.take();
    }
    sink.text(`</sheetData>${this.filter()}${PRINTED}${this.ignored()}`);
    sink.text('</worksheet>');
    yield* sink.take(true);
  }

  private write(result: ResultRow): void {
    const { sheet, styles, sink } = this;
    // Rows of damaged workbooks may be out of order.
    this.last = Math.max(result.row.number, this.last + 1);
    const hidden = isHidden(result.row.hidden === true, result.outcome, this.hides);
    sink.text(
      resultRowXml(this.last, { ...result, row: { ...result.row, hidden } }, sheet, styles, this.added),
    );
  }

  /** Columns to type in have the format of texts, so that ids keep their zeros. */
  private columnsXml(): string {
    const { added, styles } = this;
    if (added === null) return `<cols><col min="1" max="${USUAL}" width="${WIDTH}" customWidth="1"/></cols>`;
    const style = styles.shown(TEXT_FORMAT);
    const own = Array.from({ length: added.first - 1 }, (_, at) => columnXml(at + 1, WIDTH, style));
    return `<cols>${own.join('')}${addedWidths(added, '')}</cols>`;
  }

  /** From the header to the last row. */
  private filter(): string {
    const { added } = this;
    const top = this.sheet.headerRow;
    if (top === null || added === null || this.last < top) return '';
    return `<autoFilter ref="${rangeText({ left: 1, top, right: added.last, bottom: this.last })}"/>`;
  }

  private ignored(): string {
    const { added } = this;
    const header = this.sheet.headerRow;
    if (header === null || added === null || this.last <= header) return '';
    return textsIn([rangeText({ left: 1, top: header + 1, right: added.last, bottom: this.last })]);
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
