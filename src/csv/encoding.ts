import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { type TextEncoding, unmarkedUtf16 } from '../files/text-encoding.ts';

/**
 * What bytes from 0x80 on are where ISO 8859-1 has something else: in Windows-1252 up to 0x9F, and in the code
 * pages of DOS, as Excel's "CSV (MS-DOS)" has them.
 */
const HIGH: Readonly<Record<string, string>> = {
  'windows-1252': '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
};

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

/** Decodes a chunk; undefined ends the text. */
type Decode = (chunk: Buffer | undefined) => string;

/** A decoder for an encoding; it throws for bytes that the encoding lacks. */
export function decoderOf(encoding: TextEncoding): Decode {
  const high = HIGH[encoding];
  if (high !== undefined) return decodeBytes(high);
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
}

/** Decodes single bytes by their difference from ISO 8859-1, and drops a UTF-8 mark all the same. */
function decodeBytes(high: string): Decode {
  let first = true;
  return (chunk) => {
    const text = chunk?.toString('latin1') ?? '';
    const start = first && text.startsWith('ï»¿') ? 3 : 0;
    first = false;
    return text.slice(start).replace(/[\x80-\xff]/g, (byte) => high[byte.charCodeAt(0) - 0x80] ?? byte);
  };
}

function decodeOrStop(file: string, encoding: TextEncoding, decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    const name = basename(file);
    const text = t(
      `The file ${name} is not in the encoding ${encoding}.`,
      `Het bestand ${name} heeft niet de tekenset ${encoding}.`,
    );
    const next = t(
      'Leave the encoding to be found, or: Save the file again as CSV UTF-8 from the spreadsheet program.',
      'Laat de tekenset zoeken, of: Sla het bestand opnieuw op als CSV UTF-8 vanuit het spreadsheetprogramma.',
    );
    throw new StopError(EXIT.file, text, { next, cause });
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

/** A character of UTF-8 that several bytes make (RFC 3629, 4), or one byte that is none. */
const CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;
/** Western characters of UTF-8 that make no sense in other encodings: é, – and €, as Ã©, â€“ and â‚¬. */
const WESTERN = /^(?:\xc3|\xe2[\x80\x82])./;

/** Small letters, also ü é â ä à å ç ê ë è ï î ì ô ö ò û ù í ó ú ñ of code page 850. */
const SMALL = String.raw`[a-z\x81-\x8d\x93-\x97\xa1-\xa4]`;
/** What is a letter in code page 850: between small ones, at the end of a word, or where Windows-1252 has no sign. */
const IN_DOS = new RegExp(
  String.raw`[\x81\x8d\x90]|(?<=${SMALL})(?:[\x82-\x8c\x93-\x97\xa1-\xa4](?=${SMALL})|[\x82\x88-\x8b](?![A-Za-z]))`,
  'g',
);
/** What is a letter or an apostrophe in Windows-1252 and ISO 8859-15, and a rare sign or a capital there. */
const IN_WINDOWS = new RegExp(
  String.raw`(?<=${SMALL})[\x92\xe0\xe2\xe3\xe5-\xff]|[\xe0\xe2\xe3\xe5-\xff](?=${SMALL})`,
  'g',
);
/** A letter of either of the two encodings, but for those in which they differ. */
const LETTER = String.raw`[A-Za-z\xc0-\xd6\xd8-\xf6\xf8-\xff]`;
/** The eight signs of Windows-1252 that are the euro and letters in ISO 8859-15: € Š š Ž ž Œ œ Ÿ. */
const DIFFERING = /[\xa4\xa6\xa8\xb4\xb8\xbc-\xbe]/g;
/**
 * Those of them of which a word makes letters: no accent for an apostrophe, as in foto´s, and no fraction before
 * its unit, as in ½l. Nobody uses the sign in place of which the euro stands.
 */
const IN_LATIN9 = new RegExp(
  String.raw`\xa4|(?:(?<![a-z\xc0-\xff])[\xa6\xb4]|[\xa8\xb8]|(?<=[A-Z])[\xbc\xbe]|(?<=${LETTER})\xbd|(?<!${LETTER})[\xbc-\xbe](?=u))(?=${LETTER})`,
  'g',
);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Finds a text file's encoding: UTF-16 by its byte order mark or NUL bytes, UTF-8 when all of it is, else
 * code page 850, Windows-1252 or ISO 8859-15. Throws StopError for text that is only partly UTF-8.
 */
export async function findEncoding(
  file: string,
  given: TextEncoding | undefined,
  signal?: AbortSignal,
): Promise<TextEncoding> {
  if (given !== undefined && given !== 'utf-16') return given;
  let [others, western, dos, latin9, firstOther, offset] = [0, 0, 0, 0, 0, 0];
  let [isPartlyUtf8, hasSigns] = [false, false];
  const look = (bytes: Buffer): void => {
    if (isAscii(bytes)) return;
    if (isUtf8(bytes)) {
      // No chunk of another encoding is that by chance.
      if (bytes.length > 3) isPartlyUtf8 = true;
      return;
    }
    const text = bytes.toString('latin1');
    for (const { 0: character, index } of text.matchAll(CHARACTER))
      if (character.length > 1) western += WESTERN.test(character) ? 1 : 0;
      else if (others++ === 0) firstOther = offset + index;
    dos += count(text, IN_DOS) - count(text, IN_WINDOWS);
    latin9 += 2 * count(text, IN_LATIN9) - count(text, DIFFERING);
    // Of these two encodings only Windows-1252 has them.
    hasSigns ||= /[\x80-\x9f]/.test(text);
  };
  let rest: Buffer | undefined;
  for await (const chunk of fileChunks(file, signal)) {
    const wide = rest === undefined ? utf16(chunk.subarray(0, HEAD)) : undefined;
    if (wide !== undefined) return wide;
    if (given !== undefined) break;
    if (rest === undefined) isPartlyUtf8 = chunk.subarray(0, 3).equals(UTF8_MARK);
    const bytes: Buffer = rest === undefined || rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = wholeCharacters(bytes);
    look(bytes.subarray(0, whole));
    rest = bytes.subarray(whole);
    offset += whole;
  }
  if (given !== undefined) return 'utf-16le';
  look(rest ?? Buffer.alloc(0));
  if (others === 0) return 'utf-8';
  if (isPartlyUtf8 || western * 10 >= others) throw await mixed(file, firstOther, signal);
  if (dos > 0) return 'cp850';
  // Windows-1252, by far the commoner one, when in doubt.
  return latin9 > 0 && !hasSigns ? 'iso-8859-15' : 'windows-1252';
}

const UTF8_MARK = Buffer.from('\ufeff');

/** Up to where bytes hold whole characters, if they are UTF-8: the last one may be cut off. */
function wholeCharacters(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return bytes.length - start < length ? start : bytes.length;
}

/** The byte order of UTF-16 by the first bytes of a file; undefined for single-byte text and UTF-8. */
function utf16(head: Buffer): TextEncoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return unmarkedUtf16(head);
}

/** The StopError for a text that is UTF-8 but for the byte at a place. */
async function mixed(file: string, at: number, signal: AbortSignal | undefined): Promise<StopError> {
  let [line, offset] = [1, 0];
  for await (const chunk of fileChunks(file, signal)) {
    const before = chunk.subarray(0, Math.max(0, at - offset)).toString('latin1');
    line += before.match(/\r\n?|\n/g)?.length ?? 0;
    offset += chunk.length;
    if (offset > at) break;
  }
  const name = basename(file);
  const text = t(
    `In ${name} line ${line} is in another encoding than the rest, which is UTF-8.`,
    `In ${name} heeft regel ${line} een andere tekenset dan de rest, die UTF-8 is.`,
  );
  const next = withFlag(
    t(
      'Correct the letters there and save the file as CSV UTF-8, or choose the encoding windows-1252.',
      'Verbeter de letters daar en sla het bestand op als CSV UTF-8, of kies de tekenset windows-1252.',
    ),
    '--encoding windows-1252',
  );
  return new StopError(EXIT.file, text, { next });
}
