import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
import yauzl from 'yauzl';
import type { ReadLimits } from '../../files/limits.ts';
import { counter, DAMAGE, DamagedPart, holdsTwice, unpacksTo } from '../damage.ts';

/** Bytes that are read at once. */
const CHUNK = 1 << 18;

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
interface ZipRecord {
  readonly nameRaw: Buffer;
  readonly madeBy: number;
  readonly flags: number;
  readonly time: number;
  readonly date: number;
  readonly internal: number;
  readonly external: number;
}

/** The files of a zip, found by name in any case as OPC wants, the exact case first. */
interface ZipDirectory {
  readonly names: readonly string[];
  /** Packed bytes of all files. */
  readonly packedBytes: number;
  find(name: string): ZipEntry | undefined;
}

/** Reads the directory of a zip. Throws DamagedPart, also for a name that occurs twice. */
export async function readZipDirectory(file: string, limits: ReadLimits): Promise<ZipDirectory> {
  const exact = new Map<string, ZipEntry>();
  const anyCase = new Map<string, ZipEntry>();
  const files = counter(limits.entries, 'files', 'bestanden');
  try {
    const zip = await openZip(file);
    for await (const entry of zip.eachEntry()) {
      files();
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

const READING: yauzl.Options = { decodeStrings: false, validateEntrySizes: false };

/** Of a small zip all is read at once: its directory is read entry by entry. */
function openZip(file: string): Promise<yauzl.ZipFile> {
  return statSync(file).size <= CHUNK
    ? yauzl.fromBufferPromise(readFileSync(file), READING)
    : yauzl.openPromise(file, READING);
}

const LOCAL_HEADER = 30;

/** Throws DamagedPart for files that share bytes: a small zip that inflates to a huge one is made so. */
function refuseOverlap(entries: ZipEntry[]): void {
  const inOrder = entries.sort((one, other) => one.headerAt - other.headerAt);
  for (const [at, { headerAt, packedBytes }] of inOrder.entries()) {
    const next = inOrder[at + 1];
    if (next !== undefined && headerAt + LOCAL_HEADER + packedBytes > next.headerAt)
      throw new DamagedPart(DAMAGE.cutOff);
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

/** Packed bytes that are unpacked at once. */
const SMALL = 1 << 16;
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
  if (entry.method !== 0 && entry.method !== 8) throw new DamagedPart(DAMAGE.oddXml);
  let bytes = 0;
  let sum = 0;
  try {
    const chunks = entry.packedBytes === 0 ? [] : (readSmall(file, entry) ?? streamed(file, entry));
    for await (const chunk of chunks) {
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
  }
  if (sum !== entry.crc) throw new DamagedPart(DAMAGE.cutOff);
}

/** The bytes of a small file, for which a stream takes ten times as long; undefined for one that is larger. */
function readSmall(file: string, { method, packedBytes, headerAt }: ZipEntry): Buffer[] | undefined {
  if (packedBytes > SMALL) return undefined;
  const opened = reopen(file);
  try {
    const packed = Buffer.alloc(packedBytes);
    if (readSync(opened, packed, 0, packedBytes, dataStart(opened, headerAt)) < packedBytes)
      throw new DamagedPart(DAMAGE.cutOff);
    return [method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: CHUNK })];
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw cause;
    return undefined;
  } finally {
    closeSync(opened);
  }
}

async function* streamed(file: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  const handle = await open(file).catch((cause) => Promise.reject(gone(cause)));
  let stream: Readable | undefined;
  try {
    stream = openStream(handle, entry);
    yield* stream;
  } finally {
    stream?.destroy();
    await handle.close();
  }
}

function reopen(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (cause) {
    throw gone(cause);
  }
}

const gone = (cause: unknown): DamagedPart => new DamagedPart(DAMAGE.gone, { cause });

function openStream(handle: FileHandle, entry: ZipEntry): Readable {
  const start = dataStart(handle.fd, entry.headerAt);
  const end = start + entry.packedBytes - 1;
  const packed = handle.createReadStream({ start, end, highWaterMark: CHUNK, autoClose: false });
  if (entry.method === 0) return packed;
  const inflate = createInflateRaw({ chunkSize: CHUNK, readableHighWaterMark: AHEAD } as ZlibOptions);
  // Errors of either stream reach the reader through `inflate`.
  return pipeline(packed, inflate, () => {}) as unknown as Readable;
}

/** Where the data behind a local file header of an open file starts. Throws DamagedPart when there is no header. */
export function dataStart(opened: number, headerAt: number): number {
  const header = Buffer.alloc(LOCAL_HEADER);
  const bytesRead = readSync(opened, header, 0, LOCAL_HEADER, headerAt);
  if (bytesRead < LOCAL_HEADER || header.readUInt32LE(0) !== 0x04034b50) throw new DamagedPart(DAMAGE.cutOff);
  return headerAt + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28);
}
