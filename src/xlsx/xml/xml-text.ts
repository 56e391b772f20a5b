import { TextDecoder } from 'node:util';
import { DAMAGE, DamagedPart } from '../damage.ts';
import type { XmlScanner } from './xml-scanner.ts';

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text with character references resolved; a reference that XML doesn't know stays as it is written. */
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

/** Excel's own escape for characters that XML can't hold: `_x000D_` is CR, `_x005F_` a plain underscore. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Line ends as LF. */
export function unifyLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** The text of the scanner's current TEXT or CDATA token; line ends are left to the cell, as it may be in pieces. */
export function tokenText(scanner: XmlScanner, cdata: boolean): string {
  if (scanner.plain) return scanner.bytes.toString('latin1', scanner.start, scanner.end);
  const text = scanner.bytes.toString('utf8', scanner.start, scanner.end);
  return decodeEscapes(cdata ? text : decodeReferences(text));
}

/** The value of an attribute by its full name's code, or undefined when it is absent. */
export function attributeValue(scanner: XmlScanner, code: number): string | undefined {
  const index = scanner.attribute(code);
  return index < 0 ? undefined : decodeReferences(scanner.attributeText(index));
}

/** Whether an attribute is `1`, `true` or `on`. */
export function attributeIsTrue(scanner: XmlScanner, code: number): boolean {
  const value = attributeValue(scanner, code);
  return value === '1' || value === 'true' || value === 'on';
}

/** The chunks of an XML part as UTF-8 without a byte order mark, whatever encoding the part is in. Throws DamagedPart. */
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
    if (decoder === null) yield chunk;
    else yield Buffer.from(decode(decoder, chunk), 'utf8');
  }
  if (head === undefined) return;
  decoder = decoderFor(head);
  yield decoder === null ? withoutMark(head) : Buffer.from(decode(decoder, withoutMark(head)), 'utf8');
}

function withoutMark(head: Buffer): Buffer {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

function decode(decoder: TextDecoder, chunk: Buffer): string {
  return decoder.decode(chunk, { stream: true });
}

/** Null when the bytes are UTF-8 already, which they are when they begin as 8-bit text that doesn't say otherwise. */
function decoderFor(head: Buffer): TextDecoder | null {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  if (head[0] === 0x3c && head[1] === 0) return new TextDecoder('utf-16le');
  if (head[0] === 0 && head[1] === 0x3c) return new TextDecoder('utf-16be');
  const declared = /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']/.exec(
    head.toString('latin1', 0, 128),
  )?.[1];
  // A declaration of UTF-16 that can be read byte by byte is wrong: some programs write it over UTF-8.
  if (declared === undefined || /^utf-?(8|16)|^(us-)?ascii$/i.test(declared)) return null;
  try {
    return new TextDecoder(declared);
  } catch (cause) {
    throw new DamagedPart(DAMAGE.oddEncoding, { cause });
  }
}
