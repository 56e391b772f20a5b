import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable, type Writable } from 'node:stream';
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { dataStart, type ZipEntry, type ZipRecord } from './read-zip.ts';

const CHUNK = 1 << 20;
const DEFLATED = 8;
/** Parts that may be larger get sizes of eight bytes, as four might not do. */
const LARGE = 2 ** 30;
const MOST_32 = 0xffffffff;

/**
 * Writes a zip to a stream: files of another zip byte for byte, and new ones. The directory lists them by
 * `place`, in whatever order they are written. Memory holds a chunk.
 */
export class ZipWriter {
  private readonly target: Writable;
  private readonly listed: { readonly place: number; readonly entry: WrittenEntry }[] = [];
  private at = 0;

  constructor(target: Writable) {
    this.target = target;
  }

  /**
   * Copies a file of another zip as it is packed, behind `first`. Throws DamagedPart if it is not where it
   * should be.
   */
  async copy(
    source: FileHandle,
    copied: WrittenEntry,
    place: number,
    first: Buffer = NOTHING,
  ): Promise<void> {
    const start = dataStart(source.fd, copied.headerAt);
    const head = packFirst(first);
    const joined = withFirst(first, copied);
    const entry = { ...joined, packedBytes: copied.packedBytes + head.length };
    // The sizes are known here, even if they followed the bytes there.
    const record = { ...entry.record, flags: entry.record.flags & ~SIZES_FOLLOW };
    const written: WrittenEntry = { ...entry, record, headerAt: this.at };
    await this.write(localHeader(written, Math.max(entry.plainBytes, entry.packedBytes) >= MOST_32));
    await this.write(head);
    for (let done = 0; done < copied.packedBytes; ) {
      const bytes = Buffer.allocUnsafe(Math.min(CHUNK, copied.packedBytes - done));
      const read = await source.read(bytes, 0, bytes.length, start + done);
      if (read.bytesRead === 0) throw new DamagedPart(DAMAGE.cutOff);
      await this.write(bytes.subarray(0, read.bytesRead));
      done += read.bytesRead;
    }
    this.listed.push({ place, entry: written });
  }

  /** Packs bytes as a new file. */
  async put(record: ZipRecord, bytes: Buffer, place: number): Promise<void> {
    const packed = deflateRawSync(bytes, { level: 1 });
    const entry: WrittenEntry = {
      record: { ...record, flags: record.flags & ~(7 | SIZES_FOLLOW) },
      method: DEFLATED,
      headerAt: this.at,
      crc: crc32(bytes),
      plainBytes: bytes.length,
      packedBytes: packed.length,
    };
    await this.write(localHeader(entry, false));
    await this.write(packed);
    this.listed.push({ place, entry });
  }

  /** Packs chunks as a new file and returns its entry; `about` is how many bytes they may come to. */
  async add(
    record: ZipRecord,
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
    place: number,
    about = Number.POSITIVE_INFINITY,
  ): Promise<WrittenEntry> {
    const large = about > LARGE;
    const sums = { crc: 0, plainBytes: 0, packedBytes: 0 };
    const started = {
      record: { ...record, flags: (record.flags & ~7) | SIZES_FOLLOW },
      method: DEFLATED,
      headerAt: this.at,
    };
    await this.write(localHeader({ ...started, ...sums }, large));
    const deflate = createDeflateRaw({ level: 1, chunkSize: 1 << 17, memLevel: 9 });
    const packed = pipeline(Readable.from(summed(chunks, sums), { highWaterMark: 4 }), deflate, () => {});
    for await (const chunk of packed as unknown as AsyncIterable<Buffer>) {
      sums.packedBytes += chunk.length;
      await this.write(chunk);
    }
    const written: WrittenEntry = { ...started, ...sums };
    if (!large && sums.plainBytes >= MOST_32) throw new DamagedPart(DAMAGE.longText);
    await this.write(sizesBehind(written, large));
    this.listed.push({ place, entry: written });
    return written;
  }

  /** Writes the directory; the stream stays open. */
  async finish(): Promise<void> {
    const lines = this.listed
      .sort((one, other) => one.place - other.place)
      .map(({ entry }) => directoryRecord(entry));
    const start = this.at;
    for (const line of lines) await this.write(line);
    await this.write(directoryEnd(lines.length, start, this.at - start));
  }

  private async write(bytes: Buffer): Promise<void> {
    this.at += bytes.length;
    if (this.target.destroyed) throw new Error('The result file was closed while it was being written.');
    if (!this.target.write(bytes)) await once(this.target, 'drain');
  }
}

async function* summed(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  sums: { crc: number; plainBytes: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    sums.crc = crc32(chunk, sums.crc);
    sums.plainBytes += chunk.length;
    yield chunk;
  }
}

const NOTHING = Buffer.alloc(0);
const ZEROS = Buffer.alloc(CHUNK);

/** Packs bytes so that packed ones can follow: blocks that end at a byte, none the last. None give none. */
const packFirst = (bytes: Buffer): Buffer =>
  bytes.length === 0 ? NOTHING : deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });

