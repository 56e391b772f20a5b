import { extname } from 'node:path';
import { DEFAULT_LIMITS } from '../../files/limits.ts';
import { type CellRange, rangeFormula } from '../../files/sheet.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { sheetName } from '../excel-text.ts';
import { keptBytes, readRelationships, relationshipsName, targetFrom } from '../read/package.ts';
import { openPackage } from '../read/read-xlsx.ts';
import { readWorkbookPart } from '../read/workbook-part.ts';
import { CONTENT, SPREADSHEET_TYPE } from '../write/book-parts.ts';
import {
  attributeNumber,
  attributeValue,
  CLOSE,
  decodeReferences,
  nameCodes,
  OPEN,
} from '../xml/xml-scanner.ts';
import {
  DECLARATION,
  escapeText,
  escapeXml,
  MAIN_NAMESPACE,
  RELATIONSHIPS_NAMESPACE,
  XmlCopy,
} from '../xml/xml-write.ts';
import type { ZipEntry } from '../zip/read-zip.ts';
import type { ZipWriter } from '../zip/write-zip.ts';

/** A sheet of ours in a workbook; `relationship` is null where it takes the place of an earlier one. */
interface OwnSheet {
  readonly part: string;
  readonly relationship: string | null;
}

/** Opens a workbook to rewrite it. Throws DamagedPart for an unusual one. */
export async function openBook(file: string): Promise<BookEdits> {
  const { source, entry: workbook } = await openPackage(file, DEFAULT_LIMITS);
  const read = async (name: string): Promise<string> => {
    const entry = source.directory.find(name);
    if (entry === undefined) throw new DamagedPart(DAMAGE.missingPart);
    // What is read is UTF-8, whatever it declares.
    return (await keptBytes(source, entry)).toString().replace(/^\s*<\?xml[^>]*>\s*/, DECLARATION);
  };
  const relationships = await read(relationshipsName(workbook.name));
  const root = await read(workbook.name);
  const chains = (await readRelationships(source, workbook.name)).filter(({ type }) => type === 'calcChain');
  return new BookEdits({
    ...{ source, workbook, relationships, root },
    types: await read(TYPES),
    listed: await readWorkbookPart(source, workbook),
    chains: new Set(chains.map(({ target }) => target)),
  });
}

const TYPES = '[Content_Types].xml';

/** What is read of a workbook before it is changed. */
interface OpenedBook {
  readonly source: Awaited<ReturnType<typeof openPackage>>['source'];
  readonly workbook: ZipEntry;
  /** The texts of the parts that list others. */
  readonly relationships: string;
  readonly types: string;
  readonly root: string;
  readonly listed: Awaited<ReturnType<typeof readWorkbookPart>>;
  /** The parts that list formulas in the order in which they are calculated. */
  readonly chains: ReadonlySet<string>;
}

/** Elements about the order in which formulas are calculated. */
const CHAIN = /<(?:[\w.-]+:)?(?:Relationship|Override)\b[^<>]*calcChain[^<>]*\/>/g;

/** A workbook with changed and new small parts, which are written once its sheets are. */
export class BookEdits {
  readonly opened: OpenedBook;
  /** The namespace of its worksheets: that of strict OOXML is another. */
  readonly main: string;
  private readonly office: string;
  private readonly parts = new Map<string, Buffer>();
  /** The content types of new parts. */
  private readonly types = new Map<string, string>();
  /** New relationships of the workbook, as elements. */
  private readonly related: string[] = [];
  private readonly lastId: number;

