import { mkdir, open, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT, StopError } from '../errors.ts';
import { partName } from './leftovers.ts';
import { reasonOf } from './unwritten.ts';

/**
 * Makes a folder and those above it that are not there, and adds what it made to `made`, outermost first. Throws what the
 * disk says.
 */
export async function makeFolder(folder: string, made: string[] = []): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  // First, as others may be making the same folders: what a missing parent is told by can't be told from one that takes no folders.
  if (parent !== folder) await makeFolder(parent, made);
  try {
    await mkdir(folder);
    made.push(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Made by someone else just now.
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    if (code === 'EEXIST') throw failure('ENOTDIR', cause);
    // A folder that takes no others, such as /proc, says so; Node's own way of making folders never ends there.
    throw code === 'ENOENT' ? failure('EACCES', cause) : cause;
  }
}

/** Finds out, by doing it, whether files can be put into a folder, be it one yet to make; leaves nothing behind. Throws StopError. */
export async function tryFolder(folder: string, flag: string): Promise<void> {
  const made: string[] = [];
  try {
    await makeFolder(folder, made);
    const own = join(folder, partName());
    await (await open(own, 'wx')).close();
    await rm(own, { force: true });
  } catch (cause) {
    const reason = reasonOf(cause);
    if (reason === undefined) throw cause;
    const text = {
      en: `No files can be put into the folder ${folder}: ${reason.en}.`,
      nl: `In de map ${folder} kunnen geen bestanden worden gezet: ${reason.nl}.`,
    };
    const next = { en: `Name another folder with ${flag}.`, nl: `Noem een andere map met ${flag}.` };
    throw new StopError(EXIT.usage, text, { next, cause });
  } finally {
    for (const one of made.reverse()) await rmdir(one).catch(() => {});
  }
}

/** Makes sure that a folder is there to take files from. Throws StopError. */
export async function checkFolder(folder: string, flag: string): Promise<void> {
  if (await isFolder(folder)) return;
  throw new StopError(
    EXIT.usage,
    { en: `There is no folder ${folder}.`, nl: `Er is geen map ${folder}.` },
    {
      next: {
        en: `Name the folder that the files are in with ${flag}.`,
        nl: `Noem met ${flag} de map waar de bestanden in staan.`,
      },
    },
  );
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function failure(code: string, cause: unknown): Error {
  return Object.assign(new Error((cause as Error).message, { cause }), { code });
}
