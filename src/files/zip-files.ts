import type { Readable } from 'node:stream';
import yazl from 'yazl';

/** A file to be packed, and what it is called in the package. */
export interface FileToPack {
  readonly path: string;
  readonly name: string;
}

/** Files as one zip, read and packed as it is taken: it is never whole in memory. */
export function zipOf(files: readonly FileToPack[]): Readable {
  const zip = new yazl.ZipFile();
  const packed = zip.outputStream as Readable;
  // A file that went meanwhile breaks the zip off: half of them must not look like all of them.
  zip.on('error', (error: Error) => packed.destroy(error));
  for (const { path, name } of files) zip.addFile(path, name);
  zip.end();
  return packed;
}
