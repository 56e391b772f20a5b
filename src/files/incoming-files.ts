import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, readdir, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
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

/** Bytes of a name's stem at most: it leaves room for what follows it. */
const LONGEST = 200;

/**
 * Moves files that belong together into a folder, over no other file: all under the name of the first, or of that
 * with the next free number. What follows the first one's name is kept: `week.result.xlsx` of `week.xlsx`.
 * Resolves to their paths; throws what the disk says, and what was not moved stays. `remove` takes a file out of its
 * folder.
 */
export async function moveTogether(
  files: readonly string[],
  folder: string,
  remove = rm,
): Promise<readonly string[]> {
  const [first = ''] = files;
  const whole = basename(first, extname(first));
  const tails = files.map((file) => {
    const name = basename(file);
    return name.startsWith(whole) ? name.slice(whole.length) : `.${name}`;
  });
  const stem = await freeStem(folder, shortened(whole), tails);
  const places = tails.map((tail) => join(folder, stem + tail));
  // The first last: as long as it is there, the next run finds it.
  for (const [at, file] of [...files.entries()].reverse()) await move(file, places[at] ?? '', remove);
  return places;
}

/** Moves a file over no other one, also to another disk. */
async function move(from: string, to: string, remove: typeof rm): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Another disk, or one without links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
  try {
    await remove(from);
  } catch (error) {
    // Where it may not go it stays, and must not come there once more each time.
    await rm(to, { force: true });
    throw error;
  }
}

/** The start of a name that is too long for more behind it. */
function shortened(name: string): string {
  let start = name;
  while (Buffer.byteLength(start) > LONGEST) start = [...start].slice(0, -1).join('');
  return start;
}

/** A name that no file has, with any of these endings. */
async function freeStem(folder: string, stem: string, endings: readonly string[]): Promise<string> {
  for (let number = 1; ; number++) {
    const wanted = number === 1 ? stem : `${stem}-${number}`;
    const taken = await Promise.all(
      endings.map(async (ending) => await lstat(join(folder, wanted + ending)).catch(() => undefined)),
    );
    if (taken.every((found) => found === undefined)) return wanted;
  }
}
