import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Bilingual } from '../schema/value.ts';
import { removeLeftovers } from './leftovers.ts';
import { asideOf, placeOf } from './target-place.ts';
import { unwritten } from './unwritten.ts';

/** Where a file came to stand, and why not where it was to. */
export interface Placed {
  readonly place: string;
  readonly notes: readonly Bilingual[];
}

/** Moves a file to another name, in place of what has that name. */
export type Move = (from: string, to: string) => Promise<void>;

/**
 * Lets `write` fill a new file beside the target, then puts it on disk and in the target's place, so that nobody ever sees half a file.
 * A target that another program holds open gets a numbered name. When writing fails the new file is removed and the target stays what it was.
 * Throws StopError when the place can't be written to.
 */
export async function writeAside(
  target: string,
  write: (stream: WriteStream) => Promise<void>,
  move: Move = rename,
): Promise<Placed> {
  const aside = asideOf(await placeOf(target));
  await removeLeftovers(dirname(aside));
  const stream = createWriteStream(aside, { flags: 'wx' });
  const done = finished(stream);
  try {
    // A stream that fails ends the writing, and a writer that fails the stream.
    await Promise.race([write(stream), done]);
    stream.end();
    await done;
    await putOnDisk(aside);
    return await moveInto(aside, target, move);
  } catch (cause) {
    stream.destroy();
    // On a busy machine the file may still be being made; it can't be removed before it is there.
    await done.catch(() => {});
    await rm(aside, { force: true });
    throw unwritten(target, cause);
  }
}

/** What Windows answers where a program holds the file open. */
const HELD: ReadonlySet<unknown> = new Set(['EBUSY', 'EPERM', 'EACCES']);

async function moveInto(aside: string, target: string, move: Move): Promise<Placed> {
  // Looked at once more: writing may have taken long.
  const place = await placeOf(target);
  try {
    await move(aside, place);
    return { place: target, notes: [] };
  } catch (cause) {
    if (!HELD.has((cause as NodeJS.ErrnoException).code) || !existsSync(place)) throw cause;
    const other = freeName(target);
    // Where that fails too, what stood in the way was not the file.
    await move(aside, other).catch(() => Promise.reject(cause));
    return { place: other, notes: [heldOpen(target, other)] };
  }
}

/** The target's name with the first number that no file has. */
export function freeName(target: string): string {
  const ending = extname(target);
  const stem = target.slice(0, target.length - ending.length);
  let number = 2;
  while (existsSync(`${stem}-${number}${ending}`)) number++;
  return `${stem}-${number}${ending}`;
}

function heldOpen(target: string, other: string): Bilingual {
  return {
    en: `${target} is open in another program and stays as it was; this result is ${other}`,
    nl: `${target} staat open in een ander programma en blijft zoals het was; dit resultaat is ${other}`,
  };
}

async function putOnDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
