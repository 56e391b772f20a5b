import { extname } from 'node:path';
import { DECLARATION, escapeXml } from '../xml/xml-write.ts';
import type { ZipRecord } from '../zip/read-zip.ts';
import type { ZipWriter } from '../zip/write-zip.ts';
import { partBytes, partText, type SourceBook } from './source-book.ts';

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const EXCEL = 'application/vnd.ms-excel';

/** The content types of the parts that a result may add. */
export const CONTENT = {
  worksheet: `${SPREADSHEET}.worksheet+xml`,
  styles: `${SPREADSHEET}.styles+xml`,
  comments: `${SPREADSHEET}.comments+xml`,
} as const;

/**
 * The content types part with those of added parts, by their names; `drawings` when there are drawings of
 * notes among them.
 */
function withContentTypes(part: string, added: ReadonlyMap<string, string>, drawings: boolean): string {
  const prefix = /<([\w.-]+:)?Types\b/.exec(part)?.[1] ?? '';
  const overrides = [...added].map(
    ([name, type]) => `<${prefix}Override PartName="/${escapeXml(name)}" ContentType="${type}"/>`,
  );
  const known = /<(?:[\w.-]+:)?Default\b[^>]*\bExtension\s*=\s*["']vml["']/i.test(part);
  if (drawings && !known)
    overrides.push(
      `<${prefix}Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>`,
    );
  return overrides.length === 0 ? part : insideRoot(part, `${prefix}Types`, overrides.join(''));
}

/**
 * A template becomes the workbook that is made from it: spreadsheet programs refuse a file whose name and
 * content disagree.
 */
function asWorkbook(part: string, target: string): string {
  const plain = part
    .replace(`${SPREADSHEET}.template.main+xml`, `${SPREADSHEET}.sheet.main+xml`)
    .replace(`${EXCEL}.template.macroEnabled.main+xml`, `${EXCEL}.sheet.macroEnabled.main+xml`);
  if (extname(target).toLowerCase() !== '.xlsm') return plain;
  return plain.replace(`${SPREADSHEET}.sheet.main+xml`, `${EXCEL}.sheet.macroEnabled.main+xml`);
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A relationship to add: its id, its whole type and its target. */
interface NewRelationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

/** The lowest number from which no id `rId…` of a relationships part is taken. */
function freeRelationship(part: string): number {
  return (
    Math.max(
      0,
      ...[...part.matchAll(/\sId\s*=\s*["']rId(\d{1,6})["']/gi)].map(([, number]) => Number(number)),
    ) + 1
  );
}

/** A relationships part, empty where there is none, with others added. */
function withRelationships(part: string, added: readonly NewRelationship[]): string {
  if (added.length === 0) return part;
  const prefix = /<([\w.-]+:)?Relationships\b/.exec(part)?.[1] ?? '';
  const items = added
    .map(
      ({ id, type, target }) =>
        `<${prefix}Relationship Id="${id}" Type="${type}" Target="${escapeXml(target)}"/>`,
    )
    .join('');
  if (part === '') return `${DECLARATION}<Relationships xmlns="${PACKAGE}">${items}</Relationships>`;
  return insideRoot(part, `${prefix}Relationships`, items);
}

/** A part with XML put last inside its root. */
function insideRoot(part: string, root: string, xml: string): string {
  const end = part.lastIndexOf(`</${root}`);
  if (end >= 0) return part.slice(0, end) + xml + part.slice(end);
  return part.replace(/\s*\/>\s*$/, () => `>${xml}</${root}>`);
}

/** Bytes of a part that is kept; far from where sizes need more room. */
const SMALL = 1;

/**
 * Gathers what becomes of the small parts of a workbook while its sheets are written, and then writes them.
 */
export class BookEdits {
  readonly book: SourceBook;
  private readonly parts = new Map<string, Buffer>();
  private readonly types = new Map<string, string>();
  private readonly added = new Map<string, NewRelationship[]>();
  private drawings = false;

  constructor(book: SourceBook) {
    this.book = book;
  }

  /** Puts a part's new content in its place, or adds the part, of that content type. */
  put(name: string, content: Buffer, type?: string): void {
    // As the zip spells it.
    this.parts.set(this.book.source.directory.find(name)?.name ?? name, content);
    if (type !== undefined) this.types.set(name, type);
  }

  addDrawing(name: string, content: Buffer): void {
    this.parts.set(name, content);
    this.drawings = true;
  }

  /** A name for a new part, which no part has: `stem` with a number before its ending. */
  freeName(stem: string, ending: string): string {
    const { directory } = this.book.source;
    let number = 1;
    const name = (): string => `${stem}${number}${ending}`;
    while (directory.find(name()) !== undefined || this.parts.has(name())) number++;
    return name();
  }

  /** The next free id in a relationships part. */
  async freeId(rels: string): Promise<string> {
    const entry = this.book.source.directory.find(rels);
    const part = entry === undefined ? '' : await partText(this.book.source, entry);
    return `rId${freeRelationship(part) + (this.added.get(rels)?.length ?? 0)}`;
  }

  relate(rels: string, relationship: NewRelationship): void {
    this.added.set(rels, [...(this.added.get(rels) ?? []), relationship]);
  }

  /**
   * Writes what was gathered: parts of the source in their places, new ones behind them. Answers the names of
   * what is written.
   */
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
      await zip.add(own, one(content), place(name), SMALL);
    }
    return new Set(this.parts.keys());
  }

  /** The bytes of a part of the source, undefined when it has none of that name. */
  async bytes(name: string): Promise<Buffer | undefined> {
    const entry = this.book.source.directory.find(name);
    return entry === undefined ? undefined : await partBytes(this.book.source, entry);
  }
}

async function* one(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
