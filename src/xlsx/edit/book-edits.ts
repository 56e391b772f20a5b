import { extname } from 'node:path';
import { type Relationship, relationshipsName, targetFrom } from '../read/package.ts';
import { SPREADSHEET_TYPE } from '../write/book-parts.ts';
import { DECLARATION, escapeXml, PACKAGE_NAMESPACE } from '../xml/xml-write.ts';
import type { ZipRecord } from '../zip/read-zip.ts';
import type { ZipWriter } from '../zip/write-zip.ts';
import { partBytes, partText, type SourceBook } from './source-book.ts';

const EXCEL = 'application/vnd.ms-excel';

/** The content types part with those of added parts by name. */
function withContentTypes(part: string, added: ReadonlyMap<string, string>): string {
  const prefix = /<([\w.-]+:)?Types\b/.exec(part)?.[1] ?? '';
  const overrides = [...added].map(
    ([name, type]) => `<${prefix}Override PartName="/${escapeXml(name)}" ContentType="${type}"/>`,
  );
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

/** A relationships part with others added, their types whole URIs; `''` makes one. */
function withRelationships(part: string, added: readonly Relationship[]): string {
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
  const tag = part.trimEnd();
  return tag.endsWith('/>') ? `${tag.slice(0, -2).trimEnd()}>${xml}</${root}>` : part;
}

/** Collects changed and new small parts while sheets are written, and writes them afterwards. */
export class BookEdits {
  readonly book: SourceBook;
  private readonly parts = new Map<string, Buffer>();
  private readonly types = new Map<string, string>();
  private readonly added = new Map<string, Relationship[]>();
  /** Targets of relationships of the workbook, in lower case. */
  private readonly removed = new Set<string>();

  constructor(book: SourceBook) {
    this.book = book;
  }

  /** Replaces the content of a part, or adds a part with a content type. */
  put(name: string, content: Buffer, type?: string): void {
    // In the case of the zip.
    this.parts.set(this.book.source.directory.find(name)?.name ?? name, content);
    if (type !== undefined) this.types.set(name, type);
  }

  /** Gives a new part, which is written elsewhere, a content type. */
  declare(name: string, type: string): void {
    this.types.set(name, type);
  }

  /** Leaves out a part that the workbook alone refers to. */
  remove(name: string): void {
    this.removed.add((this.book.source.directory.find(name)?.name ?? name).toLowerCase());
  }

  /** Whether a part is left out. */
  isRemoved(name: string): boolean {
    return this.removed.has(name.toLowerCase());
  }

  /** A free name for a new part: `stem`, a number, `ending`. */
  freeName(stem: string, ending: string): string {
    const { directory } = this.book.source;
    let number = 1;
    const name = (): string => `${stem}${number}${ending}`;
    while (directory.find(name()) !== undefined || this.types.has(name())) number++;
    return name();
  }

  /** The next free id among the relationships of a part. */
  private async freeId(part: string): Promise<string> {
    const before = (await this.bytes(relationshipsName(part)))?.toString() ?? '';
    let last = 0;
    for (const [, number] of before.matchAll(/\sId\s*=\s*["']rId(\d{1,6})["']/gi))
      last = Math.max(last, Number(number));
    return `rId${last + 1 + (this.added.get(part)?.length ?? 0)}`;
  }

  /** Adds a relationship from one part to another, its type the last word of the URI; returns its id. */
  async addRelated(part: string, type: string, to: string): Promise<string> {
    const added = { id: await this.freeId(part), type: `${this.book.office}/${type}` };
    const before = this.added.get(part) ?? [];
    this.added.set(part, [...before, { ...added, target: targetFrom(part, to) }]);
    return added.id;
  }

  /** Writes the collected parts at their places, new ones last; returns their names. */
  async write(
    zip: ZipWriter,
    target: string,
    place: (name: string) => number,
    record: ZipRecord,
  ): Promise<ReadonlySet<string>> {
    const { source, contentTypes } = this.book;
    if (this.removed.size > 0 && !this.added.has(this.book.workbook.name))
      this.added.set(this.book.workbook.name, []);
    for (const [of, relationships] of this.added) {
      const rels = relationshipsName(of);
      const part = (await this.bytes(rels))?.toString() ?? '';
      const left =
        of === this.book.workbook.name ? this.withoutRemoved(part, 'Relationship', 'Target') : part;
      this.put(rels, Buffer.from(withRelationships(left, relationships)));
    }
    const declared = this.withoutRemoved(await partText(source, contentTypes), 'Override', 'PartName');
    const types = asWorkbook(declared, target);
    this.parts.set(contentTypes.name, Buffer.from(withContentTypes(types, this.types)));
    for (const [name, content] of this.parts) {
      const own = source.directory.find(name)?.record ?? { ...record, nameRaw: Buffer.from(name) };
      await zip.add(own, [content], place(name));
    }
    return new Set(this.parts.keys());
  }

  /** A part without its elements that name a removed part. */
  private withoutRemoved(part: string, element: string, attribute: string): string {
    if (this.removed.size === 0) return part;
    const items = new RegExp(`<(?:[\\w.-]+:)?${element}\\b[^<>]*?/>`, 'g');
    const named = new RegExp(`\\s${attribute}\\s*=\\s*["']([^"']*)["']`);
    return part.replace(items, (item) => {
      const name = named.exec(item)?.[1]?.toLowerCase() ?? '';
      const isGone = [...this.removed].some((one) =>
        `/${one}`.endsWith(name.startsWith('/') ? name : `/${name}`),
      );
      return name !== '' && isGone ? '' : item;
    });
  }

  /** The bytes of a part of the source; undefined if there is none. */
  async bytes(name: string): Promise<Buffer | undefined> {
    const entry = this.book.source.directory.find(name);
    return entry === undefined ? undefined : await partBytes(this.book.source, entry);
  }
}
