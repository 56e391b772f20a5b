import { MOST } from '../../files/limits.ts';
import { counter, DAMAGE, DamagedPart, unpacksTo } from '../damage.ts';
import { builtInFormat, numberKind } from '../numbers-and-dates.ts';
import {
  attributeIsTrue,
  attributeNumber,
  attributeValue,
  CDATA,
  CLOSE,
  decodeEscapes,
  decodeReferences,
  nameCodes,
  OPEN,
  tokenText,
  unifyLineEnds,
  type XmlScanner,
} from '../xml/xml-scanner.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { findPart, type Relationship, readRelationships, scanPart, type WorkbookPackage } from './package.ts';

/** The worksheets of a workbook in order, and the parts that they share. */
interface WorkbookPart {
  readonly date1904: boolean;
  /** Formulas that refer to themselves are calculated again and again, as their maker meant it. */
  readonly iterates: boolean;
  readonly sheets: readonly ListedSheet[];
  readonly sharedStrings: ZipEntry | undefined;
  readonly styles: ZipEntry | undefined;
}

/** A worksheet as the workbook lists it; `part` is the target of its relationship. */
interface ListedSheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
}

const ELEMENT = nameCodes(
  ...(['sheet', 'workbookPr', 'calcPr', 'numFmt', 'cellXfs', 'dxf', 'xf', 'si', 't', 'r'] as const),
);

/** Reads the workbook part. Throws DamagedPart. */
export async function readWorkbookPart(source: WorkbookPackage, entry: ZipEntry): Promise<WorkbookPart> {
  const relationships = await readRelationships(source, entry.name);
  const byId = new Map(relationships.toReversed().map((relationship) => [relationship.id, relationship]));
  const sheets: ListedSheet[] = [];
  const names = new Map<string, number>();
  const parts = new Set<string>();
  const count = counter(MOST.sheets, 'sheets', 'werkbladen');
  let [date1904, iterates] = [false, false];
  let listed = 0;
  await scanPart(source, entry, (scanner, token) => {
    if (token !== OPEN) return;
    if (scanner.code === ELEMENT.workbookPr) date1904 = attributeIsTrue(scanner, 'date1904');
    if (scanner.code === ELEMENT.calcPr) iterates = attributeIsTrue(scanner, 'iterate');
    if (scanner.code !== ELEMENT.sheet) return;
    count();
    listed++;
    const part = worksheetName(byId, relationshipId(scanner), listed, entry.name);
    if (part === undefined) return;
    // In whatever case its name is written.
    const own = findPart(source, part)?.name ?? part.toLowerCase();
    if (parts.has(own)) throw new DamagedPart(DAMAGE.oddXml);
    parts.add(own);
    const name = freeName(decodeEscapes(attributeValue(scanner, 'name') || `Sheet${listed}`), names);
    sheets.push({ name, hidden: /hidden/i.test(attributeValue(scanner, 'state') ?? ''), part });
  });
  if (sheets.length === 0) throw new DamagedPart(DAMAGE.noWorksheet);
  const shared = (type: string, usual: string) =>
    findPart(source, relationships.find((relationship) => relationship.type === type)?.target ?? usual);
  return {
    date1904,
    iterates,
    sheets,
    sharedStrings: shared('sharedStrings', 'xl/sharedStrings.xml'),
    styles: shared('styles', 'xl/styles.xml'),
  };
}

/** A unique name, as rows are told apart by it; `taken` counts names in lower case. */
function freeName(name: string, taken: Map<string, number>): string {
  let free = name;
  let count = taken.get(name.toLowerCase()) ?? 0;
  while (taken.has(free.toLowerCase())) free = `${name} (${++count})`;
  taken.set(free.toLowerCase(), 1);
  taken.set(name.toLowerCase(), Math.max(count, 1));
  return free;
}

/** The part of a listed sheet; undefined for charts, dialogs, macro sheets and sheets without content. */
function worksheetName(
  relationships: ReadonlyMap<string, Relationship>,
  id: string,
  place: number,
  workbook: string,
): string | undefined {
  // Without relationships the sheets are where every program puts them.
  if (relationships.size === 0)
    return `${workbook.slice(0, workbook.lastIndexOf('/') + 1)}worksheets/sheet${place}.xml`;
  if (id === '') return undefined;
  const found = relationships.get(id);
  if (found === undefined) throw new DamagedPart(DAMAGE.oddXml);
  return found.type.toLowerCase() === 'worksheet' ? found.target : undefined;
}

/** The relationship id: the one attribute `id` with a prefix, whatever that is. */
function relationshipId(scanner: XmlScanner): string {
  for (let i = 0; i < scanner.attributes; i++) {
    if (/:id$/i.test(scanner.attributeFullName(i))) return decodeReferences(scanner.attributeText(i));
  }
  return '';
}

