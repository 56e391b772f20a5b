import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Bilingual, t } from '../../core/language.ts';

/** A file's path (links followed) and name, or why it can't be had. */
type Located = { readonly path: string; readonly name: string } | 'outside' | { readonly missing: Bilingual };

/** A path from a root, on Unix or Windows. */
const FROM_ROOT = /^(?:[\\/]|[a-z]:)/i;

function leadsOut(path: string): boolean {
  return FROM_ROOT.test(path.trim()) || climbs(path);
}

/** Whether a path leads out of where it starts from, wherever that is. */
export function climbs(path: string): boolean {
  // Windows knows no dots or blanks at the end of a name.
  return path.includes('\0') || path.split(/[\\/]+/).some((part) => /^\s*\.\.[. ]*$/.test(part));
}

/**
 * Finds a file by its path within a folder, with / or \; refuses what leads out of it: `..`, a root, a link.
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

function unreadableText(folder: string, error: unknown): Bilingual {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return t(`looked for it in ${folder}`, `gezocht in ${folder}`);
  return t(`it can’t be read (${code})`, `het is niet te lezen (${code})`);
}

/** What is in a file, as 64 characters; read piece by piece. Throws what the disk says. */
export async function contentHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** What tells one upload from another. */
interface DocumentName {
  readonly event: number;
  readonly folder: string;
  readonly hash: string;
  /** The row's `#key`: with one, the same file may be uploaded once more. */
  readonly key: string | null;
}

/** The name under which an upload is sent at most once, ever. */
export function nameDocument({ event, folder, hash, key }: DocumentName): string {
  const place = `event:${event} folder:${folder.normalize('NFC')} sha256:${hash}`;
  return key === null ? place : `key:${key} ${place}`;
}

/** Whether a document was named by what is in it now. */
export function isNamedBy(name: string | undefined, hash: string): boolean {
  return name?.endsWith(` sha256:${hash}`) === true;
}
