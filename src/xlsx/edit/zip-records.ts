import type { ZipRecord } from '../zip/read-zip.ts';

/** One file of a zip that is being written: what its directory will say of it. */
export interface WrittenEntry {
  readonly record: ZipRecord;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly plainBytes: number;
  readonly headerAt: number;
}

const MOST_32 = 0xffffffff;
const MOST_16 = 0xffff;
/** The version a reader needs: folders and deflate, or zip64. */
const PLAIN = 20;
const ZIP64 = 45;
const ZIP64_EXTRA = 1;

/** Bit 3 of the flags: CRC and sizes follow the file's bytes. */
export const SIZES_FOLLOW = 8;

const is64 = (value: number): boolean => value >= MOST_32;
const as32 = (value: number): number => Math.min(value, MOST_32);

/** The header before a file's bytes; without sizes where they follow, in eight bytes each where they may be `large`. */
export function localHeader(entry: WrittenEntry, large: boolean): Buffer {
  const { record, method } = entry;
  const follow = (record.flags & SIZES_FOLLOW) !== 0;
  const sizes = [follow ? 0 : entry.plainBytes, follow ? 0 : entry.packedBytes];
  const extra = large ? zip64Extra(sizes) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(large ? ZIP64 : PLAIN, 4);
  header.writeUInt16LE(record.flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt16LE(record.time, 10);
  header.writeUInt16LE(record.date, 12);
  header.writeUInt32LE(follow ? 0 : entry.crc, 14);
  header.writeUInt32LE(large ? MOST_32 : (sizes[1] ?? 0), 18);
  header.writeUInt32LE(large ? MOST_32 : (sizes[0] ?? 0), 22);
  header.writeUInt16LE(record.nameRaw.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, record.nameRaw, extra]);
}

/** CRC and sizes behind a file's bytes. */
export function sizesBehind(entry: WrittenEntry, large: boolean): Buffer {
  const bytes = Buffer.alloc(large ? 24 : 16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(entry.crc, 4);
  if (large) {
    bytes.writeBigUInt64LE(BigInt(entry.packedBytes), 8);
    bytes.writeBigUInt64LE(BigInt(entry.plainBytes), 16);
  } else {
    bytes.writeUInt32LE(entry.packedBytes, 8);
    bytes.writeUInt32LE(entry.plainBytes, 12);
  }
  return bytes;
}

/** A file's line in the directory. */
export function directoryRecord(entry: WrittenEntry): Buffer {
  const { record, plainBytes, packedBytes, headerAt } = entry;
  const long = [plainBytes, packedBytes, headerAt].filter(is64);
  const extra = long.length === 0 ? Buffer.alloc(0) : zip64Extra(long);
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(record.madeBy, 4);
  line.writeUInt16LE(long.length > 0 ? ZIP64 : PLAIN, 6);
  line.writeUInt16LE(record.flags, 8);
  line.writeUInt16LE(entry.method, 10);
  line.writeUInt16LE(record.time, 12);
  line.writeUInt16LE(record.date, 14);
  line.writeUInt32LE(entry.crc, 16);
  line.writeUInt32LE(as32(packedBytes), 20);
  line.writeUInt32LE(as32(plainBytes), 24);
  line.writeUInt16LE(record.nameRaw.length, 28);
  line.writeUInt16LE(extra.length, 30);
  line.writeUInt16LE(record.internal, 36);
  line.writeUInt32LE(record.external, 38);
  line.writeUInt32LE(as32(headerAt), 42);
  return Buffer.concat([line, record.nameRaw, extra]);
}

/** The end of a zip whose directory of `bytes` stands at `at`. */
export function directoryEnd(count: number, at: number, bytes: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MOST_16), 8);
  end.writeUInt16LE(Math.min(count, MOST_16), 10);
  end.writeUInt32LE(as32(bytes), 12);
  end.writeUInt32LE(as32(at), 16);
  if (count < MOST_16 && !is64(at) && !is64(bytes)) return end;
  const long = Buffer.alloc(76);
  long.writeUInt32LE(0x06064b50, 0);
  long.writeBigUInt64LE(44n, 4);
  long.writeUInt16LE(ZIP64, 12);
  long.writeUInt16LE(ZIP64, 14);
  long.writeBigUInt64LE(BigInt(count), 24);
  long.writeBigUInt64LE(BigInt(count), 32);
  long.writeBigUInt64LE(BigInt(bytes), 40);
  long.writeBigUInt64LE(BigInt(at), 48);
  long.writeUInt32LE(0x07064b50, 56);
  long.writeBigUInt64LE(BigInt(at + bytes), 64);
  long.writeUInt32LE(1, 72);
  return Buffer.concat([long, end]);
}

function zip64Extra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(ZIP64_EXTRA, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return extra;
}
