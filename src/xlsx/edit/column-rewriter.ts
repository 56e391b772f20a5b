import { attributeValue } from '../xml/xml-text.ts';
import { aroundOwn, type OwnColumns, ownCols } from './own-columns.ts';
import { ATTRIBUTE } from './sheet-codes.ts';
import type { TagChanges, XmlCopy } from './xml-copy.ts';

/** Gives the added columns their widths: what the sheet says of those columns gives way, what it says of others stays. */
export class ColumnRewriter {
  /** The prefix of the sheet's tags, with its colon. */
  prefix = '';
  private readonly copy: XmlCopy;
  private readonly own: OwnColumns;
  private readonly styles: (readonly [min: number, max: number, style: number])[] = [];
  private done = false;
  /** A `</col>` is still to come of a tag that has been replaced. */
  private open = false;

  constructor(copy: XmlCopy, own: OwnColumns) {
    this.copy = copy;
    this.own = own;
  }

  /** The format of a column's blank cells, 0 for none. */
  styleOf(column: number): number {
    return this.styles.find(([min, max]) => column >= min && column <= max)?.[2] ?? 0;
  }

  /** The scanner stands behind `<col/>`. */
  openCol(): void {
    const { copy, own } = this;
    const numbers = [ATTRIBUTE.min, ATTRIBUTE.max, ATTRIBUTE.style].map((name) =>
      Number(attributeValue(copy.scanner, name) ?? 0),
    );
    const [min = 0, max = 0, style = 0] = numbers;
    if (style > 0) this.styles.push([min, max, style]);
    if (max < own.first) return;
    if (min > own.last) {
      copy.insertBefore(this.widths());
      return;
    }
    const { left, right } = aroundOwn(own, min, max);
    const text = copy.scanner.bytes
      .toString('utf8', copy.before, copy.scanner.position)
      .replace(/\s*\/?>$/, '/>');
    this.open = !copy.scanner.selfClosing;
    copy.replace(`${ranged(text, left)}${this.widths()}${ranged(text, right)}`);
  }

  /** The scanner stands behind `</col>`. */
  closeCol(): void {
    if (this.open) this.copy.replace('');
    this.open = false;
  }

  /** The scanner stands behind `</cols>`. */
  closeCols(): void {
    this.copy.insertBefore(this.widths());
  }

  /** The scanner stands behind `<sheetData>`, before which the columns must have been. */
  openData(): void {
    const widths = this.widths();
    if (widths !== '') this.copy.insertBefore(`<${this.prefix}cols>${widths}</${this.prefix}cols>`);
  }

  /** The widths, once. */
  private widths(): string {
    if (this.done) return '';
    this.done = true;
    return ownCols(this.own, this.prefix);
  }
}

function ranged(col: string, range: TagChanges | null): string {
  if (range === null) return '';
  return col
    .replace(/\smin=(?:"[^"]*"|'[^']*')/, ` min="${range.min}"`)
    .replace(/\smax=(?:"[^"]*"|'[^']*')/, ` max="${range.max}"`);
}