/** What the style of a cell says about its value. */
export interface CellStyle {
  /** The code of the number format; undefined for General. */
  readonly format: string | undefined;
  readonly kind: ReturnType<typeof numberKind>;
}

/** The style of a cell without one. */
export const GENERAL: CellStyle = { format: undefined, kind: 'number' };

/** The cell styles by index. Throws DamagedPart. */
export async function readStyles(source: WorkbookPackage, entry: ZipEntry): Promise<CellStyle[]> {
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  const cellFormats = counter(MOST.cellFormats, 'cell formats', 'celopmaken');
  const numberFormats = counter(MOST.cellFormats, 'number formats', 'getalnotaties');
  await scanPart(source, entry, (scanner, token) => {
    if (token !== OPEN) return;
    // Formats and cell formats also occur in other lists.
    const list = scanner.inside(scanner.selfClosing ? 0 : 1);
    if (scanner.code === ELEMENT.xf && list === ELEMENT.cellXfs) {
      cellFormats();
      formatIds.push(attributeNumber(scanner, 'numFmtId'));
    } else if (scanner.code === ELEMENT.numFmt && list !== ELEMENT.dxf) {
      numberFormats();
      codes.set(
        attributeNumber(scanner, 'numFmtId'),
        decodeEscapes(attributeValue(scanner, 'formatCode') ?? ''),
      );
    }
  });
  const styles = new Map<number, CellStyle>();
  return formatIds.map((id) => {
    const style = styles.get(id) ?? styleOf(codes.get(id) ?? builtInFormat(id));
    styles.set(id, style);
    return style;
  });
}

function styleOf(code: string | undefined): CellStyle {
  if (code === undefined || code === '' || /^general$/i.test(code)) return GENERAL;
  return { format: code, kind: numberKind(code) };
}

/** Characters that are kept, and for each packed byte of a larger part. */
const KEPT = 48 * 2 ** 20;
const KEPT_RATIO = 16;

/** The shared texts by index, an empty one for `<si/>`. Throws DamagedPart. */
export async function readSharedStrings(source: WorkbookPackage, entry: ZipEntry): Promise<string[]> {
  const texts: string[] = [];
  const most = MOST.texts + entry.packedBytes;
  const count = counter(most, 'shared texts', 'gedeelde teksten');
  const room = Math.max(KEPT, entry.packedBytes * KEPT_RATIO);
  let characters = 0;
  const item = richText(source.limits.tokenBytes);
  let inside = false;
  await scanPart(source, entry, (scanner, token) => {
    if (inside) {
      if (!item.take(scanner, token)) return;
      inside = false;
      const text = item.finish();
      characters += text.length;
      if (characters > room) throw new DamagedPart(unpacksTo(Math.floor(room / 2 ** 20)));
      texts.push(text);
    } else if (token === OPEN && scanner.code === ELEMENT.si) {
      count();
      if (scanner.selfClosing) texts.push('');
      else {
        item.begin(scanner);
        inside = true;
      }
    }
  });
  return texts;
}

/** The text of an `<si>` or `<is>`: its `<t>` and those in runs, not phonetic ones. Throws DamagedPart. */
export function richText(tokenBytes: number) {
  const longest = Math.min(tokenBytes, MOST.cellText);
  let text = '';
  let depth = 0;
  /** Depth of the current `<t>`, 0 outside one. */
  let reading = 0;
  let runs = 0;

  function begin(scanner: XmlScanner): void {
    text = '';
    depth = scanner.depth;
    reading = 0;
    runs = 0;
  }

  /** Takes a token; true when it closed the item. */
  function take(scanner: XmlScanner, token: number): boolean {
    if (token === OPEN) {
      if (!scanner.selfClosing) open(scanner);
      return false;
    }
    if (token === CLOSE) {
      if (scanner.depth < reading) reading = 0;
      if (scanner.depth < runs) runs = 0;
      return scanner.depth < depth;
    }
    if (reading !== scanner.depth) return false;
    text += tokenText(scanner, token === CDATA);
    if (text.length > longest) throw new DamagedPart(DAMAGE.longText);
    return false;
  }

  function finish(): string {
    return unifyLineEnds(text);
  }

  function open(scanner: XmlScanner): void {
    const parent = scanner.depth - 1;
    if (scanner.code === ELEMENT.t && (parent === depth || parent === runs)) reading = scanner.depth;
    else if (scanner.code === ELEMENT.r && parent === depth) runs = scanner.depth;
  }

  return { begin, take, finish };
}
