import { mkdirSync, statSync } from 'node:fs';
import { open, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { partName } from './write-aside.ts';
import { writeFailureReason } from './write-failure.ts';

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

/** The whole path of a folder that a flag names; a flag without a name must not mean the folder one is in. Throws StopError. */
export function namedFolder(folder: string | null | undefined, flag: string): string {
  if (typeof folder === 'string' && folder.trim() !== '') return resolve(folder);
  throw new StopError(EXIT.usage, t(`${flag} names no folder.`, `${flag} noemt geen map.`), {
    next: t(
      `Name one; ${flag} . is the folder you are in.`,
      `Noem er een; ${flag} . is de map waar je in staat.`,
    ),
  });
}

/** Finds out, by doing it, whether files can be put into a folder, be it one yet to make; leaves nothing behind. Throws StopError. */
export async function tryFolder(folder: string, flag: string): Promise<void> {
  const made: string[] = [];
  try {
    makeFolder(folder, made);
    const own = join(folder, partName());
    await (await open(own, 'wx')).close();
    await rm(own, { force: true });
  } catch (cause) {
    const reason = writeFailureReason(cause);
    if (reason === undefined) throw cause;
    const text = t(
      `No files can be put into the folder ${folder}: ${reason.en}.`,
      `In de map ${folder} kunnen geen bestanden worden gezet: ${reason.nl}.`,
    );
    const next = t(`Name another folder with ${flag}.`, `Noem een andere map met ${flag}.`);
    throw new StopError(EXIT.usage, text, { next, cause });
  } finally {
    for (const one of made.reverse()) await rmdir(one).catch(() => {});
  }
}

/** Makes sure that a folder is there to take files from. Throws StopError. */
export function checkFolder(folder: string, flag: string): void {
  if (isFolder(folder)) return;
  throw new StopError(EXIT.usage, t(`There is no folder ${folder}.`, `Er is geen map ${folder}.`), {
    next: t(
      `Name the folder that the files are in with ${flag}.`,
      `Noem met ${flag} de map waar de bestanden in staan.`,
    ),
  });
}
