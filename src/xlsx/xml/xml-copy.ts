import { XmlScanner } from './xml-scanner.ts';
import { ByteSink, escapeXml } from './xml-write.ts';

/** New values of attributes by name, null to remove one. */
export type TagChanges = Readonly<Record<string, string | null>>;

/**
 * Copies XML byte for byte while a scanner goes through it; the caller can insert text around a token, change
 * its attributes or leave it out. Throws DamagedPart.
 */
export class XmlCopy {
  readonly scanner: XmlScanner;
  readonly sink = new ByteSink();
  /** Where the current token starts, with what was passed before it. */
  before = 0;
  private copied = 0;
  private dropping = false;

  constructor(tokenBytes: number) {
    this.scanner = new XmlScanner(tokenBytes);
  }

  feed(chunk: Buffer): void {
    this.copyTo(this.scanner.position);
    this.scanner.feed(chunk);
    this.copied = 0;
    this.before = 0;
  }

  /** The next token, or NEED. */
  next(): number {
    this.before = this.scanner.position;
    return this.scanner.next();
  }

  /** The full chunks so far; with `all`, everything up to the scanner. */
  take(all = false): Buffer[] {
    if (all) this.copyTo(this.scanner.position);
    return this.sink.take(all);
  }

  insertBefore(text: string): void {
    this.insertAt(this.before, text);
  }

  insertBehind(text: string): void {
    this.insertAt(this.scanner.position, text);
  }

  /** Inserts a text; nothing before it can be changed any more. */
  insertAt(place: number, text: string): void {
    this.copyTo(place);
    this.sink.text(text);
  }

  /** Leaves out everything from the current token on, until `keep`. */
  drop(): void {
    this.copyTo(this.before);
    this.dropping = true;
  }

  /** Ends `drop` behind the current token. */
  keep(): void {
    this.copyTo(this.scanner.position);
    this.dropping = false;
  }

  /** Leaves out the `>` of the tag just opened and all behind it, until `endTag`. */
  holdTag(): void {
    this.copyTo(this.scanner.position - 1);
    this.dropping = true;
  }

  /** Ends `holdTag` in front of the current token. */
  endTag(): void {
    this.copyTo(this.before);
    this.dropping = false;
    this.sink.text('>');
  }

  /** Replaces the current token. */
  replace(text: string): void {
    this.drop();
    this.keep();
    this.sink.text(text);
  }

  /** Changes or adds attributes of the tag just opened. */
  changeTag(changes: TagChanges): void {
    const { scanner } = this;
    const left = new Map(Object.entries(changes));
    for (let i = 0; i < scanner.attributes; i++) {
      const name = scanner.attributeFullName(i);
      const value = left.get(name);
      if (value === undefined) continue;
      left.delete(name);
      this.changeAttribute(i, value);
    }
    const added = [...left].flatMap(([name, value]) =>
      value === null ? [] : [` ${name}="${escapeXml(value)}"`],
    );
    if (added.length > 0) this.insertAt(scanner.position - (scanner.selfClosing ? 2 : 1), added.join(''));
  }

  private changeAttribute(index: number, value: string | null): void {
    const { scanner } = this;
    const name = scanner.attributeName[index] as number;
    const start = scanner.attributeStart[index] as number;
    const end = scanner.attributeEnd[index] as number;
    if (value === null) {
      this.copyTo(name - 1);
      this.copied = end + 1;
    } else {
      this.copyTo(start);
      this.sink.text(escapeXml(value));
      this.copied = end;
    }
  }

  private copyTo(place: number): void {
    if (place <= this.copied) return;
    if (!this.dropping) this.sink.copy(this.scanner.bytes, this.copied, place);
    this.copied = place;
  }
}

/** The prefix of the root just opened with its colon (`x:`); `before` is the previous position. */
export function rootPrefix(scanner: XmlScanner, before: number): string {
  const text = scanner.bytes.toString('utf8', before, scanner.position);
  return /<([^\s<>/!?:]+:)?[^\s<>/!?:]+(?:\s[^<]*)?\/?>$/.exec(text)?.[1] ?? '';
}
