import { normaliseHeader, outputMark } from '../../core/header.ts';
import { XmlCopy } from '../xml/xml-copy.ts';
import { CLOSE, nameCodes, OPEN, type XmlScanner } from '../xml/xml-scanner.ts';
import { attributeNumber, attributeValue, decodeEscapes } from '../xml/xml-text.ts';
import { growRange, isOurs, type ResultColumns } from './added-columns.ts';
import {
  type CellRange,
  cellRange,
  editFilter,
  type FilterChange,
  type FilterEdit,
  filterXml,
  rangeText,
} from './auto-filter.ts';

const ELEMENT = nameCodes('autoFilter', 'tableColumns', 'tableColumn');

/** What to add to a table. */
interface TableGrowth {
  readonly own: ResultColumns;
  /** The condition to add to its filter. */
  readonly condition: FilterChange['condition'];
  /** The columns whose conditions are taken off, also of a table that does not grow. */
  readonly lifted: ReadonlySet<number> | undefined;
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
  private grows = true;
  private range: CellRange | undefined;
  private totals = 0;
  private filter: FilterEdit | undefined;
  private filterDone = false;
  private columns = false;
  private added: readonly string[] = [];
  private readonly ids: number[] = [];

  constructor(bytes: Buffer, growth: TableGrowth) {
    this.copy = XmlCopy.of(bytes);
    this.growth = growth;
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
    if (level === 1) {
      this.grows = this.openTable();
      return this.grows || this.growth.lifted !== undefined;
    }
    if (level === 2) this.openPart();
    else if (level === 3 && this.filter !== undefined) this.filter.openChild();
    else if (level === 3 && this.columns && this.copy.scanner.code === ELEMENT.tableColumn) this.openColumn();
    return true;
  }

  private openTable(): boolean {
    const { copy } = this;
    const { own } = this.growth;
    const ref = attributeValue(copy.scanner, 'ref') ?? '';
    const range = cellRange(ref);
    if (range === undefined || !isPlain(copy.scanner) || range.top !== own.headerRow) return false;
    if (range.left >= own.first || range.right < own.first - 1) return false;
    this.range = range;
    this.totals = attributeNumber(copy.scanner, 'totalsRowCount');
    this.added = own.headers.slice(range.right + 1 - own.first);
    copy.changeTag({ ref: growRange(ref, own) ?? ref });
    return true;
  }

  private openPart(): void {
    const { copy } = this;
    const { code, selfClosing } = copy.scanner;
    if (!this.grows && code !== ELEMENT.autoFilter) return;
    this.columns = code === ELEMENT.tableColumns && !selfClosing;
    if (code === ELEMENT.autoFilter) {
      const range = cellRange(attributeValue(copy.scanner, 'ref'));
      if (range === undefined) return;
      this.filterDone = true;
      this.filter = editFilter(copy, this.filterChange(range));
      return;
    }
    if (!this.filterDone && this.growth.condition !== null && this.range !== undefined) {
      const range = { ...this.range, bottom: this.range.bottom - this.totals };
      copy.insertBefore(filterXml(this.filterChange(range), copy.prefix));
    }
    this.filterDone = true;
    if (code === ELEMENT.tableColumns)
      copy.changeTag({ count: String(attributeNumber(copy.scanner, 'count') + this.added.length) });
  }

  private filterChange(range: CellRange): FilterChange {
    const { own, condition, lifted } = this.growth;
    const lifts = (column: number): boolean => lifted?.has(column) === true;
    if (!this.grows) return { range, condition: null, drops: lifts };
    const drops = (column: number): boolean => isOurs(own, column) || lifts(column);
    return { condition, drops, range: cellRange(growRange(rangeText(range), own)) ?? range };
  }

  private openColumn(): void {
    const { own } = this.growth;
    const column = (this.range?.left ?? 1) + this.ids.length;
    const name = own.headers[column - own.first] ?? own.emptied.get(column);
    if (name != null) this.copy.changeTag({ name });
    this.ids.push(attributeNumber(this.copy.scanner, 'id'));
  }

  private close(level: number): void {
    if (level !== 2) return;
    this.filter?.close();
    this.filter = undefined;
    const last = this.ids.reduce((most, id) => Math.max(most, id), Number.NEGATIVE_INFINITY);
    const added = this.added.map(
      (header, at) => `<${this.copy.prefix}tableColumn id="${last + 1 + at}" name="${header}"/>`,
    );
    if (this.columns) this.copy.insertBefore(added.join(''));
    this.columns = false;
  }
}

/** Whether the table just opened has a header row, and is not filled by a query. */
export const isPlain = (scanner: XmlScanner): boolean =>
  (attributeValue(scanner, 'tableType') ?? 'worksheet') === 'worksheet' &&
  attributeValue(scanner, 'headerRowCount') !== '0';

/** The headers of a table by column; none if they are not in the header row. */
function tableNames(bytes: Buffer, headerRow: number): ReadonlyMap<number, string> {
  const copy = XmlCopy.of(bytes);
  const { scanner } = copy;
  const names = new Map<number, string>();
  let left = 0;
  for (const token of copy.tokens()) {
    if (token !== OPEN) continue;
    if (left === 0) {
      const range = cellRange(attributeValue(scanner, 'ref'));
      if (range?.top !== headerRow || attributeValue(scanner, 'headerRowCount') === '0') return names;
      left = range.left;
    } else if (scanner.code === ELEMENT.tableColumn)
      names.set(left + names.size, decodeEscapes(attributeValue(scanner, 'name') ?? ''));
  }
  return names;
}

/** Unique headers for emptied columns of a table: their own, numbered, by which they are known again. */
export function emptiedHeaders(
  bytes: Buffer,
  own: Omit<ResultColumns, 'emptied'>,
  emptied: ReadonlySet<number>,
): ReadonlyMap<number, string> {
  const names = tableNames(bytes, own.headerRow);
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
