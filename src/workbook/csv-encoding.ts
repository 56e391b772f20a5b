import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../errors.ts';

/** An encoding of CSV files that this program reads. */
export type CsvEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const CHUNK = 1 << 18;

/** Bytes to text; without bytes, the end. */
type Decode = (chunk: Buffer | undefined) => string;

/** What Windows-1252 has at 0x80-0x9F, where ISO 8859-1 has control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Finds a CSV's encoding: by its byte order mark, else UTF-8 when all of it is, else the Windows-1252 of older programs. */
export async function findEncoding(file: string, signal?: AbortSignal): Promise<CsvEncoding> {
  let first = true;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of fileChunks(file, signal)) {
    if (first && chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
    if (first && chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
    first = false;
    const bytes = Buffer.concat([rest, chunk]);
    const whole = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) return 'windows-1252';
    rest = bytes.subarray(whole);
  }
  return rest.length === 0 ? 'utf-8' : 'windows-1252';
}

/** How many of the bytes are whole UTF-8 characters: at most three at the end may be the begin of one. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** The text of a file in chunks, without its byte order mark, with line ends as LF. */
export async function* textChunks(
  file: string,
  encoding: CsvEncoding,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const decode: Decode = encoding === 'windows-1252' ? decodeWindows1252 : streamDecoder(encoding);
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

async function* fileChunks(file: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) {
      signal?.throwIfAborted();
      yield chunk;
    }
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (signal?.aborted || code === undefined) throw cause;
    const name = basename(file);
    throw new StopError(
      EXIT.file,
      {
        en: `The file ${name} can no longer be read (${code}).`,
        nl: `Het bestand ${name} kan niet meer worden gelezen (${code}).`,
      },
      {
        next: {
          en: 'Check that it is still there, and try again.',
          nl: 'Kijk of het er nog staat, en probeer het opnieuw.',
        },
        cause,
      },
    );
  }
}

function decodeOrStop(file: string, encoding: CsvEncoding, decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    const name = basename(file);
    throw new StopError(
      EXIT.file,
      {
        en: `The file ${name} is not in the encoding ${encoding}.`,
        nl: `Het bestand ${name} heeft niet de tekenset ${encoding}.`,
      },
      {
        next: {
          en: 'Leave the encoding to be found, or save the file again as CSV UTF-8.',
          nl: 'Laat de tekenset zoeken, of sla het bestand opnieuw op als CSV UTF-8.',
        },
        cause,
      },
    );
  }
}

function streamDecoder(encoding: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
}

function decodeWindows1252(chunk: Buffer | undefined): string {
  return (chunk?.toString('latin1') ?? '').replace(
    /[\x80-\x9f]/g,
    (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] as string,
  );
}
