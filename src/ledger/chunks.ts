import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliDecompressSync,
  constants,
  crc32,
  type InputType,
} from 'node:zlib';
import type { PlannedRow } from '../core/plan.ts';
import { fromColumns, toColumns } from './columns.ts';
import { fnv1a, type HashIndex, hashOf } from './hash-index.ts';

/** Most rows of a chunk, which is read and written whole. */
const CHUNK_ROWS = 500;

/** Brotli at a low quality takes half the room of deflate in about its time (docs/adr/0004). */
const COMPRESSION: BrotliOptions = {
  chunkSize: 1 << 16,
  params: { [constants.BROTLI_PARAM_QUALITY]: 2 },
};
/** Bytes unpacked at a time: about a chunk. */
const DECOMPRESSION: BrotliOptions = { chunkSize: 1 << 16 };

const compressed = promisify<InputType, BrotliOptions, Buffer>(brotliCompress);

/** Consecutive rows of a plan, of one sheet and resource. */
export interface Chunk {
  readonly run: string;
  readonly first: number;
  readonly last: number;
  readonly sheet: string;
  /** The hash of each row's record; 0 for a row without a key. */
  readonly keys: Int32Array<ArrayBuffer>;
  /** The rows packed by `toColumns`: the rows themselves would keep in memory all that they refer to. */
  readonly text: string;
}

/** Cuts rows into chunks, in plan order. */
export function toChunks(run: string, rows: readonly PlannedRow[]): Chunk[] {
  const sorted = isSorted(rows) ? rows : [...rows].sort((one, other) => one.seq - other.seq);
  const chunks: Chunk[] = [];
  let start = 0;
  for (let at = 1; at <= sorted.length; at++) {
    if (at < sorted.length && at - start < CHUNK_ROWS && follows(sorted[at - 1], sorted[at])) continue;
    chunks.push(toChunk(run, start === 0 && at === sorted.length ? sorted : sorted.slice(start, at)));
    start = at;
  }
  return chunks;
}

function follows(one: PlannedRow | undefined, next: PlannedRow | undefined): boolean {
  if (one === undefined || next === undefined || next.seq !== one.seq + 1) return false;
  return next.sheet === one.sheet && next.resource === one.resource;
}

function isSorted(rows: readonly PlannedRow[]): boolean {
  return rows.every((row, at) => at === 0 || row.seq > (rows[at - 1] as PlannedRow).seq);
}

function toChunk(run: string, rows: readonly PlannedRow[]): Chunk {
  const [first, last] = [rows[0], rows.at(-1)] as [PlannedRow, PlannedRow];
  const { sheet, resource } = first;
  const keys = recordHashes(resource, rows);
  return { run, first: first.seq, last: last.seq, sheet, keys, text: toColumns(rows) };
}

/** What comes before the check sum at the end of a packed chunk; those of an earlier program have none. */
const SUM = Buffer.from('crc:');

/** Rows packed, compressed and with a check sum: what is to be sent must not change on the disk. */
export async function packChunk(text: string): Promise<Buffer> {
  const packed = await compressed(text, COMPRESSION);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(packed));
  return Buffer.concat([packed, SUM, sum]);
}

/** A packed chunk without its check sum. Throws where that is wrong. */
function summed(bytes: Buffer): Buffer {
  const packed = bytes.subarray(0, -8);
  if (!bytes.subarray(-8, -4).equals(SUM)) return bytes;
  if (crc32(packed) !== bytes.readUInt32BE(bytes.length - 4)) throw new Error('the check sum is wrong');
  return packed;
}

/** The rows of a packed chunk. Throws where it is damaged. */
export function unpackChunk(bytes: Buffer): PlannedRow[] {
  return toRows(brotliDecompressSync(summed(bytes), DECOMPRESSION).toString('utf8'));
}

/** The rows of a chunk that is not compressed yet. */
export const toRows = (text: string): PlannedRow[] => fromColumns(text) as PlannedRow[];

/** The hash by which a row's record is found. */
export function recordHash(resource: string, key: string): number {
  return hashOf(key, fnv1a(`${resource} `));
}

function recordHashes(resource: string, rows: readonly PlannedRow[]): Int32Array<ArrayBuffer> {
  const hashes = new Int32Array(rows.length);
  const before = fnv1a(`${resource} `);
  for (let at = 0; at < rows.length; at++) {
    const { key } = rows[at] as PlannedRow;
    if (key !== null) hashes[at] = hashOf(key, before);
  }
  return hashes;
}

/** Adds the places of a chunk's records to an index. */
export function addKeys(places: HashIndex, { first, keys }: Pick<Chunk, 'first' | 'keys'>): void {
  for (let at = 0; at < keys.length; at++) {
    const hash = keys[at] as number;
    if (hash !== 0) places.add(hash, first + at);
  }
}
