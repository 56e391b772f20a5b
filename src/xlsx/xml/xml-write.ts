import { CLOSE, NEED, nameCode, OPEN, XmlScanner } from './xml-scanner.ts';

const SIZE = 1 << 18;
/** The most UTF-8 bytes for a UTF-16 code unit. */
const WIDEST = 3;

/** Collects bytes and texts into chunks of about 256 KB. */
export class ByteSink {
  private full: Buffer[] = [];
  private bytes = Buffer.allocUnsafe(SIZE);
  private used = 0;

  /** Copies bytes, as the source may be overwritten. */
  copy(from: Buffer, start: number, end: number): void {
    const length = end - start;
    if (length <= 0) return;
    this.room(length);
    from.copy(this.bytes, this.used, start, end);
    this.used += length;
  }

  text(text: string): void {
    this.room(text.length * WIDEST);
    this.used += this.bytes.write(text, this.used, 'utf8');
  }

  /** The full chunks so far; with `all`, the rest too. */
  take(all = false): Buffer[] {
    if (all && this.used > 0) this.next(SIZE);
    const { full } = this;
    this.full = [];
    return full;
  }

  private room(length: number): void {
    if (this.used + length > this.bytes.length) this.next(Math.max(SIZE, length));
  }

  private next(size: number): void {
    if (this.used > 0) this.full.push(this.bytes.subarray(0, this.used));
    this.bytes = Buffer.allocUnsafe(size);
    this.used = 0;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Escapes the value of an attribute. */
export function escapeXml(text: string): string {
  return /[&<>"'\n\r\t]/.test(text) ? text.replace(/[&<>"'\n\r\t]/g, (one) => ENTITIES[one] ?? one) : text;
}

/** Escapes a text between tags. */
export function escapeText(text: string): string {
  // A single sign is found far quicker than one of several. The first stands in what the others become.
  let escaped = text;
  for (const sign of ['&', '<', '>'])
    if (escaped.includes(sign)) escaped = escaped.replaceAll(sign, ENTITIES[sign] as string);
  return escaped;
}

/** The XML declaration. */
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Whether a text starts or ends with a blank. */
export const hasOuterBlanks = (text: string): boolean => text.trim().length !== text.length;

/** An element of text that keeps its outer blanks. */
export function textElement(tag: string, text: string): string {
  const kept = text.includes('\n') || hasOuterBlanks(text) ? ' xml:space="preserve"' : '';
  return `<${tag}${kept}>${escapeText(text)}</${tag}>`;
}

/** The namespace of workbooks and worksheets. */
export const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The namespace of relationships in a document, and the start of their types. */
export const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The namespace of relationships parts. */
export const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006/relationships';

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
  /** Also of what stands before the root: the copy has a declaration of its own. */
  private dropping = true;
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
    if (token === OPEN && scanner.level === 1) this.begin();
    if (token === CLOSE && scanner.level === this.dropped) this.keep();
    return token;
  }

  private begin(): void {
    const { bytes, position } = this.scanner;
    this.before = bytes.lastIndexOf(LT, position - 1);
    this.prefix = /^<([^\s<>/!?:]+:)/.exec(this.text)?.[1] ?? '';
    this.keep(this.before);
    this.sink.text(DECLARATION);
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

  private keep(to = this.scanner.position): void {
    this.copyTo(to);
    this.dropping = false;
    this.dropped = 0;
  }

  /** Replaces the current token. */
  replace(text: string): void {
    this.copyTo(this.before);
    this.copied = this.scanner.position;
    this.sink.text(text);
  }

  /** Changes or adds attributes of the tag just opened, by name; null removes one. */
  changeTag(changes: Readonly<Record<string, string | null>>): void {
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

const LT = 60;
