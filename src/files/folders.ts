import { accessSync, closeSync, constants, mkdirSync, openSync, readlinkSync, statSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { PRIVATE, temporaryName, tryFile, writeFailureReason } from './write-aside.ts';

/**
 * Makes a file for its owner alone where there is none, before anything else makes it open to others. One
 * that is there keeps its mode, and is not opened: closing it would take the locks that a database in this
 * process has on it. Throws the error of the disk.
 */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    const found = statSync(file, { throwIfNoEntry: false });
    // A link to nothing: what it names is made, as whoever writes through it would.
    if (found === undefined) makePrivate(resolve(dirname(file), readlinkSync(file)));
    else if (found.isDirectory()) throw failure('EISDIR', cause);
    else accessSync(file, constants.W_OK);
  }
}

/**
 * Makes a folder, for its owner alone unless `mode` says otherwise, and its missing parents, and adds them
 * to `made`, outermost first. Throws the error of the disk. (`mkdir` with `recursive` never ends in a folder
 * that takes no others.)
 */
export function makeFolder(folder: string, made: string[] = [], mode = 0o700): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  // Parents first: ENOENT could mean a missing parent or a folder that takes no others.
  if (parent !== folder) makeFolder(parent, made, mode);
  try {
    mkdirSync(folder, { mode });
    made.push(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Made by another program just now.
    if (code === 'EEXIST' && isFolder(folder)) return;
    if (code === 'EEXIST') throw failure('ENOTDIR', cause);
    throw code === 'ENOENT' ? failure('EACCES', cause) : cause;
  }
}

/** Whether a path is that of a folder. */
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

/** The full path of the folder of a flag; an empty one must not mean the current folder. Throws StopError. */
export function namedFolder(folder: string | null | undefined, flag: string): string {
  if (typeof folder === 'string' && folder.trim() !== '') return resolve(folder);
  throw usageStop(
    t(`${flag} names no folder.`, `${flag} noemt geen map.`),
    t(`Name one; ${flag} . is the folder you are in.`, `Noem er een; ${flag} . is de map waar je in staat.`),
  );
}

/** Why no files can be put into the folder that a flag names; any other failure as it is. */
export function folderStop(folder: string, flag: string, cause: unknown): unknown {
  const reason = writeFailureReason(cause);
  if (reason === undefined) return cause;
  const text = t(
    `No files can be put into the folder ${folder}: ${reason.en}.`,
    `In de map ${folder} kunnen geen bestanden worden gezet: ${reason.nl}.`,
  );
  const next = t(`Name another folder with ${flag}.`, `Noem een andere map met ${flag}.`);
  return new StopError(EXIT.usage, text, { next, cause });
}

/** Checks by doing it that files can be put into a folder, existing or not. Throws StopError. */
export async function checkWritableFolder(folder: string, flag: string): Promise<void> {
  const made: string[] = [];
  try {
    makeFolder(folder, made);
    tryFile(join(folder, temporaryName()));
  } catch (cause) {
    throw folderStop(folder, flag, cause);
  } finally {
    for (const one of made.reverse()) await rmdir(one).catch(() => {});
  }
}

/** Checks that a folder to read from exists. Throws StopError. */
export function checkFolder(folder: string, flag: string): void {
  if (isFolder(folder)) return;
  throw usageStop(
    t(`There is no folder ${folder}.`, `Er is geen map ${folder}.`),
    t(
      `Name the folder that the files are in with ${flag}.`,
      `Noem met ${flag} de map waar de bestanden in staan.`,
    ),
  );
}
