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
 * A table part that has grown over the added columns; undefined for a table that does not end where they begin, whose headers stand
 * in another row, or whose columns come from elsewhere (a query).
 */
export function growTable(bytes: Buffer, own: OwnColumns, headerRow: number): Buffer | undefined {
  const copy = new XmlCopy(bytes.length + 1);
  const ids: number[] = [];
  let prefix = '';
  copy.feed(bytes);
  for (let token = copy.next(); token !== NEED; token = copy.next()) {
    const { scanner } = copy;
    if (token === CLOSE) {
      if (scanner.depth === 1 && closes(copy, 'tableColumns'))
        copy.insertBefore(columns(own, Math.max(...ids), prefix));
      continue;
    }
    if (token !== OPEN) continue;
    const ref = attributeValue(scanner, REF);
    const level = scanner.selfClosing ? scanner.depth + 1 : scanner.depth;
    if (level === 1) {
      prefix = rootPrefix(scanner, copy.before);
      const to = ref === undefined ? undefined : grown(ref, own);
      const type = attributeValue(scanner, TYPE) ?? 'worksheet';
      if (ref === undefined || to === undefined || type !== 'worksheet') return undefined;
      if (attributeValue(scanner, HEADERS) === '0' || topRow(ref) !== headerRow) return undefined;
      copy.changeTag({ ref: to });
    } else if (scanner.code === FILTER && level === 2 && ref !== undefined) {
      const to = grown(ref, own);
      if (to !== undefined) copy.changeTag({ ref: to });
    } else if (scanner.code === COLUMNS && level === 2)
      copy.changeTag({ count: String(Number(attributeValue(scanner, COUNT) ?? 0) + own.headers.length) });
    else if (scanner.code === COLUMN && level === 3) ids.push(Number(attributeValue(scanner, ID) ?? 0));
  }
  return Buffer.concat(copy.take(true));
}

function closes(copy: XmlCopy, name: string): boolean {
  return copy.scanner.bytes.toString('latin1', copy.before, copy.scanner.position).includes(name);
}

function columns({ headers }: OwnColumns, last: number, prefix: string): string {
  return headers
    .map((header, at) => `<${prefix}tableColumn id="${last + 1 + at}" name="${header}"/>`)
    .join('');
}

function topRow(range: string): number {
  return Number(/^\$?[A-Z]+\$?(\d+)/i.exec(range)?.[1] ?? 0);
}
