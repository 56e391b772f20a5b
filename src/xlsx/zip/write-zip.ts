import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { PassThrough, pipeline, Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { PRIVATE, temporaryBeside } from '../../files/write-aside.ts';
import { DAMAGE, DamagedPart } from '../damage.ts';
import { dataStart, type ZipEntry } from './read-zip.ts';

const CHUNK = 1 << 20;
const DEFLATED = 8;
/** Sizes and places take four bytes: no spreadsheet program opens a sheet that needs more. */
const MOST_BYTES = 0xffffffff;

/**
 * Writes a zip to a stream: files of another zip byte for byte, and new ones. Memory holds a chunk. Throws
 * StopError beyond 4 GB.
 */
export class ZipWriter {
  private readonly target: Writable;
  private readonly listed: WrittenEntry[] = [];
  private at = 0;

  constructor(target: Writable) {
    this.target = target;
  }

  /**
   * Copies a file of another zip as it is packed, behind `first`. Throws DamagedPart if it is not where it
   * should be.
   */
  async copy(source: FileHandle, copied: WrittenEntry, first: Buffer = NOTHING): Promise<void> {
    const start = dataStart(source.fd, copied.headerAt);
    const head = packFirst(first);
    const joined = withFirst(first, copied);
    const entry = { ...joined, packedBytes: copied.packedBytes + head.length };
    // The sizes are known here, even if they followed the bytes there.
    const record = { ...entry.record, flags: entry.record.flags & ~SIZES_FOLLOW };
    const written: WrittenEntry = { ...entry, record, headerAt: this.at };
    await this.write(localHeader(written));
    await this.write(head);
    for (let done = 0; done < copied.packedBytes; ) {
      const bytes = Buffer.allocUnsafe(Math.min(CHUNK, copied.packedBytes - done));
      const read = await source.read(bytes, 0, bytes.length, start + done);
      if (read.bytesRead === 0) throw new DamagedPart(DAMAGE.cutOff);
      await this.write(bytes.subarray(0, read.bytesRead));
      done += read.bytesRead;
    }
    this.listed.push(written);
  }

  /** Packs chunks as a new file and returns its entry. */
  async add(
    record: ZipEntry['record'],
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<WrittenEntry> {
    const sums = { crc: 0, plainBytes: 0, packedBytes: 0 };
    const started = {
      record: { ...record, flags: (record.flags & ~7) | SIZES_FOLLOW },
      method: DEFLATED,
      headerAt: this.at,
    };
    await this.write(localHeader({ ...started, ...sums }));
    const deflate = createDeflateRaw({ level: 1, chunkSize: 1 << 17, memLevel: 9 });
    const packed = pipeline(Readable.from(summed(chunks, sums), { highWaterMark: 4 }), deflate, () => {});
    for await (const chunk of packed as unknown as AsyncIterable<Buffer>) {
      sums.packedBytes += chunk.length;
      await this.write(chunk);
    }
    // Behind the bytes of the file.
    await this.write(u32(0x08074b50, sums.crc, sums.packedBytes, fitting(sums.plainBytes)));
    const written: WrittenEntry = { ...started, ...sums };
    this.listed.push(written);
    return written;
  }

  /** Writes the directory; the stream stays open. */
  async finish(): Promise<void> {
    const start = this.at;
    for (const entry of this.listed) await this.write(directoryRecord(entry));
    await this.write(directoryEnd(this.listed.length, start, this.at - start));
  }

  private async write(bytes: Buffer): Promise<void> {
    this.at = fitting(this.at + bytes.length);
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
type WrittenEntry = Omit<ZipEntry, 'name' | 'encrypted'>;

/** The version a reader needs: for folders and deflate. */
const VERSION = 20;

/** Bit 3 of the flags: CRC and sizes follow the bytes of the file. */
const SIZES_FOLLOW = 8;

/** A size or place in a zip. Throws StopError for one that needs more than four bytes. */
function fitting(bytes: number): number {
  if (bytes <= MOST_BYTES) return bytes;
  throw new StopError(
    EXIT.file,
    t('The workbook would be larger than 4 GB.', 'De werkmap zou groter worden dan 4 GB.'),
    {
      next: t(
        'Choose a name that ends in .csv, or take less at a time.',
        'Kies een naam die eindigt op .csv, of neem minder tegelijk.',
      ),
    },
  );
}

/** The local file header: without sizes if they follow. */
function localHeader({ record, method, ...sizes }: WrittenEntry): Buffer {
  const follow = (record.flags & SIZES_FOLLOW) !== 0;
  return Buffer.concat([
    u32(0x04034b50),
    u16(VERSION, record.flags, method, record.time, record.date),
    follow ? u32(0, 0, 0) : u32(sizes.crc, sizes.packedBytes, fitting(sizes.plainBytes)),
    u16(record.nameRaw.length, 0),
    record.nameRaw,
  ]);
}

function directoryRecord({ record, method, crc, plainBytes, packedBytes, headerAt }: WrittenEntry): Buffer {
  return Buffer.concat([
    u32(0x02014b50),
    u16(record.madeBy, VERSION, record.flags, method, record.time, record.date),
    u32(crc, packedBytes, plainBytes),
    // Nothing beside its name, and the first disk.
    u16(record.nameRaw.length, 0, 0, 0, record.internal),
    u32(record.external, headerAt),
    record.nameRaw,
  ]);
}

/** The end of a zip with a directory of so many bytes at `at`. */
const directoryEnd = (count: number, at: number, bytes: number): Buffer =>
  Buffer.concat([u32(0x06054b50), u16(0, 0, count, count), u32(bytes, at), u16(0)]);

const u16 = (...values: readonly number[]): Buffer => littleEndian(2, values);
const u32 = (...values: readonly number[]): Buffer => littleEndian(4, values);

function littleEndian(size: 2 | 4, values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(size * values.length);
  for (const [at, value] of values.entries()) buffer.writeUIntLE(value, at * size, size);
  return buffer;
}

const UNIX_FILE = 0o100644 * 2 ** 16;

/** What a zip says of each new file, in UTC so that the time zone of the machine does not show. */
export function zipRecord(made: Date, name: string): ZipEntry['record'] {
  const day = ((made.getUTCFullYear() - 1980) << 9) | ((made.getUTCMonth() + 1) << 5) | made.getUTCDate();
  const time = (made.getUTCHours() << 11) | (made.getUTCMinutes() << 5) | (made.getUTCSeconds() >> 1);
  const record = { madeBy: (3 << 8) | 20, flags: 1 << 11, internal: 0, external: UNIX_FILE };
  return { ...record, nameRaw: Buffer.from(name), time, date: day };
}

/** Bytes that may wait to be packed. */
const WAITING = 1 << 20;

/**
 * A part that is packed into a temporary file until its turn: sheets are filled side by side, and files in a
 * zip stand one after the other. Memory holds a chunk.
 */
export class SpooledPart {
  private readonly file: string;
  private readonly target: WriteStream;
  private readonly chunks = new PassThrough({ highWaterMark: WAITING });
  private readonly packing: Promise<WrittenEntry>;
  private first: Buffer = Buffer.alloc(0);

  /** `place` is the file that is being written, beside which the temporary file is made. */
  constructor(place: string, record: ZipEntry['record']) {
    this.file = temporaryBeside(place);
    this.target = createWriteStream(this.file, { flags: 'wx', mode: PRIVATE });
    // The writer learns of a failure, as it ends the packing.
    this.chunks.on('error', () => {});
    const failed = once(this.target, 'error').then(([cause]) => Promise.reject(cause));
    this.packing = Promise.race([new ZipWriter(this.target).add(record, this.chunks), failed]);
    this.packing.catch(() => this.chunks.destroy());
  }

  /** Throws the error of the disk. */
  async write(chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      if (this.chunks.destroyed) await this.packing;
      if (!this.chunks.write(chunk)) await Promise.race([once(this.chunks, 'drain'), this.packing]);
    }
  }

  /** Puts bytes before all that was written: what is only known at the end. */
  putFirst(bytes: Buffer): void {
    this.first = bytes;
  }

  /** Ends the part and copies it into the zip under a name. Throws the error of the disk. */
  async copyTo(zip: ZipWriter, name: string): Promise<void> {
    this.chunks.end();
    const entry = await this.packing;
    this.target.end();
    await finished(this.target);
    const handle = await open(this.file);
    try {
      const record = { ...entry.record, nameRaw: Buffer.from(name) };
      await zip.copy(handle, { ...entry, record }, this.first);
    } finally {
      await handle.close();
    }
  }

  /** Removes the temporary file. */
  async remove(): Promise<void> {
    this.chunks.destroy();
    this.target.destroy();
    await this.packing.catch(() => {});
    await finished(this.target).catch(() => {});
    await rm(this.file, { force: true });
  }
}
