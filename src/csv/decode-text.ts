import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { TextEncoding } from '../files/text-encoding.ts';
import { otherEncoding } from './csv-problems.ts';

/** Decodes a chunk; undefined ends the text. */
type Decode = (chunk: Buffer | undefined) => string;

/** Windows-1252 at 0x80-0x9F, where ISO 8859-1 has control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The eight characters in which ISO 8859-15 differs from ISO 8859-1. */
const ISO_8859_15: Readonly<Record<string, string>> = {
  '¤': '€',
  '¦': 'Š',
  '¨': 'š',
  '´': 'Ž',
  '¸': 'ž',
  '¼': 'Œ',
  '½': 'œ',
  '¾': 'Ÿ',
};

/** The text of a file in chunks with LF line ends, without mark. Throws StopError for undecodable bytes. */
export async function* textChunks(
  file: string,
  encoding: TextEncoding,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const decode = decoderOf(encoding);
  let held = '';
  for await (const chunk of fileChunks(file, signal)) {
    const text = held + decodeOrStop(file, encoding, () => decode(chunk));
    // A CR at the end may have its LF in the next chunk.
    held = text.endsWith('\r') ? '\r' : '';
    const ready = held === '' ? text : text.slice(0, -1);
    if (ready !== '') yield ready.replace(/\r\n?/g, '\n');
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
    return decodeBytes((text) => text.replace(/[¤¦¨´¸¼½¾]/g, (letter) => ISO_8859_15[letter] as string));
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

/**
 * The bytes of a file in chunks of 256 KB. Throws StopError when it goes away, or the reason of the signal.
 */
export async function* fileChunks(file: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) {
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
