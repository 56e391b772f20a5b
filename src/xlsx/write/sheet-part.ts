import { columnLetters } from '../../core/cell.ts';
import { excelText } from '../excel-text.ts';
import { textToSerial } from '../serial-date.ts';
import { ByteSink, textElement } from '../xml/xml-write.ts';
import type { SpooledPart } from '../zip/spooled-part.ts';
import { WORKSHEET_OPEN, type WrittenTable } from './book-parts.ts';
import { type BookStyles, DAY_FORMAT, MOMENT_FORMAT, TEXT_FORMAT } from './book-styles.ts';
import type { WrittenColumn, WrittenRow, WrittenSheet, WrittenValue } from './written-book.ts';

const HEADER_HEIGHT = 30;
const MARGINS = '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/>';
const PRINTED = `${MARGINS}<pageSetup paperSize="9" orientation="landscape"/>`;
const FITTED = `${MARGINS}<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>`;
const FITS = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
/** The relationships of the sheet; see `bookParts`. */
const NOTES = '<legacyDrawing r:id="rId2"/>';
const TABLE = '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>';

/** Writes a worksheet part: a table below a frozen header, rows as they come. */
export class TablePart {
  readonly spool: SpooledPart;
  private readonly columns: readonly WrittenColumn[];
  private readonly rows: RowWriter;
  private readonly sink = new ByteSink();
  private readonly name: string;
  private readonly printed: string;
  private last = 1;

  constructor(
    { table, columns, fitted = false }: Omit<WrittenSheet, 'name'>,
    spool: SpooledPart,
    styles: BookStyles,
  ) {
    this.name = table;
    this.columns = columns;
    this.printed = fitted ? FITTED : PRINTED;
    this.spool = spool;
    this.rows = new RowWriter(columns, styles);
    this.sink.text(
      `${WORKSHEET_OPEN}${fitted ? FITS : ''}${VIEWS}${columnsXml(columns, styles)}<sheetData>${headerXml(columns, styles)}`,
    );
  }

  get count(): number {
    return this.last - 1;
  }

  async add(rows: readonly WrittenRow[]): Promise<void> {
    for (const row of rows) this.rows.write(this.sink, ++this.last, row);
    await this.spool.write(this.sink.take());
  }

  /** Writes the end of the part. */
  async finish(): Promise<WrittenTable> {
    this.sink.text(`</sheetData>${this.printed}${this.ignored()}${NOTES}${TABLE}</worksheet>`);
    await this.spool.write(this.sink.take(true));
    return { name: this.name, columns: this.columns, lastRow: this.last };
  }

  /** Without this Excel marks each number stored as text. */
  private ignored(): string {
    const ranges = this.columns.flatMap(({ format }, at) => {
      const letters = columnLetters(at + 1);
      return format === TEXT_FORMAT && this.count > 0 ? [`${letters}2:${letters}${this.last}`] : [];
    });
    if (ranges.length === 0) return '';
    return `<ignoredErrors><ignoredError sqref="${ranges.join(' ')}" numberStoredAsText="1"/></ignoredErrors>`;
  }
}

const VIEWS =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>';

function columnsXml(columns: readonly WrittenColumn[], styles: BookStyles): string {
  const cols = columns.map(({ width, format }, at) => {
    const style = styles.cell(format);
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${style}" customWidth="1"/>`;
  });
  return `<cols>${cols.join('')}</cols>`;
}

function headerXml(columns: readonly WrittenColumn[], styles: BookStyles): string {
  const cells = columns.map(
    ({ header, role }, at) =>
      `<c r="${columnLetters(at + 1)}1" s="${styles.header(role)}" t="inlineStr"><is>${inlineText(header)}</is></c>`,
  );
  return `<row r="1" ht="${HEADER_HEIGHT}" customHeight="1">${cells.join('')}</row>`;
}

/** Writes a worksheet part of texts, for our own use. */
export class TextsPart {
  readonly spool: SpooledPart;
  private readonly sink = new ByteSink();
  private last = 0;

  constructor(spool: SpooledPart) {
    this.spool = spool;
    this.sink.text(`${WORKSHEET_OPEN}<sheetData>`);
  }

  get count(): number {
    return this.last;
  }

  async add(rows: readonly (readonly string[])[]): Promise<void> {
    for (const row of rows) {
      const number = ++this.last;
      let xml = `<row r="${number}">`;
      for (let at = 0; at < row.length; at++) {
        const text = row[at] as string;
        if (text !== '')
          xml += `<c r="${columnLetters(at + 1)}${number}" t="inlineStr"><is>${inlineText(text)}</is></c>`;
      }
      this.sink.text(`${xml}</row>`);
    }
    await this.spool.write(this.sink.take());
  }

  async finish(): Promise<null> {
    this.sink.text('</sheetData></worksheet>');
    await this.spool.write(this.sink.take(true));
    return null;
  }
}

/** Texts that need escaping: with marks of XML or Excel, control characters, outer blanks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
const UNUSUAL = /[&<>\x00-\x1f\x7f\ufffe\uffff]|_x|^\s|\s$/;

/** A text in its own cell: a list of shared texts would have to wait in memory. */
export function inlineText(text: string): string {
  return UNUSUAL.test(text) ? textElement('t', excelText(text)) : `<t>${text}</t>`;
}

const styleMark = (style: number): string => ` s="${style}"`;

/** Writes rows of cells as XML; what is the same in each row is prepared once, for speed. */
class RowWriter {
  private readonly starts: readonly string[];
  private readonly marks: readonly string[];
  private readonly text: string;
  private readonly day: string;
  private readonly moment: string;

  constructor(columns: readonly WrittenColumn[], styles: BookStyles) {
    this.starts = columns.map((_, at) => `<c r="${columnLetters(at + 1)}`);
    this.marks = columns.map(({ format }) => styleMark(styles.cell(format)));
    this.text = styleMark(styles.cell(TEXT_FORMAT));
    this.day = styleMark(styles.cell(DAY_FORMAT));
    this.moment = styleMark(styles.cell(MOMENT_FORMAT));
  }

  write(sink: ByteSink, number: number, row: WrittenRow): void {
    let xml = `<row r="${number}">`;
    for (let at = 0; at < row.length; at++) {
      const value = row[at] as WrittenValue;
      if (value === null || value === '') continue;
      xml += `${this.starts[at]}${number}"${this.content(value, at)}`;
    }
    sink.text(`${xml}</row>`);
  }

  /** Texts always have their own format: programs then make no number or date of one. */
  private content(value: Exclude<WrittenValue, null>, at: number): string {
    // NaN and Infinity damage the file.
    if (typeof value === 'number' && Number.isFinite(value)) return `${this.marks[at]}><v>${value}</v></c>`;
    if (typeof value !== 'boolean' && typeof value !== 'object')
      return `${this.text} t="inlineStr"><is>${inlineText(String(value))}</is></c>`;
    if (typeof value === 'boolean') return `${this.marks[at]} t="b"><v>${value ? 1 : 0}</v></c>`;
    const serial = textToSerial(value.date);
    if (serial === undefined) return `${this.text} t="inlineStr"><is>${inlineText(value.date)}</is></c>`;
    return `${value.date.includes(' ') ? this.moment : this.day}><v>${serial}</v></c>`;
  }
}
