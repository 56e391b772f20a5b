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
