import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { type TextEncoding, unmarkedUtf16 } from '../files/text-encoding.ts';
import { fromCodePage, speaksForDos } from './code-pages.ts';
import { csvProblem, otherEncoding } from './csv-problems.ts';

/** Decodes a chunk; undefined ends the text. */
type Decode = (chunk: Buffer | undefined) => string;

/** Windows-1252 at 0x80-0x9F, where ISO 8859-1 has control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The eight characters in which ISO 8859-15 differs from ISO 8859-1, and what it has in their place. */
const LATIN1 = '¤¦¨´¸¼½¾';
const LATIN9 = '€ŠšŽžŒœŸ';

/** Bytes decoded at once: a short text stays in the memory near the processor while it is cut. */
const PIECE = 1 << 16;

/** The text of a file in chunks with LF line ends, without mark. Throws StopError for undecodable bytes. */
export async function* textChunks(
  file: string,
  encoding: TextEncoding,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const decode = decoderOf(encoding);
  let held = '';
  for await (const chunk of fileChunks(file, signal)) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE);
      const text = held + decodeOrStop(file, encoding, () => decode(piece));
      // A CR at the end may have its LF in the next piece.
      held = text.endsWith('\r') ? '\r' : '';
      const ready = held === '' ? text : text.slice(0, -1);
      if (ready !== '') yield ready.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    }
  }
  const last = held.replace('\r', '\n') + decodeOrStop(file, encoding, () => decode(undefined));
  if (last !== '') yield last;
}

/** A decoder for an encoding; it throws for bytes that the encoding lacks. */
export function decoderOf(encoding: TextEncoding): Decode {
  if (encoding === 'windows-1252')
    return decodeBytes((text) =>
      text.replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252[letter.charCodeAt(0) - 0x80] as string),
    );
  if (encoding === 'iso-8859-15')
    return decodeBytes((text) =>
      text.replace(/[¤¦¨´¸¼½¾]/g, (letter) => LATIN9[LATIN1.indexOf(letter)] as string),
    );
  const dos = fromCodePage(encoding);
  if (dos !== undefined) return decodeBytes(dos);
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
}

/** Decodes single bytes by their difference from ISO 8859-1, and drops a UTF-8 mark all the same. */
function decodeBytes(correct: (text: string) => string): Decode {
  let first = true;
  return (chunk) => {
    const text = chunk?.toString('latin1') ?? '';
    const start = first && text.startsWith('ï»¿') ? 3 : 0;
    first = false;
    return correct(text.slice(start));
  };
}

function decodeOrStop(file: string, encoding: TextEncoding, decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw otherEncoding(file, encoding, cause);
  }
}

const CHUNK = 1 << 18;

/** The bytes of a file in chunks of 256 KB. Throws StopError when it goes away, or the signal's reason. */
async function* fileChunks(file: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    // A stream takes ten times as long to begin as such a file to be read.
    const chunks =
      statSync(file).size <= CHUNK ? [readFileSync(file)] : createReadStream(file, { highWaterMark: CHUNK });
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      yield chunk;
    }
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (signal?.aborted || code === undefined || cause instanceof StopError) throw cause;
    const name = basename(file);
    const text = t(
      `The file ${name} can no longer be read (${code}).`,
      `Het bestand ${name} kan niet meer worden gelezen (${code}).`,
    );
    const next = t(
      'Check that it is still there, and try again.',
      'Kijk of het er nog staat, en probeer het opnieuw.',
    );
    throw new StopError(EXIT.file, text, { next, cause });
  }
}

const HEAD = 8192;

/**
 * Finds a text file's encoding: UTF-16 by its byte order mark or NUL bytes, UTF-8 when all of it is, else
 * code page 850, Windows-1252 or ISO 8859-15. Throws StopError for text that is only partly UTF-8.
 */
export async function findEncoding(file: string, signal?: AbortSignal): Promise<TextEncoding> {
  if (await isAllUtf8(file, signal)) return 'utf-8';
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

/** Whether a file is UTF-8 from its start to its end, but not UTF-16: then no character need be counted. */
async function isAllUtf8(file: string, signal: AbortSignal | undefined): Promise<boolean> {
  let rest: Buffer | undefined;
  for await (const chunk of fileChunks(file, signal)) {
    if (rest === undefined && utf16(chunk.subarray(0, HEAD)) !== undefined) return false;
    const bytes: Buffer = rest === undefined || rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) return false;
    rest = bytes.subarray(whole);
  }
  return rest === undefined || rest.length === 0;
}

/** Up to where bytes hold whole characters, if they are UTF-8: the last one may be cut off. */
function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start] ?? 0)) start--;
  const lead = bytes[start] ?? 0;
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return bytes.length - start < length ? start : bytes.length;
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
  /** What speaks for code page 850, less what speaks for the two others. */
  private dos = 0;
  /** What speaks for each of those two. */
  private windows = 0;
  private latin9 = 0;
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
    if (this.dos > 0) return 'cp850';
    // Windows-1252, by far the commoner one, when in doubt.
    return this.latin9 > this.windows ? 'iso-8859-15' : 'windows-1252';
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
    this.dos += speaksForDos(bytes[at - 1] ?? 0, bytes[at] as number, bytes[at + 1] ?? 0);
    this.weigh(bytes, at);
  }

  /**
   * Tells Windows-1252 from ISO 8859-15. Bytes 0x80-0x9F are characters in the first alone; 0xA4 is the euro
   * in the second, and a sign that nobody uses in the first. Seven more are letters in the second: they count
   * for it where a word needs a letter.
   */
  private weigh(bytes: Buffer, at: number): void {
    const byte = bytes[at] as number;
    if (byte < 0xa0) this.windows += 1000;
    else if (byte === EURO_OR_CURRENCY) this.latin9 += 10;
    else if (!CAPITALS.has(byte) && !SMALL.has(byte)) return;
    else if (isLetterBetween(byte, bytes[at - 1] ?? 0, bytes[at + 1] ?? 0)) this.latin9 += 1;
    else this.windows += 1;
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

/** Whether a word needs one of those seven to be a letter. */
function isLetterBetween(byte: number, before: number, after: number): boolean {
  const starts = !isLetter(before);
  // Between two letters stands a letter, or the accent that some write for an apostrophe: foto´s.
  const capitalInside = CAPITALS.has(byte) && !starts && before >= 97;
  // A fraction may stand before its unit: ½l.
  const fraction = FRACTIONS.has(byte) && starts && after !== 0x75;
  return isLetter(after) && !capitalInside && !fraction;
}
