import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';

/** The files in a zip, by name. */
export async function zipParts(file: string): Promise<Record<string, Buffer>> {
  const parts: Record<string, Buffer> = {};
  const zip = await yauzl.fromBufferPromise(readFileSync(file), { lazyEntries: true });
  for await (const entry of zip.eachEntry())
    if (!entry.fileName.endsWith('/'))
      parts[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return parts;
}
