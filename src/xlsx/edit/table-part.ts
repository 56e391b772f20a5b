import { cellRange } from '../cell-range.ts';
import {
  attributeNumber,
  attributeValue,
  CLOSE,
  nameCodes,
  OPEN,
  type XmlScanner,
} from '../xml/xml-scanner.ts';
import { XmlCopy } from '../xml/xml-write.ts';
import { growRef, type ResultColumns } from './added-columns.ts';

const ELEMENT = nameCodes('autoFilter', 'tableColumns', 'tableColumn');

/**
 * The table part grown over the added columns, with their headers, so that they are sorted along. Undefined
 * for a table that does not end at or in these columns, has its headers in another row or is filled by a
 * query.
 */
export function growTable(bytes: Buffer, own: ResultColumns): Buffer | undefined {
  return new TableEdit(bytes, own).edit();
}

class TableEdit {
  private readonly copy: XmlCopy;
  private readonly own: ResultColumns;
  private left = 0;
  private columns = false;
  private added: readonly string[] = [];
  private readonly ids: number[] = [];

  constructor(bytes: Buffer, own: ResultColumns) {
    this.copy = XmlCopy.of(bytes);
    this.own = own;
  }

  edit(): Buffer | undefined {
    const { copy } = this;
    for (const token of copy.tokens()) {
      if (token === CLOSE) this.close(copy.scanner.level);
      else if (token === OPEN && !this.open(copy.scanner.level)) return undefined;
    }
    return Buffer.concat(copy.take(true));
  }

  private open(level: number): boolean {
    if (level === 1) return this.openTable();
    if (level === 2) this.openPart();
    else if (level === 3 && this.columns && this.copy.scanner.code === ELEMENT.tableColumn) this.openColumn();
    return true;
  }

  private openTable(): boolean {
    const { copy, own } = this;
    const range = cellRange(attributeValue(copy.scanner, 'ref'));
    if (range === undefined || !isPlain(copy.scanner) || range.top !== own.headerRow) return false;
    if (range.left >= own.first || range.right < own.first - 1) return false;
    this.left = range.left;
    this.added = own.headers.slice(range.right + 1 - own.first);
    growRef(copy, own);
    return true;
  }

  private openPart(): void {
    const { copy, own } = this;
    const { code, selfClosing } = copy.scanner;
    this.columns = code === ELEMENT.tableColumns && !selfClosing;
    if (code === ELEMENT.autoFilter) growRef(copy, own);
    else if (code === ELEMENT.tableColumns)
      copy.changeTag({ count: String(attributeNumber(copy.scanner, 'count') + this.added.length) });
  }

  private openColumn(): void {
    const { own } = this;
    const column = this.left + this.ids.length;
    const name = own.headers[column - own.first] ?? own.emptied.get(column);
    if (name !== undefined) this.copy.changeTag({ name });
    this.ids.push(attributeNumber(this.copy.scanner, 'id'));
  }

  private close(level: number): void {
    if (level !== 2) return;
    const last = this.ids.reduce((most, id) => Math.max(most, id), Number.NEGATIVE_INFINITY);
    const added = this.added.map(
      (header, at) => `<${this.copy.prefix}tableColumn id="${last + 1 + at}" name="${header}"/>`,
    );
    if (this.columns) this.copy.insertBefore(added.join(''));
    this.columns = false;
  }
}

/** Whether the table just opened has a header row, and is not filled by a query. */
const isPlain = (scanner: XmlScanner): boolean =>
  (attributeValue(scanner, 'tableType') ?? 'worksheet') === 'worksheet' &&
  attributeValue(scanner, 'headerRowCount') !== '0';
