import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';

/** Where a file is, with every link on the way followed, and what it is called, or why it is not to be had. */
type Located = { readonly path: string; readonly name: string } | 'outside' | { readonly missing: Bilingual };

/** A path from the root of a disk or of a network, as Unix or as Windows writes it. */
const FROM_ROOT = /^(?:[\\/]|[a-z]:)/i;

/** Whether a path, written with slashes or backslashes, leads elsewhere than into the folder that it starts from. */
function leadsOut(path: string): boolean {
  return FROM_ROOT.test(path.trim()) || climbs(path);
}

/** Whether a path leads out of where it starts from, wherever that is. */
export function climbs(path: string): boolean {
  // Windows knows no dots or blanks at the end of a name.
  return path.includes('\0') || path.split(/[\\/]+/).some((part) => /^\s*\.\.[. ]*$/.test(part));
}

/**
 * A file within a folder by its path from there, written with slashes or backslashes. What leads out of the folder is
 * refused, be it by `..`, as an absolute path or through a link.
 */
export async function locateFile(folder: string, given: string): Promise<Located> {
  if (leadsOut(given)) return 'outside';
  const named = join(folder, ...given.split(/[\\/]+/));
  // A name with an accent may be written in two ways; which of them the disk has is not for the user to know.
  const ways = [...new Set([named, named.normalize('NFC'), named.normalize('NFD')])];
  for (const way of ways) {
    try {
      const path = await realpath(way);
      if (!isWithin(await realpath(folder), path)) return 'outside';
      // A link has a name of its own, which is the one its file goes by.
      if ((await stat(path)).isFile()) return { path, name: basename(named) };
      return { missing: NO_FILE };
    } catch (error) {
      if (way === ways.at(-1)) return { missing: unreadableText(folder, error) };
    }
  }
  return { missing: NO_FILE };
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}

const NO_FILE: Bilingual = t('this is no file', 'dit is geen bestand');

/** Why a file can't be read, by what the disk says. */
function unreadableText(folder: string, error: unknown): Bilingual {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return t(`looked for it in ${folder}`, `gezocht in ${folder}`);
  return t(`it can’t be read (${code})`, `het is niet te lezen (${code})`);
}
