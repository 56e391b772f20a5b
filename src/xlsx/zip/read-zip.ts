import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw, type ZlibOptions } from 'node:zlib';
import yauzl from 'yauzl';
import type { ReadLimits } from '../../files/limits.ts';
import { Counter, DAMAGE, DamagedPart, holdsTwice, unpacksTo } from '../damage.ts';

/** One file in a zip, as the directory describes it. */
export interface ZipEntry {
  /** With forward slashes, in its own case. */
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  /** As the directory claims. */
  readonly plainBytes: number;
  readonly headerAt: number;
  readonly record: ZipRecord;
}

/** What a directory says that only matters when the file is copied. */
export interface ZipRecord {
  readonly nameRaw: Buffer;
  readonly madeBy: number;
  readonly flags: number;
  readonly time: number;
  readonly date: number;
  readonly internal: number;
  readonly external: number;
}

/** The files of a zip, found by name in any case as OPC wants, the exact case first. */
export interface ZipDirectory {
  readonly names: readonly string[];
  /** Packed bytes of all files. */
  readonly packedBytes: number;
  find(name: string): ZipEntry | undefined;
}

/** Reads the directory of a zip. Throws DamagedPart, also for a name that occurs twice. */
export async function readZipDirectory(file: string, limits: ReadLimits): Promise<ZipDirectory> {
  const exact = new Map<string, ZipEntry>();
  const anyCase = new Map<string, ZipEntry>();
  const files = new Counter(limits.entries, 'files', 'bestanden');
  try {
    const zip = await yauzl.openPromise(file, { decodeStrings: false, validateEntrySizes: false });
    for await (const entry of zip.eachEntry()) {
      files.add();
      const found = describe(entry);
      if (found.name.endsWith('/')) continue;
      if (exact.has(found.name)) throw new DamagedPart(holdsTwice(found.name));
      exact.set(found.name, found);
      if (!anyCase.has(found.name.toLowerCase())) anyCase.set(found.name.toLowerCase(), found);
    }
  } catch (cause) {
    if (cause instanceof DamagedPart) throw cause;
    throw new DamagedPart(DAMAGE.cutOff, { cause });
  }
  refuseOverlap([...exact.values()]);
  let packedBytes = 0;
  for (const entry of exact.values()) packedBytes += entry.packedBytes;
  return {
    packedBytes,
    names: [...exact.keys()],
    find: (name) => exact.get(name) ?? anyCase.get(name.toLowerCase()),
  };
}

const LOCAL_HEADER = 30;

/** Throws DamagedPart for files that share bytes: a small zip that inflates to a huge one is made so. */
function refuseOverlap(entries: ZipEntry[]): void {
  const inOrder = entries.sort((one, other) => one.headerAt - other.headerAt);
  for (const [at, { headerAt, packedBytes }] of inOrder.entries()) {
    const next = inOrder[at + 1];
    if (next !== undefined && headerAt + LOCAL_HEADER + packedBytes > next.headerAt)
      throw new DamagedPart(DAMAGE.overlap);
  }
}

function describe(entry: yauzl.Entry): ZipEntry {
  const name = yauzl.getFileNameLowLevel(
    entry.generalPurposeBitFlag,
    entry.fileNameRaw,
    entry.extraFields,
    false,
  );
  return {
    name: name.replace(/^\/+/, ''),
    method: entry.compressionMethod,
    encrypted: entry.isEncrypted(),
    crc: entry.crc32,
    packedBytes: entry.compressedSize,
    plainBytes: entry.uncompressedSize,
    headerAt: entry.relativeOffsetOfLocalHeader,
    record: {
      nameRaw: entry.fileNameRaw,
      madeBy: entry.versionMadeBy,
      flags: entry.generalPurposeBitFlag,
      time: entry.lastModFileTime,
      date: entry.lastModFileDate,
      internal: entry.internalFileAttributes,
      external: entry.externalFileAttributes,
    },
  };
}

const CHUNK = 1 << 18;
/** Lets the thread of zlib inflate ahead while earlier chunks are scanned. */
const AHEAD = 4 * CHUNK;

/**
 * The inflated bytes of a file in a zip in chunks of at most 256 KB; sizes and checksum are checked here. The
 * zip is opened anew, and closed however the reading ends. Throws DamagedPart.
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
      const isBomb = bytes > limits.ratioFrom && bytes > entry.packedBytes * limits.ratio;
      if (isBomb || bytes > limits.partBytes) throw new DamagedPart(unpacksTo(Math.floor(bytes / 2 ** 20)));
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
  const start = await dataStart(handle, entry.headerAt);
  const end = start + entry.packedBytes - 1;
  const packed = handle.createReadStream({ start, end, highWaterMark: CHUNK, autoClose: false });
  if (entry.method === 0) return packed;
  const inflate = createInflateRaw({ chunkSize: CHUNK, readableHighWaterMark: AHEAD } as ZlibOptions);
  // Errors of either stream reach the reader through `inflate`.
  return pipeline(packed, inflate, () => {}) as unknown as Readable;
}

/** Where the data behind a local file header starts. Throws DamagedPart when there is no header. */
export async function dataStart(handle: FileHandle, headerAt: number): Promise<number> {
  const { buffer: header, bytesRead } = await handle.read(
    Buffer.alloc(LOCAL_HEADER),
    0,
    LOCAL_HEADER,
    headerAt,
  );
  if (bytesRead < LOCAL_HEADER || header.readUInt32LE(0) !== 0x04034b50)
    throw new DamagedPart(DAMAGE.misplaced);
  return headerAt + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28);
}
