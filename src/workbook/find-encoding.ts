import { isAscii } from 'node:buffer';
import { type CsvEncoding, unmarkedUtf16 } from './csv-encoding.ts';
import { mixedEncodings } from './csv-problems.ts';
import { fileChunks } from './file-chunks.ts';
import { SingleByteEvidence } from './single-byte-evidence.ts';

const HEAD = 8192;

/**
 * Finds a text file's encoding: UTF-16 by its byte order mark or its NUL bytes, UTF-8 when all of it is, else Windows-1252 or
 * ISO 8859-15 by what their bytes would mean. Throws StopError for text that is partly UTF-8 and partly not, as no encoding reads all of it.
 */
export async function findEncoding(file: string, signal?: AbortSignal): Promise<CsvEncoding> {
  const evidence = new Evidence();
  let first = true;
  for await (const chunk of fileChunks(file, signal)) {
    const wide = first ? utf16(chunk.subarray(0, HEAD)) : undefined;
    if (wide !== undefined) return wide;
    evidence.take(chunk, first);
    first = false;
  }
  const found = evidence.verdict();
  if (found !== undefined) return found;
  throw mixedEncodings(file, await lineAt(file, evidence.firstOther, signal));
}

/** The byte order of UTF-16, by the first bytes of a file; undefined for text in bytes. */
export function utf16(head: Buffer): CsvEncoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return unmarkedUtf16(head);
}

async function lineAt(file: string, at: number, signal: AbortSignal | undefined): Promise<number> {
  let line = 1;
  let offset = 0;
  for await (const chunk of fileChunks(file, signal)) {
    const before = chunk.subarray(0, Math.max(0, at - offset)).toString('latin1');
    line += before.match(/\r\n?|\n/g)?.length ?? 0;
    offset += chunk.length;
    if (offset > at) break;
  }
  return line;
}

/** Counts what speaks for UTF-8 and what against. */
class Evidence {
  /** Where in the file the first byte stands that is no UTF-8. */
  firstOther = -1;
  private others = 0;
  /** Characters that Western text in UTF-8 is full of, and that in the other encodings make no sense: é, – and €, as Ã©, â€“ and â‚¬. */
  private western = 0;
  private marked = false;
  private readonly single = new SingleByteEvidence();
  private offset = 0;
  private rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer, first: boolean): void {
    if (first) this.marked = chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const used = isAscii(bytes) ? bytes.length : this.count(bytes, bytes.length - 3);
    this.rest = bytes.subarray(used);
    this.offset += used;
  }

  /** Undefined when the text is in more than one encoding. */
  verdict(): CsvEncoding | undefined {
    this.count(this.rest, this.rest.length);
    if (this.others === 0) return 'utf-8';
    if (this.marked || this.western * 10 >= this.others) return undefined;
    return this.single.verdict();
  }

  /** Counts characters that begin before `stop`, as a character at the end may be cut off; answers where it stopped. */
  private count(bytes: Buffer, stop: number): number {
    let i = 0;
    while (i < stop) {
      const byte = bytes[i] as number;
      const length = byte < 0x80 ? 1 : characterLength(bytes, i);
      if (length === 0) this.countOther(bytes, i);
      else if (byte === 0xc3 || (byte === 0xe2 && ((bytes[i + 1] as number) & 0xfd) === 0x80)) this.western++;
      i += length || 1;
    }
    return i;
  }

  private countOther(bytes: Buffer, at: number): void {
    if (this.others++ === 0) this.firstOther = this.offset + at;
    this.single.weigh(bytes, at);
  }
}

/** Bytes of the UTF-8 character of more than one byte that begins here, 0 when none does (RFC 3629, 4). */
function characterLength(bytes: Buffer, at: number): number {
  const byte = bytes[at] as number;
  const second = bytes[at + 1] ?? 0;
  if (byte < 0xc2 || byte > 0xf4 || !goesOn(second)) return 0;
  if (byte < 0xe0) return 2;
  const tooLong = (byte === 0xe0 && second < 0xa0) || (byte === 0xf0 && second < 0x90);
  const noCharacter = (byte === 0xed && second > 0x9f) || (byte === 0xf4 && second > 0x8f);
  if (tooLong || noCharacter || !goesOn(bytes[at + 2] ?? 0)) return 0;
  if (byte < 0xf0) return 3;
  return goesOn(bytes[at + 3] ?? 0) ? 4 : 0;
}

function goesOn(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
