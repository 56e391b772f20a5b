import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable, type Writable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { DAMAGE, DamagedPart } from '../damage.ts';
import type { ZipRecord } from '../zip/read-zip.ts';
import {
  directoryEnd,
  directoryRecord,
  localHeader,
  SIZES_FOLLOW,
  sizesBehind,
  type WrittenEntry,
} from './zip-records.ts';

const CHUNK = 1 << 20;
const DEFLATED = 8;
/** Past this a part might not fit in four bytes, so that its sizes get eight. */
const LARGE = 2 ** 30;
const MOST_32 = 0xffffffff;

/**
 * Writes a zip to a stream: files of another zip as they are, byte for byte, and new ones. The directory lists them by the place
 * they are given, whatever order they are written in. Memory holds a chunk.
 */
export class ZipWriter {
  private readonly target: Writable;
  private readonly listed: { readonly place: number; readonly entry: WrittenEntry }[] = [];
  private at = 0;

  constructor(target: Writable) {
    this.target = target;
  }

  /** Copies a file of another zip without unpacking it. Throws DamagedPart when it is not where its directory says. */
  async copy(source: FileHandle, entry: WrittenEntry, place: number): Promise<void> {
    const { buffer: header, bytesRead } = await source.read(Buffer.alloc(30), 0, 30, entry.headerAt);
    if (bytesRead < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new DamagedPart(DAMAGE.misplaced);
    const start = entry.headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    // Sizes are known here, whether or not they followed the bytes there.
    const record = { ...entry.record, flags: entry.record.flags & ~SIZES_FOLLOW };
    const written: WrittenEntry = { ...entry, record, headerAt: this.at };
    await this.write(localHeader(written, Math.max(entry.plainBytes, entry.packedBytes) >= MOST_32));
    for (let done = 0; done < entry.packedBytes; ) {
      const bytes = Buffer.allocUnsafe(Math.min(CHUNK, entry.packedBytes - done));
      const read = await source.read(bytes, 0, bytes.length, start + done);
      if (read.bytesRead === 0) throw new DamagedPart(DAMAGE.cutOff);
      await this.write(bytes.subarray(0, read.bytesRead));
      done += read.bytesRead;
    }
    this.listed.push({ place, entry: written });
  }

  /** Packs chunks as a new file and answers what was written; `about` is how many bytes they may come to. */
  async add(
    record: ZipRecord,
    chunks: AsyncIterable<Buffer>,
    place: number,
    about: number,
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

  /** Writes the directory; the stream is left open. */
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
  chunks: AsyncIterable<Buffer>,
  sums: { crc: number; plainBytes: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    sums.crc = crc32(chunk, sums.crc);
    sums.plainBytes += chunk.length;
    yield chunk;
  }
}
