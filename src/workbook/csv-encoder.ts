import type { CsvEncoding } from './csv-encoding.ts';
import { decoderOf } from './csv-text.ts';

/** Text to the bytes of an encoding. */
export interface CsvEncoder {
  /** What the file begins with, so that programs know the encoding. */
  readonly mark: Buffer;
  /** Throws NotInEncoding. */
  encode(text: string): Buffer;
  /** The program's own words in characters that the encoding has. */
  simplified(text: string): string;
}

/** A text has a character that the encoding lacks. */
export class NotInEncoding extends Error {
  readonly character: string;

  constructor(character: string) {
    super(`${JSON.stringify(character)} is not in the encoding`);
    this.name = 'NotInEncoding';
    this.character = character;
  }
}

/** What stands for a character of the program's own words in an encoding that lacks it. */
const SIMPLER: Readonly<Record<string, string>> = {
  ...{ '→': '->', '…': '...', '–': '-', '—': '-', '−': '-', '×': 'x' },
  ...{ '‘': "'", '’': "'", '“': '"', '”': '"', '\u00a0': ' ', '\u202f': ' ' },
};

const asIs = (text: string): string => text;

/** The encoder of an encoding; of those that write a character in several bytes only the Unicode ones have more than ASCII. */
export function csvEncoder(encoding: CsvEncoding): CsvEncoder {
  if (encoding === 'utf-8')
    return { mark: Buffer.from('\ufeff'), encode: (text) => Buffer.from(text), simplified: asIs };
  if (encoding === 'utf-16le') return { ...utf16(asBytes), simplified: asIs };
  if (encoding === 'utf-16be') return { ...utf16((text) => asBytes(text).swap16()), simplified: asIs };
  return singleByte(bytesOf(encoding));
}

const asBytes = (text: string): Buffer => Buffer.from(text, 'utf16le');

const utf16 = (encode: (text: string) => Buffer) => ({ mark: encode('\ufeff'), encode });

/** The byte of each character, by its code; -1 where it has none. */
type ByteOf = Int16Array;

function bytesOf(encoding: CsvEncoding): ByteOf {
  const bytes = new Int16Array(0x1_0000).fill(-1);
  for (let byte = 255; byte >= 0; byte--) {
    const letter = letterOf(encoding, byte);
    if (letter.length === 1) bytes[letter.charCodeAt(0)] = byte;
  }
  return bytes;
}

/** Nothing for a byte that the encoding lacks, or that is a part of a character. */
function letterOf(encoding: CsvEncoding, byte: number): string {
  const decode = decoderOf(encoding);
  try {
    const letter = decode(Buffer.of(byte));
    return decode(undefined) === '' ? letter : '';
  } catch {
    return '';
  }
}

function singleByte(bytes: ByteOf): CsvEncoder {
  const simpler = new Map(Object.entries(SIMPLER).filter(([letter]) => bytes[letter.charCodeAt(0)] === -1));
  const lacking = new RegExp(`[${[...simpler.keys()].join('')}]`, 'g');
  return {
    mark: Buffer.alloc(0),
    encode(text) {
      const encoded = Buffer.allocUnsafe(text.length);
      for (let at = 0; at < text.length; at++) {
        const byte = bytes[text.charCodeAt(at)] as number;
        if (byte < 0) throw new NotInEncoding(String.fromCodePoint(text.codePointAt(at) as number));
        encoded[at] = byte;
      }
      return encoded;
    },
    simplified: (text) =>
      simpler.size === 0 ? text : text.replace(lacking, (letter) => simpler.get(letter) ?? letter),
  };
}
