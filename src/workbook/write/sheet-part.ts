import { columnLetters } from '../../schema/cell.ts';
import { ByteSink } from '../rewrite/byte-sink.ts';
import { WORKSHEET, type WrittenTable } from './book-parts.ts';
import { type BookStyles, TEXT_FORMAT } from './book-styles.ts';
import { inlineText, RowWriter } from './row-writer.ts';
import type { Spool } from './spool.ts';
import type { WrittenColumn, WrittenRow, WrittenSheet } from './written-sheet.ts';

const HEADER_HEIGHT = 30;
const MARGINS = '<pageMargins left="0.4" right="0.4" top="0.7" bottom="0.6" header="0.3" footer="0.3"/>';
const PRINTED = `${MARGINS}<pageSetup paperSize="9" orientation="landscape"/>`;
const FITTED = `${MARGINS}<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>`;
const FITS = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
/** The second and third relationship of a sheet's own; see `bookParts`. */
const NOTES = '<legacyDrawing r:id="rId2"/>';
const TABLE = '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>';

/** Writes one worksheet part: a table under a frozen header, rows as they come. */
export class TablePart {
  readonly spool: Spool;
  private readonly columns: readonly WrittenColumn[];
  private readonly rows: RowWriter;
  private readonly sink = new ByteSink();
  private readonly name: string;
  private readonly printed: string;
  private last = 1;

  constructor(
    { table, columns, fitted = false }: Omit<WrittenSheet, 'name'>,
    spool: Spool,
    styles: BookStyles,
  ) {
    this.name = table;
    this.columns = columns;
    this.printed = fitted ? FITTED : PRINTED;
    this.spool = spool;
    this.rows = new RowWriter(columns, styles);
    this.sink.text(
      `${WORKSHEET}${fitted ? FITS : ''}${VIEWS}${columnsXml(columns, styles)}<sheetData>${headerXml(columns, styles)}`,
    );
  }

  /** Rows below the header so far. */
  get count(): number {
    return this.last - 1;
  }

  async add(rows: readonly WrittenRow[]): Promise<void> {
    for (const row of rows) this.rows.write(this.sink, ++this.last, row);
    await this.spool.write(this.sink.take());
  }

  /** Writes what stands below the rows; answers what the workbook must know. */
  async finish(): Promise<WrittenTable> {
    this.sink.text(`</sheetData>${this.printed}${this.ignored()}${NOTES}${TABLE}</worksheet>`);
    await this.spool.write(this.sink.take(true));
    return { name: this.name, columns: this.columns, lastRow: this.last };
  }

  /** Numbers in text are meant as such; without this Excel puts a mark on each of them. */
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

/** Writes one worksheet part of texts alone, for the program's own use. */
export class TextsPart {
  readonly spool: Spool;
  private readonly sink = new ByteSink();
  private last = 0;

  constructor(spool: Spool) {
    this.spool = spool;
    this.sink.text(`${WORKSHEET}<sheetData>`);
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