  constructor(opened: OpenedBook) {
    const { root, relationships } = opened;
    this.opened = opened;
    this.main =
      /xmlns(?::[\w.-]+)?\s*=\s*["']([^"']*spreadsheetml[^"']*main)["']/.exec(root)?.[1] ?? MAIN_NAMESPACE;
    this.office =
      /["']([^"']*\/officeDocument\/[^"']*relationships)\/worksheet["']/.exec(relationships)?.[1] ??
      RELATIONSHIPS_NAMESPACE;
    this.lastId = [...relationships.matchAll(/\sId\s*=\s*["']rId(\d{1,6})["']/gi)].reduce(
      (last, [, number]) => Math.max(last, Number(number)),
      0,
    );
  }

  /** A whole part; undefined if there is none. */
  async bytes(name: string): Promise<Buffer | undefined> {
    const { source } = this.opened;
    const entry = source.directory.find(name);
    return entry === undefined ? undefined : await keptBytes(source, entry);
  }

  /** Gives a part new content; `type` is the content type of a part that is new. */
  put(name: string, content: Buffer, type?: string): void {
    // In the case of the zip.
    this.parts.set(this.opened.source.directory.find(name)?.name ?? name, content);
    if (type !== undefined) this.types.set(name, type);
  }

  /** Whether a part is not copied: it is written anew, or left out. */
  replaces(name: string): boolean {
    const { workbook, chains } = this.opened;
    const late = [TYPES, workbook.name, relationshipsName(workbook.name), ...chains];
    return this.parts.has(name) || late.some((one) => one.toLowerCase() === name.toLowerCase());
  }

  /** The place of a sheet of ours: that of an earlier one with a name, else a new one. */
  ownSheet(name: string | null): OwnSheet {
    const { source, listed, workbook } = this.opened;
    const before = listed.sheets.find((one) => one.name === name)?.part;
    if (before !== undefined)
      return { part: source.directory.find(before)?.name ?? before, relationship: null };
    let number = 1;
    const part = (): string => `xl/worksheets/sheet${number}.xml`;
    while (source.directory.find(part()) !== undefined || this.types.has(part())) number++;
    this.types.set(part(), CONTENT.worksheet);
    return { part: part(), relationship: this.relate('worksheet', targetFrom(workbook.name, part())) };
  }

  /** Adds a relationship of the workbook, its type the last word of the URI; returns its id. */
  relate(type: string, target: string): string {
    const id = `rId${this.lastId + 1 + this.related.length}`;
    this.related.push(`Relationship Id="${id}" Type="${this.office}/${type}" Target="${escapeXml(target)}"`);
    return id;
  }

  /** Changes the workbook part; what names sheets by their place moves on behind a new first one. */
  editWorkbook(changes: WorkbookChanges): void {
    const { workbook, root } = this.opened;
    this.put(workbook.name, editWorkbook(Buffer.from(root), this.office, changes));
  }

  /** Writes the changed and new parts. `target` is the name of the file. */
  async write(zip: ZipWriter, target: string): Promise<void> {
    const { source, workbook, relationships, types } = this.opened;
    this.put(relationshipsName(workbook.name), withListed(relationships, 'Relationships', this.related));
    const overrides = [...this.types].map(
      ([name, type]) => `Override PartName="/${escapeXml(name)}" ContentType="${type}"`,
    );
    this.put(TYPES, withListed(asWorkbook(types, target), 'Types', overrides));
    for (const [name, content] of this.parts)
      await zip.add(source.directory.find(name)?.record ?? this.newRecord(name), [content]);
  }

  /** What the zip says of a new part. */
  newRecord(name: string): ZipEntry['record'] {
    return { ...this.opened.workbook.record, nameRaw: Buffer.from(name) };
  }
}

/** A part that lists others with more elements, and without those on the order of formulas: programs make that anew. */
function withListed(part: string, root: string, elements: readonly string[]): Buffer {
  const [, prefix = ''] = new RegExp(`<([\\w.-]+:)?${root}\\b`).exec(part) ?? [];
  const end = part.lastIndexOf(`</${prefix}${root}`);
  if (end < 0) throw new DamagedPart(DAMAGE.oddXml);
  const added = elements.map((element) => `<${prefix}${element}/>`).join('');
  return Buffer.from(part.slice(0, end).replace(CHAIN, '') + added + part.slice(end));
}

const EXCEL = 'application/vnd.ms-excel';

/** Makes a template a workbook: spreadsheet programs refuse a file whose name and content disagree. */
function asWorkbook(part: string, target: string): string {
  const plain = part
    .replace(`${SPREADSHEET_TYPE}.template.main+xml`, `${SPREADSHEET_TYPE}.sheet.main+xml`)
    .replace(`${EXCEL}.template.macroEnabled.main+xml`, `${EXCEL}.sheet.macroEnabled.main+xml`);
  if (extname(target).toLowerCase() !== '.xlsm') return plain;
  return plain.replace(`${SPREADSHEET_TYPE}.sheet.main+xml`, `${EXCEL}.sheet.macroEnabled.main+xml`);
}

const ELEMENT = nameCodes('sheets', 'sheet', 'workbookView', 'definedName', 'calcPr');

/** The defined name in which Excel keeps the range of the filter of a sheet. */
const FILTER_NAME = '_xlnm._FilterDatabase';

/** A sheet to list, by its relationship. */
interface ListedSheet {
  /** Numbered when a sheet has that name. */
  readonly name: string;
  readonly relationship: string;
}

/** What changes in a workbook part. */
interface WorkbookChanges {
  /** A new first sheet; null for none. */
  readonly first: ListedSheet | null;
  /** The same, hidden behind all others. */
  readonly last: ListedSheet | null;
  /** The ranges of filters that grew, by sheet. */
  readonly filters: ReadonlyMap<string, CellRange>;
  /** Values that formulas take were changed: all is calculated anew when the workbook is opened. */
  readonly recalculated: boolean;
}

function editWorkbook(
  bytes: Buffer,
  office: string,
  { first, last, filters, recalculated }: WorkbookChanges,
): Buffer {
  const { names, freeId } = surveyWorkbook(bytes);
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const copy = XmlCopy.of(bytes);
  const { scanner } = copy;
  const shift = first === null ? 0 : 1;
  const sheetXml = ({ name, relationship }: ListedSheet, id: number, state: string): string =>
    `<${copy.prefix}sheet xmlns:r="${office}" name="${escapeXml(sheetName(name, taken))}" sheetId="${id}"${state} r:id="${relationship}"/>`;
  const moved = (name: string): string => String(attributeNumber(scanner, name) + shift);
  let part = 0;
  /** The new range of the open name. */
  let range: CellRange | undefined;
  for (const token of copy.tokens()) {
    const { code, level } = scanner;
    if (token === CLOSE) {
      range = undefined;
      if (level === 2 && part === ELEMENT.sheets && last !== null)
        copy.insertBefore(sheetXml(last, freeId + shift, ' state="veryHidden"'));
    } else if (token !== OPEN) {
      if (range === undefined) continue;
      const text = decodeReferences(scanner.bytes.toString('utf8', scanner.start, scanner.end));
      copy.replace(escapeText(rangeFormula(text.slice(0, text.lastIndexOf('!')), range)));
    } else {
      if (level === 2) part = code;
      const local = code === ELEMENT.definedName ? attributeValue(scanner, 'localSheetId') : undefined;
      if (local !== undefined && attributeValue(scanner, 'name') === FILTER_NAME && !scanner.selfClosing)
        range = filters.get(names[Number(local)] ?? '');
      if (code === ELEMENT.calcPr && recalculated) copy.changeTag({ fullCalcOnLoad: '1' });
      if (first === null) continue;
      if (code === ELEMENT.sheets) copy.insertBehind(sheetXml(first, freeId, ''));
      else if (local !== undefined) copy.changeTag({ localSheetId: moved('localSheetId') });
      else if (code === ELEMENT.workbookView)
        copy.changeTag({
          activeTab: moved('activeTab'),
          ...(attributeNumber(scanner, 'firstSheet') > 0 ? { firstSheet: moved('firstSheet') } : {}),
        });
    }
  }
  return Buffer.concat(copy.take(true));
}

/** The names of all sheets, charts included, in order, and a free sheet id. */
function surveyWorkbook(bytes: Buffer) {
  const copy = XmlCopy.of(bytes);
  const { scanner } = copy;
  const names: string[] = [];
  let freeId = 1;
  for (const token of copy.tokens()) {
    if (token !== OPEN || scanner.code !== ELEMENT.sheet) continue;
    names.push(attributeValue(scanner, 'name') ?? '');
    freeId = Math.max(freeId, attributeNumber(scanner, 'sheetId') + 1);
  }
  return { names, freeId };
}
