import { isAscii } from 'node:buffer';
import { type TextEncoding, unmarkedUtf16 } from '../files/text-encoding.ts';
import { csvProblem } from './csv-problems.ts';
import { fileChunks } from './decode-text.ts';

const HEAD = 8192;

/**
 * Finds a text file's encoding: UTF-16 by its byte order mark or NUL bytes, UTF-8 when all of it is, else
 * Windows-1252 or ISO 8859-15. Throws StopError for text that is only partly UTF-8.
 */
export async function findEncoding(file: string, signal?: AbortSignal): Promise<TextEncoding> {
  const evidence = new Evidence();
  let first = true;
  for await (const chunk of fileChunks(file, signal)) {
    const wide = first ? utf16(chunk.subarray(0, HEAD)) : undefined;
    if (wide !== undefined) return wide;
    evidence.take(chunk, first);
    first = false;
  }
  const found = evidence.likeliest();
  if (found !== undefined) return found;
  throw csvProblem('mixedEncodings', file, await lineAt(file, evidence.firstOther, signal));
}

/** The byte order of UTF-16 by the first bytes of a file; undefined for single-byte text and UTF-8. */
export function utf16(head: Buffer): TextEncoding | undefined {
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

/** Counts what speaks for UTF-8 and what against it. */
class Evidence {
  /** Offset of the first byte that is not UTF-8. */
  firstOther = -1;
  private others = 0;
  /** Common Western characters that make no sense in the other encodings: é, – and €, as Ã©, â€“ and â‚¬. */
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

  /** Undefined for text in more than one encoding. */
  likeliest(): TextEncoding | undefined {
    this.count(this.rest, this.rest.length);
    if (this.others === 0) return 'utf-8';
    if (this.marked || this.western * 10 >= this.others) return undefined;
    return this.single.likeliest();
  }

  /** Counts characters that start before `stop`, as the last may be cut off; returns where it stopped. */
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

/** Length of the multi-byte UTF-8 character that starts here, 0 for none (RFC 3629, 4). */
function characterLength(bytes: Buffer, at: number): number {
  const byte = bytes[at] as number;
  const second = bytes[at + 1] ?? 0;
  if (byte < 0xc2 || byte > 0xf4 || !isContinuation(second)) return 0;
  if (byte < 0xe0) return 2;
  const tooLong = (byte === 0xe0 && second < 0xa0) || (byte === 0xf0 && second < 0x90);
  const noCharacter = (byte === 0xed && second > 0x9f) || (byte === 0xf4 && second > 0x8f);
  if (tooLong || noCharacter || !isContinuation(bytes[at + 2] ?? 0)) return 0;
  if (byte < 0xf0) return 3;
  return isContinuation(bytes[at + 3] ?? 0) ? 4 : 0;
}

const isContinuation = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

/** In both encodings bytes from 0xC0 on are letters, except × and ÷. */
function isLetter(byte: number): boolean {
  const folded = byte | 32;
  return (folded >= 97 && folded <= 122) || (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7);
}

/** In ISO 8859-15 the capitals Š Ž Œ Ÿ and the small letters š ž œ; in Windows-1252 ¦ ´ ¼ ¾ and ¨ ¸ ½. */
const CAPITALS = new Set([0xa6, 0xb4, 0xbc, 0xbe]);
const SMALL = new Set([0xa8, 0xb8, 0xbd]);
const FRACTIONS = new Set([0xbc, 0xbd, 0xbe]);
const EURO_OR_CURRENCY = 0xa4;

/**
 * Tells Windows-1252 from ISO 8859-15. Bytes 0x80-0x9F are characters in the first alone; 0xA4 is the euro in
 * the second, and a sign that nobody uses in the first. Seven more are letters in the second: they count for
 * it where a word needs a letter.
 */
class SingleByteEvidence {
  private windows = 0;
  private latin9 = 0;

  weigh(bytes: Buffer, at: number): void {
    const byte = bytes[at] as number;
    if (byte < 0xa0) this.windows += 1000;
    else if (byte === EURO_OR_CURRENCY) this.latin9 += 10;
    else if (CAPITALS.has(byte) || SMALL.has(byte))
      this.weighLetter(byte, bytes[at - 1] ?? 0, bytes[at + 1] ?? 0);
  }

  /** Windows-1252, by far the commoner one, when in doubt. */
  likeliest(): 'windows-1252' | 'iso-8859-15' {
    return this.latin9 > this.windows ? 'iso-8859-15' : 'windows-1252';
  }

  private weighLetter(byte: number, before: number, after: number): void {
    const starts = !isLetter(before);
    const goesOn = isLetter(after);
    // Between two letters stands a letter, or the accent that some write for an apostrophe: foto´s.
    const capitalInside = CAPITALS.has(byte) && !starts && before >= 97;
    // A fraction may stand before its unit: ½l.
    const fraction = FRACTIONS.has(byte) && starts && after !== 0x75;
    if (goesOn && !capitalInside && !fraction) this.latin9 += 1;
    else this.windows += 1;
  }
}
