import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import yazl from 'yazl';

/** New texts for parts, by name, made from the old ones. */
type Rewrites = ReadonlyMap<string, (text: string) => string>;

/** Packs a package anew, some parts rewritten, all dated `made`: equal parts make equal bytes. */
export async function repack(packed: Buffer, rewrites: Rewrites, made: Date): Promise<Buffer> {
  const source = await yauzl.fromBufferPromise(packed, { lazyEntries: true });
  const target = new yazl.ZipFile();
  // Wall-clock time: that of UTC, so that the time zone of the machine does not show.
  const mtime = new Date(made.toISOString().replace('Z', ''));
  for await (const entry of source.eachEntry()) {
    // exceljs adds folders, which a package does not have.
    if (entry.fileName.endsWith('/')) continue;
    const bytes = await buffer(await source.openReadStreamPromise(entry));
    const rewrite = rewrites.get(entry.fileName);
    const content = rewrite === undefined ? bytes : Buffer.from(rewrite(bytes.toString('utf8')));
    target.addBuffer(content, entry.fileName, {
      mtime,
      mode: 0o100644,
      forceDosTimestamp: true,
    });
  }
  target.end();
  return await buffer(target.outputStream);
}
