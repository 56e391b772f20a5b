import { DAMAGE, DamagedPart } from '../damage.ts';

/** The token that asks for more bytes. */
export const NEED = 0;
/** An opening tag; a self-closing one has `selfClosing` and no `CLOSE`. */
export const OPEN = 1;
/** A closing tag. */
export const CLOSE = 2;
/** Text between tags, with its references still encoded. */
export const TEXT = 3;
/** Text in a CDATA section, which has no references. */
export const CDATA = 4;
/** Internal: a comment or an instruction was passed. */
const PASSED = 5;

/** The code of a name in another namespace. */
const FOREIGN = 0;

const DEEPEST = 256;
const LT = 60;
const GT = 62;
const SLASH = 47;
const COLON = 58;

/** A name as the number by which the scanner reports it, so that names need not be decoded. */
export function nameCode(name: string): number {
  let code = 0;
  for (let i = 0; i < name.length; i++) code = (Math.imul(code, 31) + name.charCodeAt(i)) | 0;
  return code;
}

/** The codes of names, by name. */
export function nameCodes<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name) => [name, nameCode(name)])) as Record<Name, number>;
}

/** Whether a byte of text needs no decoding and does not end it: not `<`, `&`, CR, `_` or above 127. */
export function isPlain(byte: number): boolean {
  return byte < 95 ? byte !== LT && byte !== 38 && byte !== 13 : byte > 95 && byte < 128;
}

/** Bytes of a token that are read anew without a thought. */
const SHORT = 1024;

/** The bytes in use, where many old ones are behind them. */
const within = (bytes: Buffer, limit: number): Buffer =>
  bytes.length - limit > 1 << 19 ? bytes.subarray(0, limit) : bytes;

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

const XMLNS = nameCode('xmlns');

/**
 * A pull tokenizer over chunks of UTF-8. It checks that tags nest, refuses DOCTYPE, and skips comments and
 * processing instructions. The content of a token is `start` to `end` of `bytes`, valid until the next
 * `feed`. Throws DamagedPart.
 */
export class XmlScanner {
  bytes: Buffer = Buffer.alloc(0);
  /** The same bytes, to compare several at a time. */
  view = viewOf(this.bytes);
  /** Bytes not yet consumed are `position` to `limit`; a reader that takes some moves `position`. */
  position = 0;
  limit = 0;
  /** Code of the local name, FOREIGN for another namespace; not set by `CLOSE`, as nesting tells. */
  code = 0;
  selfClosing = false;
  /** Open elements, including the one just opened. */
  depth = 0;
  /** The level of the element just opened or closed; the root is at 1. */
  level = 0;
  /** The text of `TEXT` or `CDATA`. */
  start = 0;
  end = 0;
  /** The text is ASCII without references, CR and underscores. */
  plain = true;
  attributes = 0;
  /** Code of the full name of each attribute, prefix included. */
  readonly attributeCode = new Int32Array(512);
  readonly attributeStart = new Int32Array(512);
  readonly attributeEnd = new Int32Array(512);
  readonly attributeName = new Int32Array(512);
  /** The bytes looked through of a token that did not end, its start, and the quote open behind them. */
  private waited = 0;
  private waitedAt = 0;
  private quote = 0;
  /** Where the next declaration stands, as far as it was looked for. */
  private declared = -1;
  private started = false;
  private rootPrefix = 0;
  private readonly ownPrefixes: number[] = [];
  private readonly stack = new Int32Array(DEEPEST);
  private readonly tokenBytes: number;

  constructor(tokenBytes: number) {
    this.tokenBytes = tokenBytes;
  }

  /** Adds bytes; everything reported so far becomes invalid. */
  feed(chunk: Buffer): void {
    const rest = this.limit - this.position;
    this.declared = -1;
    if (rest > this.tokenBytes) throw new DamagedPart(DAMAGE.longText);
    // Little is moved at once: the same bytes again and again are in the memory near the processor.
    if (rest < SHORT || this.limit + chunk.length > this.bytes.length) this.makeRoom(rest + chunk.length);
    chunk.copy(this.bytes, this.limit);
    this.limit += chunk.length;
  }

