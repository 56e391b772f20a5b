import { once } from 'node:events';
import type { Writable } from 'node:stream';
import Papa from 'papaparse';
import { type Cell, CIRCULAR, type Row, UNCACHED } from '../core/cell.ts';
import {
  type NumberedOutcome,
  outcomeQueue,
  type ResultSheet,
  resultBatches,
} from '../files/result-sheet.ts';
import type { TextEncoding } from '../files/text-encoding.ts';
import { type CsvStyle, guardFormula } from './csv-layout.ts';
import { decoderOf } from './encoding.ts';

const BATCH = 1000;

/** Writes one sheet as CSV, added texts guarded against running as formulas. Throws NotInEncoding. */
export async function writeCsvResult(stream: Writable, sheet: ResultSheet, style: CsvStyle): Promise<void> {
  const { delimiter, encoding, named } = style;
  const encoder = csvEncoder(encoding);
  stream.write(encoder.mark);
  if (named) stream.write(encoder.encode(`sep=${delimiter}\r\n`));
  const format = { delimiter, newline: '\r\n' };
  const outcomes = outcomeQueue(sheet.outcomes ?? NONE);
  let last = 0;
  for await (const batch of resultBatches(sheet.rows, BATCH)) {
    const records: string[][] = [];
    for (const row of batch) {
      while (++last < row.number) records.push([]);
      last = row.number;
      if (outcomes.dry) await outcomes.fill();
      records.push(toRecord(row, outcomes.of(row.number), sheet, encoder));
    }
    const text = `${Papa.unparse(records, format)}\r\n`;
    if (!stream.write(encoder.encode(text))) await once(stream, 'drain');
  }
}

const NONE: AsyncIterable<NumberedOutcome> = { async *[Symbol.asyncIterator]() {} };

function toRecord(
  { number, cells }: Row,
  outcome: NumberedOutcome | undefined,
  { added, headerRow }: ResultSheet,
  { simplified }: CsvEncoder,
): string[] {
  const record: string[] = [];
  for (const cell of cells) record[cell.column - 1] = csvText(cell);
  const beside = number === headerRow ? added?.headers : outcome?.cells;
  for (const [index, value] of (beside ?? []).entries())
    record[(added?.firstColumn ?? 1) - 1 + index] =
      typeof value === 'string' ? guardFormula(simplified(value)) : String(value ?? '');
  return Array.from(record, (value) => value ?? '');
}

function csvText({ type, value }: Cell): string {
  if (type === 'boolean') return value ? 'TRUE' : 'FALSE';
  // CSV has no formulas; one without a result is an error there.
  return type === 'error' && (value === UNCACHED || value === CIRCULAR) ? '#N/A' : String(value);
}

interface CsvEncoder {
  /** The byte order mark, empty for none. */
  readonly mark: Buffer;
  /** Throws NotInEncoding. */
  encode(text: string): Buffer;
  /** Our own texts in characters that the encoding has. */
  simplified(text: string): string;
}

/** Thrown for a character that the encoding lacks. */
export class NotInEncoding extends Error {
  readonly character: string;

  constructor(character: string) {
    super(`${JSON.stringify(character)} is not in the encoding`);
    this.name = 'NotInEncoding';
    this.character = character;
  }
}

/** Replacements for characters in our own texts that an encoding lacks. */
const SIMPLER: Readonly<Record<string, string>> = {
  ...{ '→': '->', '…': '...', '–': '-', '—': '-', '−': '-', '×': 'x' },
  ...{ '‘': "'", '’': "'", '“': '"', '”': '"', '\u00a0': ' ', '\u202f': ' ' },
};

const asIs = (text: string): string => text;

/** The encoder of an encoding; multi-byte ones other than Unicode are limited to ASCII. */
export function csvEncoder(encoding: TextEncoding): CsvEncoder {
  if (encoding === 'utf-8')
    return { mark: Buffer.from('\ufeff'), encode: (text) => Buffer.from(text), simplified: asIs };
  if (encoding === 'utf-16le') return { ...utf16(asBytes), simplified: asIs };
  if (encoding === 'utf-16be') return { ...utf16((text) => asBytes(text).swap16()), simplified: asIs };
  return singleByte(bytesOf(encoding));
}

const asBytes = (text: string): Buffer => Buffer.from(text, 'utf16le');

const utf16 = (encode: (text: string) => Buffer) => ({ mark: encode('\ufeff'), encode });

/** The byte of each character by its code, -1 for none. */
type ByteOf = Int16Array;

function bytesOf(encoding: TextEncoding): ByteOf {
  const bytes = new Int16Array(0x1_0000).fill(-1);
  for (let byte = 255; byte >= 0; byte--) {
    const letter = letterOf(encoding, byte);
    if (letter.length === 1) bytes[letter.charCodeAt(0)] = byte;
  }
  return bytes;
}

/** Empty for a byte that the encoding lacks, or that is part of a character. */
function letterOf(encoding: TextEncoding, byte: number): string {
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
