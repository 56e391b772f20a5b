import { columnLetters } from '../../schema/cell.ts';
import { excelText } from '../result-cells.ts';
import type { ByteSink } from '../rewrite/byte-sink.ts';
import { textElement } from '../rewrite/xml-write.ts';
import { textToSerial } from '../serial-date.ts';
import { type BookStyles, DAY_FORMAT, MOMENT_FORMAT, TEXT_FORMAT } from './book-styles.ts';
import type { WrittenColumn, WrittenRow, WrittenValue } from './written-sheet.ts';

/** What a text can't be written with as it is: marks of XML and of Excel's own, control characters, outer blanks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
const UNUSUAL = /[&<>\x00-\x1f\x7f\ufffe\uffff]|_x|^\s|\s$/;

/** A text in the cell itself: it needs no list of shared texts, which would have to wait in memory. */
export function inlineText(text: string): string {
  return UNUSUAL.test(text) ? textElement('t', excelText(text)) : `<t>${text}</t>`;
}

const styleMark = (style: number): string => ` s="${style}"`;

/** Writes rows of cells as XML: worked out once a sheet, as a row has many cells and a sheet many rows. */
export class RowWriter {
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

  /** A text has the format of texts also where its column has another: no program then makes a number or date of it. */
  private content(value: Exclude<WrittenValue, null>, at: number): string {
    // A number that is none damages the file.
    if (typeof value === 'number' && Number.isFinite(value)) return `${this.marks[at]}><v>${value}</v></c>`;
    if (typeof value !== 'boolean' && typeof value !== 'object')
      return `${this.text} t="inlineStr"><is>${inlineText(String(value))}</is></c>`;
    if (typeof value === 'boolean') return `${this.marks[at]} t="b"><v>${value ? 1 : 0}</v></c>`;
    const serial = textToSerial(value.date);
    if (serial === undefined) return `${this.text} t="inlineStr"><is>${inlineText(value.date)}</is></c>`;
    return `${value.date.includes(' ') ? this.moment : this.day}><v>${serial}</v></c>`;
  }
}
