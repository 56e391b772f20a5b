import { constants } from 'node:fs';
import { copyFile, link, lstat, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';

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
