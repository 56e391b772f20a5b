import { type Cell, CIRCULAR, cellAddress, type Row, UNCACHED } from '../../core/cell.ts';
import { type ResultSheet, resultBatches } from '../../files/result-sheet.ts';
import { rangeText } from '../cell-range.ts';
import { TEXT_FORMAT } from '../number-formats.ts';
import {
  cellXml,
  columnXml,
  contentXml,
  FITTED,
  frozenView,
  textsIn,
  worksheetOpen,
} from '../worksheet-xml.ts';
import { ByteSink } from '../xml/xml-write.ts';
import type { RewriteStyles } from './styles-part.ts';

/** Rows written at once. */
const BATCH = 200;
/** In characters, and how many columns have that width where more is not known. */
const WIDTH = 20;
const USUAL = 64;
const PRINTED =
  '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>';

/** A worksheet part of rows at their own numbers, below a frozen header with a filter where outcomes come beside them. */
export class ResultPart {
  private readonly sheet: ResultSheet;
  private readonly styles: RewriteStyles;
  private readonly selected: boolean;
  private readonly main: string | undefined;
  private readonly sink = new ByteSink();
  private last = 0;

  /** `main` is the namespace of its workbook. */
  constructor(sheet: ResultSheet, styles: RewriteStyles, selected: boolean, main?: string) {
    this.sheet = sheet;
    this.styles = styles;
    this.selected = selected;
    this.main = main;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const { sink, sheet } = this;
    const selected = this.selected ? ' tabSelected="1"' : '';
    sink.text(`${worksheetOpen(this.main)}${FITTED}${frozenView(sheet.headerRow, selected)}`);
    sink.text(`${this.columnsXml()}<sheetData>`);
    for await (const batch of resultBatches(sheet.rows, BATCH)) {
      for (const row of batch) sink.text(this.rowXml(row));
      yield* sink.take();
    }
    sink.text(`</sheetData>${this.filter()}${PRINTED}${this.ignored()}`);
    sink.text('</worksheet>');
    yield* sink.take(true);
  }

  private rowXml({ number, cells, hidden }: Row): string {
    const { sheet, styles } = this;
    this.last = Math.max(number, this.last);
    const isHeader = number === sheet.headerRow;
    const xml = cells.map((cell) =>
      valueXml(
        cellAddress(cell.column, number),
        isHeader ? styles.header() : styles.shown(formatOf(cell)),
        cell,
      ),
    );
    return `<row r="${number}"${hidden ? ' hidden="1"' : ''}>${xml.join('')}</row>`;
  }

  /** Columns to type in have the format of texts, so that ids keep their zeros. */
  private columnsXml(): string {
    const { added } = this.sheet;
    if (added === null) return `<cols><col min="1" max="${USUAL}" width="${WIDTH}" customWidth="1"/></cols>`;
    const style = this.styles.shown(TEXT_FORMAT);
    const own = Array.from({ length: added.firstColumn - 1 }, (_, at) => columnXml(at + 1, WIDTH, style));
    return `<cols>${own.join('')}</cols>`;
  }

  /** From the header to the last row, up to the columns to come, over which it grows. */
  private filter(): string {
    const { headerRow: top, added } = this.sheet;
    if (top === null || added === null || this.last < top) return '';
    const right = added.firstColumn - 1;
    return `<autoFilter ref="${rangeText({ left: 1, top, right, bottom: this.last })}"/>`;
  }

  private ignored(): string {
    const { headerRow, added } = this.sheet;
    if (headerRow === null || added === null || this.last <= headerRow) return '';
    const right = added.firstColumn + added.headers.length - 1;
    return textsIn([rangeText({ left: 1, top: headerRow + 1, right, bottom: this.last })]);
  }
}

/** The errors that Excel knows; with any other it would offer to repair the file. */
const ERRORS = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA'];

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
