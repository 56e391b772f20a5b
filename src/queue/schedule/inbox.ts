import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';

/** A folder that files are dropped into, and what they are taken for. */
export interface InboxPlace {
  readonly folder: string;
  /** Absent: found by itself. */
  readonly as?: string | undefined;
}

/** The folder of files that are being worked at, for this program alone. */
export const AT_WORK = '.catersheet';
/** Where files go when they are done, by what became of them. */
export const ENDS = { done: 'done', planned: 'planned', problems: 'problems' } as const;
/** See `ENDS`. */
export type End = keyof typeof ENDS;

/** Names that programs give to what is not whole yet, or that are no file of the user's. */
const NOT_YET =
  /^(?:[.~]|thumbs\.db$|desktop\.ini$)|(?:~|\.(?:tmp|temp|part|partial|crdownload|download|filepart|opdownload|lock|lck|swp|swx|bak))$/i;

/** Whether a name in an inbox is that of a file to be taken: not hidden, no lock, nothing half-written. */
export const isTakenName = (name: string): boolean => !NOT_YET.test(name);

interface Seen {
  readonly name: string;
  readonly mark: string;
}

/** What changes while a file is still being written. */
const markOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** The files of a folder to be taken, by name. Links, folders, pipes and devices are none. */
async function look(folder: string): Promise<readonly Seen[]> {
  const names = (await readdir(folder)).filter(isTakenName).sort();
  const seen = await Promise.all(
    names.map(async (name) => {
      const found = await lstat(join(folder, name)).catch(() => undefined);
      return found?.isFile() === true ? [{ name, mark: markOf(found) }] : [];
    }),
  );
  return seen.flat();
}

/**
 * The names of the files of a folder that stayed as they were for `settle` seconds: one that is still being
 * written is left for the next time. Throws StopError (file) for a folder that can't be read, and the reason
 * of the signal.
 */
export async function wholeFiles(
  { folder }: InboxPlace,
  settle: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const first = await orUnread(folder, () => look(folder));
  if (first.length === 0) return [];
  await sleep(settle * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
  const then = new Map((await orUnread(folder, () => look(folder))).map(({ name, mark }) => [name, mark]));
  return first.filter(({ name, mark }) => then.get(name) === mark).map(({ name }) => name);
}

async function orUnread<T>(folder: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw folderStop(folder, cause);
  }
}

/** What stops the work in an inbox that can't be used. */
export function folderStop(folder: string, cause: unknown): StopError {
  const { code = 'EIO' } = cause as NodeJS.ErrnoException;
  const { en, nl } =
    code === 'ENOENT' ? NOT_THERE : t(`can’t be used (${code})`, `is niet te gebruiken (${code})`);
  return new StopError(EXIT.file, t(`The inbox ${folder} ${en}.`, `De inbox ${folder} ${nl}.`), {
    cause,
    next: NEXT,
  });
}

const NOT_THERE = t('is not there', 'is er niet');
const NEXT = t(
  'Make the folder, or connect its disk, and give this user the right to read, write and make folders in it.',
  'Maak de map, of verbind de schijf, en geef deze gebruiker het recht om er te lezen, te schrijven en mappen te maken.',
);

/**
 * A folder within an inbox, made where it is missing: who may drop files there could have put a link, and
 * files would go elsewhere. Throws StopError (file) for a link, and where it can't be made.
 */
export async function ownFolder(inbox: string, name: string, mode: number): Promise<string> {
  const folder = join(inbox, name);
  try {
    await mkdir(folder, { mode });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw folderStop(inbox, cause);
  }
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return folder;
  const { en, nl } = IS_LINK;
  throw new StopError(EXIT.file, t(`${folder} ${en}.`, `${folder} ${nl}.`), {
    next: t('Move it away.', 'Haal het daar weg.'),
  });
}

const IS_LINK: Bilingual = t(
  'is no folder but a link or a file, and nothing is put there',
  'is geen map maar een link of een bestand, en daar wordt niets neergezet',
);

/** The inboxes of an entry: the folder, and with `kinds` each folder in it that is called as one of them. */
export async function inboxPlaces(
  folder: string,
  { as, kinds }: { readonly as?: string | undefined; readonly kinds: ReadonlyMap<string, string> },
): Promise<readonly InboxPlace[]> {
  if (kinds.size === 0) return [{ folder, as }];
  const entries = await orUnread(folder, () => readdir(folder, { withFileTypes: true }));
  const named = entries.flatMap((one): InboxPlace[] => {
    const kind = one.isDirectory() ? kinds.get(one.name.toLowerCase()) : undefined;
    return kind === undefined ? [] : [{ folder: join(folder, one.name), as: kind }];
  });
  return [{ folder, as }, ...named];
}
