import { CLOSE, NEED, nameCode, OPEN, XmlScanner } from './xml-scanner.ts';
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
  /** The prefix of the root with its colon (`x:`). */
  prefix = '';
  private copied = 0;
  private dropping = false;
  /** The level of the element that is left out, 0 for none. */
  private dropped = 0;

  constructor(tokenBytes: number) {
    this.scanner = new XmlScanner(tokenBytes);
  }

  /** A copy of a whole part. */
  static of(bytes: Buffer): XmlCopy {
    const copy = new XmlCopy(bytes.length + 1);
    copy.feed(bytes);
    return copy;
  }

  feed(chunk: Buffer): void {
    this.copyTo(this.scanner.position);
    this.scanner.feed(chunk);
    this.copied = this.scanner.position;
    this.before = this.copied;
  }

  /** The next token, or NEED. */
  next(): number {
    const { scanner } = this;
    this.before = scanner.position;
    const token = scanner.next();
    if (token === OPEN && scanner.level === 1) this.prefix = rootPrefix(this.text);
    if (token === CLOSE && scanner.level === this.dropped) this.keep();
    return token;
  }

  /** All tokens that the bytes so far hold. */
  *tokens(): Generator<number> {
    for (let token = this.next(); token !== NEED; token = this.next()) yield token;
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

  /** Leaves out the element just opened. */
  drop(): void {
    this.copyTo(this.before);
    this.dropping = true;
    if (this.scanner.selfClosing) this.keep();
    else this.dropped = this.scanner.level;
  }

  /** The current token as it is written, with what was passed before it. */
  get text(): string {
    return this.scanner.bytes.toString('utf8', this.before, this.scanner.position);
  }

  /** Whether the current token is in an element that is left out. */
  get isDropping(): boolean {
    return this.dropped > 0;
  }

  private keep(): void {
    this.copyTo(this.scanner.position);
    this.dropping = false;
    this.dropped = 0;
  }

  /** Replaces the current token. */
  replace(text: string): void {
    this.copyTo(this.before);
    this.copied = this.scanner.position;
    this.sink.text(text);
  }

  /** Changes or adds attributes of the tag just opened. */
  changeTag(changes: TagChanges): void {
    const { scanner } = this;
    for (let i = 0; i < scanner.attributes; i++) {
      const code = scanner.attributeCode[i];
      for (const name in changes) if (nameCode(name) === code) this.changeAttribute(i, changes[name] ?? null);
    }
    let added = '';
    for (const name in changes) {
      const value = changes[name] ?? null;
      if (value !== null && scanner.attribute(nameCode(name)) < 0) added += ` ${name}="${escapeXml(value)}"`;
    }
    if (added !== '') this.insertAt(scanner.position - (scanner.selfClosing ? 2 : 1), added);
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

/** The prefix of a tag with its colon, `''` for none. */
const rootPrefix = (tag: string): string =>
  /<([^\s<>/!?:]+:)?[^\s<>/!?:]+(?:\s[^<]*)?\/?>$/.exec(tag)?.[1] ?? '';
