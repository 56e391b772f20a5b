import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are not there, and adds what it made to `made`, outermost first. Node's own way of doing so
 * never ends in a folder that takes no others, such as /proc. Throws what the disk says.
 */
export function makeFolder(folder: string, made: string[] = []): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  // First, as other programs may be making the same folders: what a missing parent is told by can't be told from one that takes no folders.
  if (parent !== folder) makeFolder(parent, made);
  try {
    mkdirSync(folder);
    made.push(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Made by someone else just now.
    if (code === 'EEXIST' && isFolder(folder)) return;
    if (code === 'EEXIST') throw failure('ENOTDIR', cause);
    throw code === 'ENOENT' ? failure('EACCES', cause) : cause;
  }
}

/** Whether there is a folder of that name. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function failure(code: string, cause: unknown): Error {
  return Object.assign(new Error((cause as Error).message, { cause }), { code });
}
