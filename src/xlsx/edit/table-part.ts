import { normaliseHeader, outputMark } from '../../core/header.ts';
import { rangeColumns } from '../../files/sheet.ts';
import { rootPrefix, XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { attributeNumber, attributeValue, decodeEscapes } from '../xml/xml-text.ts';
import { type AddedColumns, type EmptiedColumns, growRange } from './added-columns.ts';
import {
  type CellRange,
  cellRange,
  type FilterChange,
  FilterEdit,
  filterXml,
  rangeText,
} from './auto-filter.ts';

const REF = nameCode('ref');
const TYPE = nameCode('tableType');
const HEADERS = nameCode('headerRowCount');
const FILTER = nameCode('autoFilter');
const COLUMNS = nameCode('tableColumns');
const COLUMN = nameCode('tableColumn');
const TOTALS = nameCode('totalsRowCount');
const ID = nameCode('id');
const COUNT = nameCode('count');
const NAME = nameCode('name');

/** What to add to a table. */
export interface TableGrowth {
  readonly own: AddedColumns;
  readonly headerRow: number;
  readonly emptied: EmptiedColumns;
  /** The condition to add to its filter, and those to drop. */
  readonly filter: Pick<FilterChange, 'condition' | 'drops'>;
  /** Which conditions of the user are taken off, also of a table that does not grow; null for none. */
  readonly isLifted: ((column: number) => boolean) | null;
}

/**
 * The table part grown over the added columns, and their headers, without the conditions that are taken
 * off. A table that does not end at or in these columns, has its headers in another row or is filled by a
 * query keeps its size. Undefined if nothing changes.
 */
export function growTable(bytes: Buffer, growth: TableGrowth): Buffer | undefined {
  return new TableEdit(bytes, growth).edit();
}

class TableEdit {
  private readonly copy: XmlCopy;
  private readonly growth: TableGrowth;
  private prefix = '';
  private grows = true;
  private range: CellRange | undefined;
  private totals = 0;
  private filter: FilterEdit | undefined;
  private filterDone = false;
  private columns = false;
  private added: readonly string[] = [];
  private readonly ids: number[] = [];

  constructor(bytes: Buffer, growth: TableGrowth) {
    this.copy = new XmlCopy(bytes.length + 1);
    this.copy.feed(bytes);
    this.growth = growth;
  }

  edit(): Buffer | undefined {
    const { copy } = this;
    for (let token = copy.next(); token !== NEED; token = copy.next()) {
      const { depth, selfClosing } = copy.scanner;
      if (token === CLOSE) this.close(depth + 1);
      else if (token === OPEN && !this.open(selfClosing ? depth + 1 : depth)) return undefined;
    }
    return Buffer.concat(copy.take(true));
  }

  private open(level: number): boolean {
    if (level === 1) {
      this.grows = this.openTable();
      return this.grows || this.growth.isLifted !== null;
    }
    if (level === 2) this.openPart();
    else if (level === 3 && this.filter !== undefined) this.filter.openChild();
    else if (level === 3 && this.columns && this.copy.scanner.code === COLUMN) this.openColumn();
    return true;
  }

  private openTable(): boolean {
    const { copy, growth } = this;
    const { own, headerRow } = growth;
    const ref = attributeValue(copy.scanner, REF) ?? '';
    const range = cellRange(ref);
    const type = attributeValue(copy.scanner, TYPE) ?? 'worksheet';
    if (range === undefined || type !== 'worksheet' || attributeValue(copy.scanner, HEADERS) === '0')
      return false;
    if (range.left >= own.first || range.right < own.first - 1 || range.top !== headerRow) return false;
    this.prefix = rootPrefix(copy.scanner, copy.before);
    this.range = range;
    this.totals = attributeNumber(copy.scanner, TOTALS);
    this.added = own.headers.slice(range.right + 1 - own.first);
    copy.changeTag({ ref: growRange(ref, own) ?? ref });
    return true;
  }

  private openPart(): void {
    const { copy, prefix } = this;
    const { code, selfClosing } = copy.scanner;
    if (!this.grows && code !== FILTER) return;
    this.columns = code === COLUMNS && !selfClosing;
    if (code === FILTER) {
      const range = cellRange(attributeValue(copy.scanner, REF));
      if (range === undefined) return;
      this.filterDone = true;
      const filter = new FilterEdit(copy, this.filterChange(range), prefix);
      filter.open();
      this.filter = selfClosing ? undefined : filter;
      return;
    }
    if (!this.filterDone && this.growth.filter.condition !== null && this.range !== undefined) {
      const range = { ...this.range, bottom: this.range.bottom - this.totals };
      copy.insertBefore(filterXml(this.filterChange(range), prefix));
    }
    this.filterDone = true;
    if (code === COLUMNS)
      copy.changeTag({ count: String(attributeNumber(copy.scanner, COUNT) + this.added.length) });
  }

  private filterChange(range: CellRange): FilterChange {
    const { filter, isLifted } = this.growth;
    const lifts = isLifted ?? (() => false);
    if (!this.grows) return { range, condition: null, drops: lifts };
    const ref = rangeText(range);
    const drops = (column: number): boolean => filter.drops(column) || lifts(column);
    return { ...filter, drops, range: cellRange(growRange(ref, this.growth.own) ?? ref) ?? range };
  }

  private openColumn(): void {
    const { own, emptied } = this.growth;
    const column = (this.range?.left ?? 1) + this.ids.length;
    const name = own.headers[column - own.first] ?? emptied.get(column);
    if (name != null) this.copy.changeTag({ name });
    this.ids.push(attributeNumber(this.copy.scanner, ID));
  }

  private close(level: number): void {
    if (level === 3) this.filter?.closeChild();
    if (level !== 2) return;
    this.filter?.close();
    this.filter = undefined;
    const last = Math.max(...this.ids);
    const added = this.added.map(
      (header, at) => `<${this.prefix}tableColumn id="${last + 1 + at}" name="${header}"/>`,
    );
    if (this.columns) this.copy.insertBefore(added.join(''));
    this.columns = false;
  }
}

/** The headers of a table by column; none if they are not in the header row. */
function tableNames(bytes: Buffer, headerRow: number): ReadonlyMap<number, string> {
  const scanner = new XmlScanner(bytes.length + 1);
  const names = new Map<number, string>();
  let left = 0;
  scanner.feed(bytes);
  for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
    if (token !== OPEN) continue;
    if (left === 0) {
      const ref = attributeValue(scanner, REF) ?? '';
      left = rangeColumns(ref)?.[0] ?? 0;
      if (left === 0 || attributeValue(scanner, HEADERS) === '0' || cellRange(ref)?.top !== headerRow)
        return names;
    } else if (scanner.code === COLUMN)
      names.set(left + names.size, decodeEscapes(attributeValue(scanner, NAME) ?? ''));
  }
  return names;
}

/** Unique headers for emptied columns of a table: their own, numbered, by which they are known again. */
export function emptiedHeaders(
  bytes: Buffer,
  own: AddedColumns,
  headerRow: number,
  emptied: ReadonlySet<number>,
): ReadonlyMap<number, string> {
  const names = tableNames(bytes, headerRow);
  const others = [...names].flatMap(([column, name]) => (emptied.has(column) ? [] : name.toLowerCase()));
  const taken = new Set([...own.headers, ...others]);
  const headers = new Map<number, string>();
  for (const [column, name] of names) {
    const mark = emptied.has(column) ? outputMark(normaliseHeader(name)) : undefined;
    if (mark === undefined) continue;
    let number = 2;
    while (taken.has(`${mark}${number}`)) number++;
    taken.add(`${mark}${number}`);
    headers.set(column, `${mark}${number}`);
  }
  return headers;
}