  /** Moves what is left to the start: seldom, as a long token would else be moved with every chunk. */
  private makeRoom(needed: number): void {
    const { position, limit } = this;
    if (this.bytes.length < (limit - position < SHORT ? needed : 2 * needed)) {
      const grown = Buffer.allocUnsafe(Math.max(needed * 3, 1 << 16));
      this.bytes.copy(grown, 0, position, limit);
      this.bytes = grown;
      this.view = viewOf(grown);
    } else this.bytes.copyWithin(0, position, limit);
    this.waitedAt -= position;
    this.limit -= position;
    this.position = 0;
  }

  /** To be called after the last chunk; throws when the document is cut off. */
  finish(): void {
    if (this.started && this.depth === 0 && this.onlySpaceLeft()) return;
    throw new DamagedPart(DAMAGE.cutOff);
  }

  /** The next token, or `NEED`. */
  next(): number {
    if (this.waited > 0 && this.position === this.waitedAt && !this.ends()) return NEED;
    const token = this.token();
    this.waited = token === NEED ? Math.min(this.limit - this.position, SHORT) : 0;
    this.waitedAt = this.position;
    this.quote = 0;
    return token;
  }

  /** Whether the token waited for may end here: a long one is not read anew with every chunk. */
  private ends(): boolean {
    const { bytes, limit, position } = this;
    if (this.waited < SHORT) return true;
    let i = position + this.waited;
    this.waited = limit - position;
    if (bytes[position] !== LT) {
      const end = bytes.indexOf(LT, i);
      return end >= 0 && end < limit;
    }
    const [, mark, next] = bytes.subarray(position, position + 3);
    if (mark === 63) return this.indexOf('?>', i - 1) >= 0;
    if (mark === 33) return this.indexOf(next === 45 ? '-->' : ']]>', i - 2) >= 0;
    if (i === position + SHORT) {
      i = position;
      this.quote = 0;
    }
    for (; i < limit; i++) {
      const byte = bytes[i] as number;
      if (this.quote === 0) {
        if (byte === GT) return true;
        if (byte === 34 || byte === 39) this.quote = byte;
      } else if (byte === this.quote) this.quote = 0;
    }
    return false;
  }

  private token(): number {
    const bytes = this.bytes;
    const limit = this.limit;
    for (;;) {
      const i = this.position;
      if (i >= limit) return NEED;
      if (bytes[i] !== LT) return this.text(i);
      if (i + 1 >= limit) return NEED;
      const mark = bytes[i + 1] as number;
      if (mark === SLASH) return this.close(i + 2);
      if (mark !== 33 && mark !== 63) return this.open(i + 1);
      const passed = mark === 63 ? this.pass(i + 2, '?>') : this.declaration(i);
      if (passed !== PASSED) return passed;
    }
  }

