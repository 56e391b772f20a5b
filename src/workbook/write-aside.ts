import { randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { EXIT, StopError } from '../errors.ts';
import type { Bilingual } from '../schema/value.ts';

/**
 * Lets `write` fill a new file beside the target, then puts it on disk and in the target's place, so that nobody ever sees half a file.
 * When writing fails the new file is removed and the target stays what it was. Throws StopError when the place can't be written to.
 */
export async function writeAside(
  target: string,
  write: (stream: WriteStream) => Promise<void>,
): Promise<void> {
  const aside = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  const stream = createWriteStream(aside, { flags: 'wx' });
  const done = finished(stream);
  try {
    // A stream that fails ends the writing, and a writer that fails the stream.
    await Promise.race([write(stream), done]);
    stream.end();
    await done;
    await putOnDisk(aside);
    await rename(aside, target);
  } catch (cause) {
    done.catch(() => {});
    stream.destroy();
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

function unwritten(target: string, cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  const reason = code === undefined ? undefined : REASONS[code];
  if (reason === undefined) return cause;
  const next = {
    en: 'Name another file with --out, or close the file where it is open.',
    nl: 'Noem een ander bestand met --out, of sluit het bestand waar het open staat.',
  };
  const text = {
    en: `The result ${target} can't be written: ${reason.en}.`,
    nl: `Het resultaat ${target} kan niet worden geschreven: ${reason.nl}.`,
  };
  return new StopError(EXIT.usage, text, { next, cause });
}

const NOT_ALLOWED = { en: 'writing there is not allowed', nl: 'daar mag niet worden geschreven' };

const REASONS: Record<string, Bilingual> = {
  ENOENT: { en: 'its folder does not exist', nl: 'de map bestaat niet' },
  ENOTDIR: { en: 'its folder is a file', nl: 'de map is een bestand' },
  EISDIR: { en: 'it is a folder', nl: 'het is een map' },
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: { en: 'the disk is read-only', nl: 'de schijf is alleen-lezen' },
  EBUSY: { en: 'it is open in another program', nl: 'het staat open in een ander programma' },
  ENOSPC: { en: 'the disk is full', nl: 'de schijf is vol' },
};
