import { TextDecoder } from 'node:util';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { nameCode, type XmlScanner } from './xml-scanner.ts';

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

/** The chunks of a part as UTF-8 without byte order mark, whatever its encoding. Throws DamagedPart. */
export async function* utf8Chunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  let head: Buffer | undefined;
  for await (let chunk of chunks) {
    if (decoder === undefined) {
      if (head !== undefined) chunk = Buffer.concat([head, chunk]);
      head = chunk;
      if (chunk.length < 128) continue;
      decoder = decoderFor(chunk);
      head = undefined;
      chunk = withoutMark(chunk);
    }
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  if (head === undefined) return;
  const rest = withoutMark(head);
  yield Buffer.from(decoderFor(head)?.decode(rest, { stream: true }) ?? rest);
}

function withoutMark(head: Buffer): Buffer {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

/** Null for UTF-8, which is 8-bit text that declares nothing else. */
function decoderFor(head: Buffer): TextDecoder | null {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  if (head[0] === 0x3c && head[1] === 0) return new TextDecoder('utf-16le');
  if (head[0] === 0 && head[1] === 0x3c) return new TextDecoder('utf-16be');
  const declared = /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/.exec(
    head.toString('latin1', 0, 128),
  )?.[1];
  // UTF-16 can't be declared in 8-bit text: some programs write that over UTF-8.
  if (declared === undefined || /^utf-?(8|16)|^(us-)?ascii$/i.test(declared)) return null;
  try {
    return new TextDecoder(declared);
  } catch (cause) {
    throw new DamagedPart(DAMAGE.oddEncoding, { cause });
  }
}