/** A file with bytes before it: their sum as it comes out behind as many zeros, joined with its own. */
function withFirst(first: Buffer, entry: WrittenEntry): WrittenEntry {
  if (first.length === 0) return entry;
  let sum = ~crc32(first) >>> 0;
  for (let left = entry.plainBytes; left > 0; left -= CHUNK) sum = crc32(ZEROS.subarray(0, left), sum);
  const crc = (~sum ^ entry.crc) >>> 0;
  return { ...entry, crc, plainBytes: entry.plainBytes + first.length };
}

/** A file of a zip that is being written, for its directory. */
export type WrittenEntry = Omit<ZipEntry, 'name' | 'encrypted'>;

const MOST_16 = 0xffff;
/** The version a reader needs: for folders and deflate, or zip64. */
const PLAIN = 20;
const ZIP64 = 45;
const ZIP64_EXTRA = 1;

/** Bit 3 of the flags: CRC and sizes follow the bytes of the file. */
const SIZES_FOLLOW = 8;

const is64 = (value: number): boolean => value >= MOST_32;
const as32 = (value: number): number => Math.min(value, MOST_32);

/** The local file header: without sizes if they follow, with sizes of eight bytes if `large`. */
function localHeader({ record, method, ...sizes }: WrittenEntry, large: boolean): Buffer {
  const follow = (record.flags & SIZES_FOLLOW) !== 0;
  const [crc, packed, plain] = follow ? [0, 0, 0] : [sizes.crc, sizes.packedBytes, sizes.plainBytes];
  const extra = large ? zip64Extra([plain, packed]) : Buffer.alloc(0);
  return Buffer.concat([
    u32(0x04034b50),
    u16(large ? ZIP64 : PLAIN, record.flags, method, record.time, record.date),
    large ? u32(crc, MOST_32, MOST_32) : u32(crc, packed, plain),
    u16(record.nameRaw.length, extra.length),
    record.nameRaw,
    extra,
  ]);
}

/** The data descriptor: CRC and sizes behind the bytes of a file. */
function sizesBehind({ crc, packedBytes, plainBytes }: WrittenEntry, large: boolean): Buffer {
  const sizes = large ? u64(packedBytes, plainBytes) : u32(packedBytes, plainBytes);
  return Buffer.concat([u32(0x08074b50, crc), sizes]);
}

function directoryRecord({ record, method, crc, plainBytes, packedBytes, headerAt }: WrittenEntry): Buffer {
  const long = [plainBytes, packedBytes, headerAt].filter(is64);
  const extra = long.length === 0 ? Buffer.alloc(0) : zip64Extra(long);
  return Buffer.concat([
    u32(0x02014b50),
    u16(record.madeBy, long.length > 0 ? ZIP64 : PLAIN, record.flags, method, record.time, record.date),
    u32(crc, as32(packedBytes), as32(plainBytes)),
    // No comment, and the first disk.
    u16(record.nameRaw.length, extra.length, 0, 0, record.internal),
    u32(record.external, as32(headerAt)),
    record.nameRaw,
    extra,
  ]);
}

/** The end of a zip with a directory of so many bytes at `at`. */
function directoryEnd(count: number, at: number, bytes: number): Buffer {
  const most = Math.min(count, MOST_16);
  const end = [u32(0x06054b50), u16(0, 0, most, most), u32(as32(bytes), as32(at)), u16(0)];
  if (count < MOST_16 && !is64(at) && !is64(bytes)) return Buffer.concat(end);
  const record = [u32(0x06064b50), u64(44), u16(ZIP64, ZIP64), u32(0, 0), u64(count, count, bytes, at)];
  const locator = [u32(0x07064b50, 0), u64(at + bytes), u32(1)];
  return Buffer.concat([...record, ...locator, ...end]);
}

const zip64Extra = (values: readonly number[]): Buffer =>
  Buffer.concat([u16(ZIP64_EXTRA, 8 * values.length), u64(...values)]);

const u16 = (...values: readonly number[]): Buffer => littleEndian(2, values);
const u32 = (...values: readonly number[]): Buffer => littleEndian(4, values);
const u64 = (...values: readonly number[]): Buffer => littleEndian(8, values);

function littleEndian(size: 2 | 4 | 8, values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(size * values.length);
  for (const [at, value] of values.entries()) {
    if (size === 8) buffer.writeBigUInt64LE(BigInt(value), at * size);
    else buffer.writeUIntLE(value, at * size, size);
  }
  return buffer;
}

const UNIX_FILE = 0o100644 * 2 ** 16;

/** What a zip says of each new file, in UTC so that the time zone of the machine does not show. */
export function zipRecord(made: Date, name: string): ZipRecord {
  const day = ((made.getUTCFullYear() - 1980) << 9) | ((made.getUTCMonth() + 1) << 5) | made.getUTCDate();
  const time = (made.getUTCHours() << 11) | (made.getUTCMinutes() << 5) | (made.getUTCSeconds() >> 1);
  const record = { madeBy: (3 << 8) | 20, flags: 1 << 11, internal: 0, external: UNIX_FILE };
  return { ...record, nameRaw: Buffer.from(name), time, date: day };
}
