import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Time } from '../core/time.ts';

/** How long a file must stay as it is before it counts as written, ms. */
const SETTLE = 5000;

/** Names that programs give to what is not whole yet, or that are no file of the user's. */
const NOT_YET =
  /^(?:[.~]|thumbs\.db$|desktop\.ini$)|(?:~|\.(?:tmp|temp|part|partial|crdownload|download|filepart|opdownload|lock|lck|swp|swx|bak))$/i;

/** The files that are whole, and those that are passed over as they are still being written. */
interface WholeFiles {
  readonly whole: readonly string[];
  readonly unfinished: readonly string[];
}

/**
 * The files that paths name, folders by the files in them in the order of their names, by whether they stayed as
 * they were for five seconds. Locks, hidden files, links and what is being downloaded by its name are left out.
 * A path that is not there counts as whole: whoever opens it says so.
 */
export async function wholeFiles(
  paths: readonly string[],
  time: Time,
  signal?: AbortSignal,
): Promise<WholeFiles> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const before = await Promise.all(files.map(markOf));
  if (before.some((mark) => mark !== null)) await time.sleep(SETTLE, signal).catch(() => {});
  signal?.throwIfAborted();
  const after = await Promise.all(files.map(markOf));
  const isWhole = (_: string, at: number): boolean => before[at] === after[at];
  return { whole: files.filter(isWhole), unfinished: files.filter((file, at) => !isWhole(file, at)) };
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return NOT_YET.test(basename(path)) ? [] : [path];
  const names = (await readdir(path)).filter((name) => !NOT_YET.test(name)).sort();
  const files = names.map((name) => join(path, name));
  // Whoever may drop files there could have put a link, and something else would be read.
  const isFile = await Promise.all(files.map(async (file) => (await statOf(file))?.isFile() === true));
  return files.filter((_, at) => isFile[at]);
}

const statOf = async (file: string): Promise<Stats | undefined> => await lstat(file).catch(() => undefined);

/** What changes while a file is being written; null for one that is not there. */
async function markOf(file: string): Promise<string | null> {
  const found = await statOf(file);
  return found === undefined ? null : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}
