import type { ZipRecord } from '../zip/read-zip.ts';
import { asWorkbook, withContentTypes } from './content-types.ts';
import { freeRelationship, type NewRelationship, withRelationships } from './relationships-part.ts';
import { partBytes, partText, type SourceBook } from './source-book.ts';
import type { ZipWriter } from './zip-writer.ts';

/** Bytes of a part that is kept; far from where sizes need more room. */
const SMALL = 1;

/** Gathers what becomes of the small parts of a workbook while its sheets are written, and then writes them. */
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

  /** Writes what was gathered: parts of the source in their places, new ones behind them. Answers the names of what is written. */
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
