import { TextDecoder } from 'node:util';
import { DAMAGE } from './damage-words.ts';
import { DamagedPart } from './damaged-part.ts';

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
