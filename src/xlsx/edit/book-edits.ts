import { extname } from 'node:path';
import { OFFICE_TYPE, PACKAGE_NAMESPACE, SPREADSHEET_TYPE } from '../ooxml-names.ts';
import { targetFrom } from '../read/package.ts';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';
import type { ZipRecord } from '../zip/read-zip.ts';
import type { ZipWriter } from '../zip/write-zip.ts';
import { partBytes, partText, type SourceBook } from './source-book.ts';

const EXCEL = 'application/vnd.ms-excel';

/** The content types of parts that a result may add. */
export const CONTENT = {
  worksheet: `${SPREADSHEET_TYPE}.worksheet+xml`,
  styles: `${SPREADSHEET_TYPE}.styles+xml`,
  comments: `${SPREADSHEET_TYPE}.comments+xml`,
} as const;

/** The content types part with those of added parts by name, and of VML if `drawings`. */
function withContentTypes(part: string, added: ReadonlyMap<string, string>, drawings: boolean): string {
  const prefix = /<([\w.-]+:)?Types\b/.exec(part)?.[1] ?? '';
  const overrides = [...added].map(
    ([name, type]) => `<${prefix}Override PartName="/${escapeXml(name)}" ContentType="${type}"/>`,
  );
  const known = /<(?:[\w.-]+:)?Default\b[^>]*\bExtension\s*=\s*["']vml["']/i.test(part);
  if (drawings && !known)
    overrides.push(`<${prefix}Default Extension="vml" ContentType="${OFFICE_TYPE}.vmlDrawing"/>`);
  return overrides.length === 0 ? part : insideRoot(part, `${prefix}Types`, overrides.join(''));
}

/** Makes a template a workbook: spreadsheet programs refuse a file whose name and content disagree. */
function asWorkbook(part: string, target: string): string {
  const plain = part
    .replace(`${SPREADSHEET_TYPE}.template.main+xml`, `${SPREADSHEET_TYPE}.sheet.main+xml`)
    .replace(`${EXCEL}.template.macroEnabled.main+xml`, `${EXCEL}.sheet.macroEnabled.main+xml`);
  if (extname(target).toLowerCase() !== '.xlsm') return plain;
  return plain.replace(`${SPREADSHEET_TYPE}.sheet.main+xml`, `${EXCEL}.sheet.macroEnabled.main+xml`);
}

/** A relationship to add; `type` is a whole URI. */
interface NewRelationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

/** The first number behind all ids `rId…` of a relationships part. */
function freeRelationship(part: string): number {
  const taken = [...part.matchAll(/\sId\s*=\s*["']rId(\d{1,6})["']/gi)].map(([, number]) => Number(number));
  return Math.max(0, ...taken) + 1;
}

/** A relationships part with others added; `''` makes one. */
function withRelationships(part: string, added: readonly NewRelationship[]): string {
  if (added.length === 0) return part;
  const prefix = /<([\w.-]+:)?Relationships\b/.exec(part)?.[1] ?? '';
  const items = added.map(
    ({ id, type, target }) =>
      `<${prefix}Relationship Id="${id}" Type="${type}" Target="${escapeXml(target)}"/>`,
  );
  const whole = part || `${DECLARATION}<Relationships xmlns="${PACKAGE_NAMESPACE}"></Relationships>`;
  return insideRoot(whole, `${prefix}Relationships`, items.join(''));
}

/** Puts XML last in the root of a part. */
function insideRoot(part: string, root: string, xml: string): string {
  const end = part.lastIndexOf(`</${root}`);
  if (end >= 0) return part.slice(0, end) + xml + part.slice(end);
  return part.replace(/\s*\/>\s*$/, () => `>${xml}</${root}>`);
}

/** Collects changed and new small parts while sheets are written, and writes them afterwards. */
export class BookEdits {
  readonly book: SourceBook;
  private readonly parts = new Map<string, Buffer>();
  private readonly types = new Map<string, string>();
  private readonly added = new Map<string, NewRelationship[]>();
  private drawings = false;

  constructor(book: SourceBook) {
    this.book = book;
  }

  /** Replaces the content of a part, or adds a part with a content type. */
  put(name: string, content: Buffer, type?: string): void {
    // In the case of the zip.
    this.parts.set(this.book.source.directory.find(name)?.name ?? name, content);
    if (type !== undefined) this.types.set(name, type);
  }

  addDrawing(name: string, content: Buffer): void {
    this.parts.set(name, content);
    this.drawings = true;
  }

  /** A free name for a new part: `stem`, a number, `ending`. */
  freeName(stem: string, ending: string): string {
    const { directory } = this.book.source;
    let number = 1;
    const name = (): string => `${stem}${number}${ending}`;
    while (directory.find(name()) !== undefined || this.parts.has(name())) number++;
    return name();
  }

  /** The next free id in a relationships part. */
  async freeId(rels: string): Promise<string> {
    const part = (await this.bytes(rels))?.toString() ?? '';
    return `rId${freeRelationship(part) + (this.added.get(rels)?.length ?? 0)}`;
  }

  /** Adds a relationship of a part to a relationships part, its type a whole URI; returns its id. */
  async addRelated(rels: string, part: string, type: string, to: string): Promise<string> {
    const id = await this.freeId(rels);
    this.relate(rels, { id, type, target: targetFrom(part, to) });
    return id;
  }

  relate(rels: string, relationship: NewRelationship): void {
    this.added.set(rels, [...(this.added.get(rels) ?? []), relationship]);
  }

  /** Writes the collected parts at their places, new ones last; returns their names. */
  async write(
    zip: ZipWriter,
    target: string,
    place: (name: string) => number,
    record: ZipRecord,
  ): Promise<ReadonlySet<string>> {
    const { source, contentTypes } = this.book;
    for (const [rels, relationships] of this.added) {
      const entry = source.directory.find(rels);
      const part = entry === undefined ? '' : await partText(source, entry);
      this.parts.set(entry?.name ?? rels, Buffer.from(withRelationships(part, relationships)));
    }
    const types = asWorkbook(await partText(source, contentTypes), target);
    this.parts.set(contentTypes.name, Buffer.from(withContentTypes(types, this.types, this.drawings)));
    for (const [name, content] of this.parts) {
      const own = source.directory.find(name)?.record ?? { ...record, nameRaw: Buffer.from(name) };
      await zip.put(own, content, place(name));
    }
    return new Set(this.parts.keys());
  }

  /** The bytes of a part of the source; undefined if there is none. */
  async bytes(name: string): Promise<Buffer | undefined> {
    const entry = this.book.source.directory.find(name);
    return entry === undefined ? undefined : await partBytes(this.book.source, entry);
  }
}
