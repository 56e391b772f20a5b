import yauzl from 'yauzl';
import { DAMAGE, holdsTwice } from './damage-words.ts';
import { DamagedPart } from './damaged-part.ts';
import type { ReadLimits } from './limits.ts';

/** One file inside a zip, by what the zip's directory says of it. */
export interface ZipEntry {
  /** With forward slashes, as it is spelled. */
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  /** Bytes after inflating, as the directory claims. */
  readonly plainBytes: number;
  readonly headerAt: number;
  readonly record: ZipRecord;
}

/** What else a directory says of a file: of no concern to a reader, kept by whoever copies the file. */
export interface ZipRecord {
  readonly nameRaw: Buffer;
  readonly madeBy: number;
  readonly flags: number;
  readonly time: number;
  readonly date: number;
  readonly internal: number;
  readonly external: number;
}

/** The directory of a zip: files by name, found in any case as OPC wants, by the exact spelling first. */
export interface ZipDirectory {
  readonly names: readonly string[];
  find(name: string): ZipEntry | undefined;
}

/** Reads a zip's directory. Throws DamagedPart, also for a name that occurs twice, as two readers could then see two workbooks. */
export async function readZipDirectory(file: string, limits: ReadLimits): Promise<ZipDirectory> {
  const exact = new Map<string, ZipEntry>();
  const anyCase = new Map<string, ZipEntry>();
  try {
    const zip = await yauzl.openPromise(file, { decodeStrings: false, validateEntrySizes: false });
    for await (const entry of zip.eachEntry()) {
      const found = describe(entry);
      if (found.name.endsWith('/')) continue;
      if (exact.has(found.name)) throw new DamagedPart(holdsTwice(found.name));
      if (exact.size >= limits.entries) throw new DamagedPart(DAMAGE.tooManyFiles);
      exact.set(found.name, found);
      if (!anyCase.has(found.name.toLowerCase())) anyCase.set(found.name.toLowerCase(), found);
    }
  } catch (cause) {
    if (cause instanceof DamagedPart) throw cause;
    throw new DamagedPart(DAMAGE.cutOff, { cause });
  }
  refuseOverlap([...exact.values()]);
  return { names: [...exact.keys()], find: (name) => exact.get(name) ?? anyCase.get(name.toLowerCase()) };
}

const LOCAL_HEADER = 30;

/** Files that share bytes are how a small zip unpacks to a huge one; no program writes them. Throws DamagedPart. */
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
