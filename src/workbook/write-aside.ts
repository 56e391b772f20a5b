import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { asideOf, placeOf } from './target-place.ts';
import { unwritten } from './unwritten.ts';

/**
 * Lets `write` fill a new file beside the target, then puts it on disk and in the target's place, so that nobody ever sees half a file.
 * When writing fails the new file is removed and the target stays what it was. Throws StopError when the place can't be written to.
 */
export async function writeAside(
  target: string,
  write: (stream: WriteStream) => Promise<void>,
): Promise<void> {
  const aside = asideOf(await placeOf(target));
  const stream = createWriteStream(aside, { flags: 'wx' });
  const done = finished(stream);
  try {
    // A stream that fails ends the writing, and a writer that fails the stream.
    await Promise.race([write(stream), done]);
    stream.end();
    await done;
    await putOnDisk(aside);
    // Looked at once more: writing may have taken long.
    await rename(aside, await placeOf(target));
  } catch (cause) {
    stream.destroy();
    // On a busy machine the file may still be being made; it can't be removed before it is there.
    await done.catch(() => {});
    await rm(aside, { force: true });
    throw unwritten(target, cause);
  }
}

async function putOnDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
