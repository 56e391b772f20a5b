import { rangeColumns } from '../column-ranges.ts';
import { CLOSE, NEED, nameCode, OPEN } from '../xml-scanner.ts';
import { attributeValue } from '../xml-text.ts';
import { grown, type OwnColumns } from './own-columns.ts';
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

/**
 * A table part that has grown over the added columns, and names those that were in it already as they are headed now; undefined for a table that
 * neither ends where they begin nor among them, whose headers stand in another row, or whose columns come from elsewhere (a query).
 */
export function growTable(bytes: Buffer, own: OwnColumns, headerRow: number): Buffer | undefined {
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
      const name = own.headers[left + ids.length - own.first];
      if (name !== undefined) copy.changeTag({ name });
      ids.push(Number(attributeValue(scanner, ID) ?? 0));
    }
  }
  return Buffer.concat(copy.take(true));
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
