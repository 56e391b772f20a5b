import { open, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EXIT, StopError } from '../errors.ts';
import { isFolder, makeFolder } from '../make-folder.ts';
import { partName } from './leftovers.ts';
import { reasonOf } from './unwritten.ts';

/** The whole path of a folder that a flag names; a flag without a name must not mean the folder one is in. Throws StopError. */
export function namedFolder(folder: string | null | undefined, flag: string): string {
  if (typeof folder === 'string' && folder.trim() !== '') return resolve(folder);
  throw new StopError(
    EXIT.usage,
    { en: `${flag} names no folder.`, nl: `${flag} noemt geen map.` },
    {
      next: {
        en: `Name one; ${flag} . is the folder you are in.`,
        nl: `Noem er een; ${flag} . is de map waar je in staat.`,
      },
    },
  );
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
export function checkFolder(folder: string, flag: string): void {
  if (isFolder(folder)) return;
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
