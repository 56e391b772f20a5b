import { normaliseHeader, outputMark } from '../../core/header.ts';
import { rangeColumns } from '../../files/sheet.ts';
import { CLOSE, NEED, nameCode, OPEN, XmlScanner } from '../xml/xml-scanner.ts';
import { attributeValue, decodeEscapes } from '../xml/xml-text.ts';
import { grown, type OldColumns, type OwnColumns } from './own-columns.ts';
import { rootPrefix } from './root-prefix.ts';
import { XmlCopy } from './xml-copy.ts';

const REF = nameCode('ref');
const TYPE = nameCode('tableType');
const HEADERS = nameCode('headerRowCount');
const FILTER = nameCode('autoFilter');
const COLUMNS = nameCode('tableColumns');
const COLUMN = nameCode('tableColumn');
const ID = nameCode('id');
const COUNT = nameCode('count');
const NAME = nameCode('name');

/**
 * A table part that has grown over the added columns, and names those that were in it already as they are headed now; undefined for a table that
 * neither ends where they begin nor among them, whose headers stand in another row, or whose columns come from elsewhere (a query).
 */
export function growTable(
  bytes: Buffer,
  own: OwnColumns,
  headerRow: number,
  emptied: OldColumns,
): Buffer | undefined {
  const copy = new XmlCopy(bytes.length + 1);
  const ids: number[] = [];
  let prefix = '';
  let left = 0;
  let added: readonly string[] = [];
  copy.feed(bytes);
  for (let token = copy.next(); token !== NEED; token = copy.next()) {
    const { scanner } = copy;
    if (token === CLOSE) {
      if (scanner.depth === 1 && closes(copy, 'tableColumns'))
        copy.insertBefore(columns(added, Math.max(...ids), prefix));
      continue;
    }
    if (token !== OPEN) continue;
    const ref = attributeValue(scanner, REF);
    const level = scanner.selfClosing ? scanner.depth + 1 : scanner.depth;
    if (level === 1) {
      prefix = rootPrefix(scanner, copy.before);
      const [from, to] = rangeColumns(ref ?? '') ?? [0, 0];
      const type = attributeValue(scanner, TYPE) ?? 'worksheet';
      if (ref === undefined || from >= own.first || to < own.first - 1 || type !== 'worksheet')
        return undefined;
      if (attributeValue(scanner, HEADERS) === '0' || topRow(ref) !== headerRow) return undefined;
      left = from;
      added = own.headers.slice(to + 1 - own.first);
      copy.changeTag({ ref: grown(ref, own) ?? ref });
    } else if (scanner.code === FILTER && level === 2 && ref !== undefined) {
      copy.changeTag({ ref: grown(ref, own) ?? ref });
    } else if (scanner.code === COLUMNS && level === 2)
      copy.changeTag({ count: String(Number(attributeValue(scanner, COUNT) ?? 0) + added.length) });
    else if (scanner.code === COLUMN && level === 3) {
      const column = left + ids.length;
      const name = own.headers[column - own.first] ?? emptied.get(column);
      if (name != null) copy.changeTag({ name });
      ids.push(Number(attributeValue(scanner, ID) ?? 0));
    }
  }
  return Buffer.concat(copy.take(true));
}

/** The columns of a table, by their numbers, and their names; none for one whose headers stand in another row. */
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
      if (left === 0 || attributeValue(scanner, HEADERS) === '0' || topRow(ref) !== headerRow) return names;
    } else if (scanner.code === COLUMN)
      names.set(left + names.size, decodeEscapes(attributeValue(scanner, NAME) ?? ''));
  }
  return names;
}

/**
 * Headers for the columns of a table that are emptied, as no column of a table may be without one or have another's: their own with a number
 * behind it, by which they are known again.
 */
export function emptiedHeaders(
  bytes: Buffer,
  own: OwnColumns,
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

function closes(copy: XmlCopy, name: string): boolean {
  return copy.scanner.bytes.toString('latin1', copy.before, copy.scanner.position).includes(name);
}

function columns(headers: readonly string[], last: number, prefix: string): string {
  return headers
    .map((header, at) => `<${prefix}tableColumn id="${last + 1 + at}" name="${header}"/>`)
    .join('');
}

function topRow(range: string): number {
  return Number(/^\$?[A-Z]+\$?(\d+)/i.exec(range)?.[1] ?? 0);
}