  /** Whether a comment or CDATA begins between two places, none of them before `position`. */
  declares(from: number, to: number): boolean {
    if (this.declared < from) {
      const found = within(this.bytes, this.limit).indexOf('<!', from, 'latin1');
      this.declared = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.declared < to;
  }

  /** Whether the text just reported ends with its element. */
  endsElement(): boolean {
    return (
      this.position + 1 < this.limit &&
      this.bytes[this.position] === LT &&
      this.bytes[this.position + 1] === SLASH
    );
  }

  /** Index of the attribute with this full name, or -1. */
  attribute(code: number): number {
    for (let i = 0; i < this.attributes; i++) if (this.attributeCode[i] === code) return i;
    return -1;
  }

  /** The local name of the innermost open element, or of one so many levels out; 0 outside the root. */
  inside(outwards = 0): number {
    return this.depth > outwards ? (this.stack[this.depth - 1 - outwards] as number) : 0;
  }

  private text(from: number): number {
    const bytes = this.bytes;
    const limit = this.limit;
    let plain = true;
    let i = from;
    for (; i < limit; i++) {
      const byte = bytes[i] as number;
      if (byte === LT) break;
      if (!isPlain(byte)) plain = false;
    }
    if (i >= limit) return NEED;
    if (this.depth === 0 && bytes.toString('latin1', from, i).trim() !== '') {
      throw new DamagedPart(DAMAGE.oddXml);
    }
    this.plain = plain;
    this.start = from;
    this.end = i;
    this.position = i;
    return TEXT;
  }

  private close(from: number): number {
    const bytes = this.bytes;
    const limit = this.limit;
    let code = 0;
    let i = from;
    for (; i < limit; i++) {
      const byte = bytes[i] as number;
      if (byte === GT || byte <= 32) break;
      code = byte === COLON ? 0 : (Math.imul(code, 31) + byte) | 0;
    }
    while (i < limit && (bytes[i] as number) <= 32) i++;
    if (i >= limit) return NEED;
    if (bytes[i] !== GT) throw new DamagedPart(DAMAGE.oddXml);
    if (this.depth === 0 || this.stack[this.depth - 1] !== code) throw new DamagedPart(DAMAGE.oddXml);
    this.level = this.depth--;
    this.position = i + 1;
    return CLOSE;
  }

  private open(from: number): number {
    const bytes = this.bytes;
    const limit = this.limit;
    let code = 0;
    let prefix = 0;
    let i = from;
    for (; i < limit; i++) {
      const byte = bytes[i] as number;
      if (byte === GT || byte === SLASH || byte <= 32) break;
      if (byte === LT) throw new DamagedPart(DAMAGE.oddXml);
      if (byte === COLON) {
        prefix = code;
        code = 0;
      } else code = (Math.imul(code, 31) + byte) | 0;
    }
    if (i === from) throw new DamagedPart(DAMAGE.oddXml);
    i = this.readAttributes(i);
    if (i < 0) return NEED;
    this.code = code;
    if (this.depth === 0) this.openRoot(prefix);
    else if (prefix !== this.rootPrefix && prefix !== 0 && !this.ownPrefixes.includes(prefix))
      this.code = FOREIGN;
    this.level = this.depth + 1;
    if (!this.selfClosing) {
      if (this.depth >= DEEPEST) throw new DamagedPart(DAMAGE.oddXml);
      this.stack[this.depth++] = code;
    }
    this.position = i;
    return OPEN;
  }

  /** Reads the attributes; returns the place behind the `>`, or -1 when it is not there yet. */
  private readAttributes(from: number): number {
    const bytes = this.bytes;
    const limit = this.limit;
    let count = 0;
    let i = from;
    for (;;) {
      while (i < limit && (bytes[i] as number) <= 32) i++;
      if (i >= limit) return -1;
      const byte = bytes[i] as number;
      if (byte === GT) {
        this.selfClosing = false;
        break;
      }
      if (byte === SLASH) {
        if (i + 1 >= limit) return -1;
        if (bytes[++i] !== GT) throw new DamagedPart(DAMAGE.oddXml);
        this.selfClosing = true;
        break;
      }
      if (count === 512) throw new DamagedPart(DAMAGE.oddXml);
      this.attributeName[count] = i;
      let code = 0;
      for (; i < limit; i++) {
        const letter = bytes[i] as number;
        if (letter === 61 || letter <= 32) break;
        if (letter === GT || letter === LT) throw new DamagedPart(DAMAGE.oddXml);
        code = (Math.imul(code, 31) + letter) | 0;
      }
      while (i < limit && (bytes[i] as number) <= 32) i++;
      if (i >= limit) return -1;
      if (bytes[i++] !== 61) throw new DamagedPart(DAMAGE.oddXml);
      while (i < limit && (bytes[i] as number) <= 32) i++;
      if (i >= limit) return -1;
      const quote = bytes[i++] as number;
      if (quote !== 34 && quote !== 39) throw new DamagedPart(DAMAGE.oddXml);
      this.attributeCode[count] = code;
      this.attributeStart[count] = i;
      while (i < limit && bytes[i] !== quote) i++;
      if (i >= limit) return -1;
      this.attributeEnd[count++] = i++;
    }
    this.attributes = count;
    return i + 1;
  }

  /** Elements that count have the prefix of the root, or one bound to the same namespace. */
  private openRoot(prefix: number): void {
    if (this.started) throw new DamagedPart(DAMAGE.oddXml);
    this.started = true;
    this.rootPrefix = prefix;
    const own = this.namespaceOf(prefix);
    for (let i = 0; own !== '' && i < this.attributes; i++) {
      const bound = this.boundPrefix(i);
      if (bound !== '' && this.attributeText(i) === own) this.ownPrefixes.push(nameCode(bound));
    }
  }

  private namespaceOf(prefix: number): string {
    for (let i = 0; i < this.attributes; i++) {
      const found = prefix === 0 ? this.attributeCode[i] === XMLNS : nameCode(this.boundPrefix(i)) === prefix;
      if (found) return this.attributeText(i);
    }
    return '';
  }

  private boundPrefix(attribute: number): string {
    const name = this.attributeFullName(attribute);
    return name.startsWith('xmlns:') ? name.slice(6) : '';
  }

  /** The name of an attribute with its prefix. */
  attributeFullName(attribute: number): string {
    const start = this.attributeName[attribute] as number;
    const stop = this.attributeStart[attribute] as number;
    return this.bytes.toString('latin1', start, stop).replace(/\s*=\s*["']$/, '');
  }

  /** The value of an attribute with its references still encoded. */
  attributeText(attribute: number): string {
    return this.bytes.toString('utf8', this.attributeStart[attribute], this.attributeEnd[attribute]);
  }

  /** Passes a comment; CDATA is text. */
  private declaration(from: number): number {
    if (this.limit > from + 3 && this.bytes[from + 2] === 45 && this.bytes[from + 3] === 45)
      return this.pass(from + 4, '-->');
    const opening = this.bytes.toString('latin1', from, Math.min(from + 9, this.limit));
    if (opening.length < 9) return NEED;
    if (opening.toUpperCase() === '<!DOCTYPE') throw new DamagedPart(DAMAGE.oddXml);
    if (opening !== '<![CDATA[') throw new DamagedPart(DAMAGE.oddXml);
    const stop = this.indexOf(']]>', from + 9);
    if (stop < 0) return NEED;
    this.plain = false;
    this.start = from + 9;
    this.end = stop;
    this.position = stop + 3;
    return CDATA;
  }

  private pass(from: number, mark: string): number {
    const stop = this.indexOf(mark, from);
    if (stop < 0) return NEED;
    this.position = stop + mark.length;
    return PASSED;
  }

  private indexOf(mark: string, from: number): number {
    const found = within(this.bytes, this.limit).indexOf(mark, from, 'latin1');
    return found < 0 || found + mark.length > this.limit ? -1 : found;
  }

  private onlySpaceLeft(): boolean {
    for (let i = this.position; i < this.limit; i++) if ((this.bytes[i] as number) > 32) return false;
    return true;
  }
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves character references; unknown ones stay as they are. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,8})|([a-z]{2,4}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

/** Resolves escapes of characters that XML can't hold: `_x000D_` is CR, `_x005F_` an underscore. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Makes all line ends LF. */
export function unifyLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;
}

/** The text of a TEXT or CDATA token; its line ends are left, as a text may come in pieces. */
export function tokenText(scanner: XmlScanner, cdata: boolean): string {
  if (scanner.plain) return scanner.bytes.toString('latin1', scanner.start, scanner.end);
  const text = scanner.bytes.toString('utf8', scanner.start, scanner.end);
  return decodeEscapes(cdata ? text : decodeReferences(text));
}

/** The value of an attribute by its full name; undefined if absent. */
export function attributeValue(scanner: XmlScanner, name: string): string | undefined {
  const index = scanner.attribute(nameCode(name));
  return index < 0 ? undefined : decodeReferences(scanner.attributeText(index));
}

/** The value of an attribute as a number, 0 if absent. */
export function attributeNumber(scanner: XmlScanner, name: string): number {
  return Number(attributeValue(scanner, name) ?? 0);
}

/** Whether an attribute is `1`, `true` or `on`. */
export function attributeIsTrue(scanner: XmlScanner, name: string): boolean {
  const value = attributeValue(scanner, name);
  return value === '1' || value === 'true' || value === 'on';
}
