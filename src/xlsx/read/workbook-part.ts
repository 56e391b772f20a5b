import { MOST } from '../../files/limits.ts';
import { Counter, DAMAGE, DamagedPart } from '../damage.ts';
import { nameCodes, OPEN, type XmlScanner } from '../xml/xml-scanner.ts';
import { attributeIsTrue, attributeValue, decodeEscapes, decodeReferences } from '../xml/xml-text.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import { findPart, type Relationship, readRelationships, scanPart, type WorkbookPackage } from './package.ts';

/** The worksheets of a workbook in order, and the parts that they share. */
export interface WorkbookPart {
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

const ELEMENT = nameCodes('sheet', 'workbookPr', 'calcPr');

/** Reads the workbook part. Throws DamagedPart. */
export async function readWorkbookPart(source: WorkbookPackage, entry: ZipEntry): Promise<WorkbookPart> {
  const relationships = await readRelationships(source, entry.name);
  const byId = new Map(relationships.toReversed().map((relationship) => [relationship.id, relationship]));
  const sheets: ListedSheet[] = [];
  const names = new Map<string, number>();
  const parts = new Set<string>();
  const count = new Counter(MOST.sheets, 'sheets', 'werkbladen');
  let [date1904, iterates] = [false, false];
  let listed = 0;
  await scanPart(source, entry, (scanner, token) => {
    if (token !== OPEN) return;
    if (scanner.code === ELEMENT.workbookPr) date1904 = attributeIsTrue(scanner, 'date1904');
    if (scanner.code === ELEMENT.calcPr) iterates = attributeIsTrue(scanner, 'iterate');
    if (scanner.code !== ELEMENT.sheet) return;
    count.add();
    listed++;
    const part = worksheetName(byId, relationshipId(scanner), listed, entry.name);
    if (part === undefined) return;
    // In whatever case its name is written.
    const own = findPart(source, part)?.name ?? part.toLowerCase();
    if (parts.has(own)) throw new DamagedPart(DAMAGE.sheetTwice);
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
  if (found === undefined) throw new DamagedPart(DAMAGE.lostSheet);
  return found.type.toLowerCase() === 'worksheet' ? found.target : undefined;
}

/** The relationship id: the one attribute `id` with a prefix, whatever that is. */
function relationshipId(scanner: XmlScanner): string {
  for (let i = 0; i < scanner.attributes; i++) {
    if (/:id$/i.test(scanner.attributeFullName(i))) return decodeReferences(scanner.attributeText(i));
  }
  return '';
}
