import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import yazl from 'yazl';

/** Packs a package anew, all dated `made`: equal parts make equal bytes. */
export async function repack(packed: Buffer, made: Date): Promise<Buffer> {
  const source = await yauzl.fromBufferPromise(packed, { lazyEntries: true });
  const target = new yazl.ZipFile();
  // Wall-clock time: that of UTC, so that the time zone of the machine does not show.
  const mtime = new Date(made.toISOString().replace('Z', ''));
  for await (const entry of source.eachEntry()) {
    // exceljs adds folders, which a package does not have.
    if (entry.fileName.endsWith('/')) continue;
    target.addBuffer(await buffer(await source.openReadStreamPromise(entry)), entry.fileName, {
      mtime,
      mode: 0o100644,
      forceDosTimestamp: true,
    });
  }
  target.end();
  return await buffer(target.outputStream);
}
