import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';

/** An encoding by its WHATWG name, such as `utf-8`, or `cp850`, `cp437`; `utf-16` means either byte order. */
export type TextEncoding = string;

/** Names that the standard lacks, without dashes. */
const ALIASES: ReadonlyMap<string, TextEncoding> = new Map(
  Object.entries({
    utf16: 'utf-16',
    utf8bom: 'utf-8',
    utf8sig: 'utf-8',
    utf8mb4: 'utf-8',
    ansi: 'windows-1252',
    win1252: 'windows-1252',
    windows1252: 'windows-1252',
    iso88591: 'windows-1252',
    latin1: 'windows-1252',
    iso885915: 'iso-8859-15',
    latin9: 'iso-8859-15',
    macroman: 'macintosh',
    ...{ cp850: 'cp850', ibm850: 'cp850', '850': 'cp850', msdos: 'cp850', dos: 'cp850', oem: 'cp850' },
    ...{ cp437: 'cp437', ibm437: 'cp437', '437': 'cp437' },
  }),
);

/** The encoding of `--encoding`, in any usual spelling. Throws StopError with EXIT.usage. */
export function knownEncoding(name: string | undefined): TextEncoding | undefined {
  if (name === undefined) return undefined;
  const alias = ALIASES.get(name.toLowerCase().replace(/[-_\s]/g, ''));
  if (alias !== undefined) return alias;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    const known = 'utf-8, utf-16, windows-1252, iso-8859-1, iso-8859-15, cp850, cp437';
    throw usageStop(
      t(`The encoding ${name} is not known.`, `De tekenset ${name} is niet bekend.`),
      t(`Use one of ${known}.`, `Gebruik een van ${known}.`),
    );
  }
}

/** The byte order of unmarked UTF-16: in Western text every second byte is NUL. Undefined for other text. */
export function unmarkedUtf16(head: Buffer): TextEncoding | undefined {
  const pairs = head.length >> 1;
  if (pairs < 2) return undefined;
  let [even, odd] = [0, 0];
  for (const [at, byte] of head.subarray(0, pairs * 2).entries()) {
    if (byte === 0 && at % 2 === 0) even++;
    else if (byte === 0) odd++;
    // Only tabs and line ends are control characters in text.
    else if (byte < 9) return undefined;
  }
  if (even === 0 && odd > pairs * 0.7) return 'utf-16le';
  return odd === 0 && even > pairs * 0.7 ? 'utf-16be' : undefined;
}

/** The text of a small file in UTF-8, or UTF-16 as PowerShell writes it, without byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes);
}
