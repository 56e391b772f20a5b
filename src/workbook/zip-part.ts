import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw, type ZlibOptions } from 'node:zlib';
import { DAMAGE, unpacksTo } from './damage-words.ts';
import { DamagedPart } from './damaged-part.ts';
import type { ReadLimits } from './limits.ts';
import type { ZipEntry } from './zip-directory.ts';

const CHUNK = 1 << 17;
/** So that zlib's thread inflates ahead while the chunks before are being scanned. */
const AHEAD = 2 * CHUNK;

/**
 * The inflated bytes of one file in a zip, in chunks of 128 KB at most. Opens the zip anew and closes it however the reading ends.
 * Sizes are counted here, whatever the directory claims, and the checksum is held against it. Throws DamagedPart.
 */
export async function* inflatePart(
  file: string,
  entry: ZipEntry,
  limits: ReadLimits,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  if (entry.encrypted) throw new DamagedPart(DAMAGE.encrypted);
  if (entry.method !== 0 && entry.method !== 8) throw new DamagedPart(DAMAGE.oddPacking);
  const handle = await reopen(file);
  let stream: Readable | undefined;
  let bytes = 0;
  let sum = 0;
  try {
    stream = entry.packedBytes === 0 ? undefined : await openStream(handle, entry);
    for await (const chunk of stream ?? []) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      if (
        bytes > limits.partBytes ||
        (bytes > limits.ratioFrom && bytes > entry.packedBytes * limits.ratio)
      ) {
        throw new DamagedPart(unpacksTo(Math.floor(bytes / 2 ** 20)));
      }
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof DamagedPart || signal?.aborted) throw cause;
    throw new DamagedPart(DAMAGE.cutOff, { cause });
  } finally {
    stream?.destroy();
    await handle.close();
  }
  if (sum !== entry.crc) throw new DamagedPart(DAMAGE.wrongSum);
}

async function reopen(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch (cause) {
    throw new DamagedPart(DAMAGE.gone, { cause });
  }
}

async function openStream(handle: FileHandle, entry: ZipEntry): Promise<Readable> {
  const { buffer: header, bytesRead } = await handle.read(Buffer.alloc(30), 0, 30, entry.headerAt);
  if (bytesRead < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new DamagedPart(DAMAGE.misplaced);
  const start = entry.headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const end = start + entry.packedBytes - 1;
  const packed = handle.createReadStream({ start, end, highWaterMark: CHUNK, autoClose: false });
  if (entry.method === 0) return packed;
  const inflate = createInflateRaw({ chunkSize: CHUNK, readableHighWaterMark: AHEAD } as ZlibOptions);
  // An error of either stream reaches the reader through `inflate`.
  return pipeline(packed, inflate, () => {}) as unknown as Readable;
}
