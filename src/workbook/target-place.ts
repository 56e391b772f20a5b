import { lstat, open, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { partName } from './leftovers.ts';
import { unwritable, unwritten } from './unwritten.ts';

/** A file of our own in the target's folder: short, as the target's name may be as long as names can be. */
export function asideOf(place: string): string {
  return join(dirname(place), partName());
}

/**
 * The full path at which a target is written: where its link leads, if it is one. Throws StopError for a target whose
 * place is taken by anything but an ordinary file, as such a thing (a folder, a device) must never be replaced.
 */
export async function placeOf(target: string): Promise<string> {
  try {
    const path = resolve(target);
    const there = await lstat(path).catch(nothing);
    if (there === undefined) return path;
    const place = there.isSymbolicLink() ? await realpath(path).catch(leadsNowhere) : path;
    const found = await lstat(place);
    if (found.isFile()) return place;
    if (found.isDirectory()) throw Object.assign(new Error(`${place} is a folder`), { code: 'EISDIR' });
  } catch (cause) {
    throw unwritten(target, cause);
  }
  throw unwritable(target, { en: 'it is no ordinary file', nl: 'het is geen gewoon bestand' });
}

/** Finds out, by doing it, whether a target could be written now; leaves nothing behind. Throws StopError. */
export async function tryTarget(target: string): Promise<void> {
  const place = await placeOf(target);
  const aside = asideOf(place);
  try {
    const own = await open(aside, 'wx');
    await own.close();
    await rm(aside, { force: true });
    // A file that may not be written. One that a program holds open does no harm: the result gets a numbered name.
    const old = await open(place, 'r+').catch(heldOrNothing);
    await old?.close();
  } catch (cause) {
    throw unwritten(target, cause);
  }
}

function nothing(cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'ENOENT') throw cause;
}

function heldOrNothing(cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'EBUSY') nothing(cause);
}

function leadsNowhere(cause: NodeJS.ErrnoException): never {
  throw cause.code === 'ENOENT' ? Object.assign(new Error(cause.message), { code: 'ELOOP' }) : cause;
}
