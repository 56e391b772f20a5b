import { randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../files/folders.ts';
import { isSameFile, PRIVATE, writeAtomically } from '../../files/write-aside.ts';
import { AT_WORK, ENDS, type End, folderStop, ownFolder } from './inbox.ts';

const stateSchema = z.object({
  /** Its name in the inbox. */
  name: z.string(),
  /** Who may go on with it: a ledger and a service. */
  owner: z.string(),
  /** How often it was begun. */
  tries: z.number(),
  /** Its run, once it is planned. */
  run: z.string().nullable(),
  /** How often it had to wait for a service or a database. */
  waits: z.number(),
  /** Where it goes, once that is settled. */
  ending: z
    .object({ end: z.enum(['done', 'planned', 'problems']), stem: z.string(), exit: z.number() })
    .nullable(),
});

type ClaimState = z.infer<typeof stateSchema>;

/** A file of an inbox that this program has taken. */
export interface ClaimedFile extends Readonly<ClaimState> {
  /** The folder that it was dropped into. */
  readonly inbox: string;
  /** The folder that it is in now, alone with what is made of it. */
  readonly folder: string;
  /** Its path now. */
  readonly file: string;
}

/** What is known of a claim, in its folder. */
const STATE = '.state.json';

const claimAt = (inbox: string, folder: string, state: ClaimState): ClaimedFile => ({
  ...{ ...state, inbox, folder, file: join(folder, state.name) },
});

/** Changes what is known of a claim, on disk before it resolves. */
export async function updateClaim(claim: ClaimedFile, change: Partial<ClaimState>): Promise<ClaimedFile> {
  const { name, owner, tries, run, waits, ending } = { ...claim, ...change };
  const state = { name, owner, tries, run, waits, ending };
  await writeAtomically(
    join(claim.folder, STATE),
    async (stream) => void stream.write(JSON.stringify(state)),
    { mode: PRIVATE },
  );
  return claimAt(claim.inbox, claim.folder, state);
}

/**
 * Takes a file out of an inbox, in one step that only one program can do; undefined where it is gone, or is
 * no file any more. Throws StopError (file) for a folder that can't be used.
 */
export async function claimFile(
  inbox: string,
  name: string,
  owner: string,
): Promise<ClaimedFile | undefined> {
  const atWork = await ownFolder(inbox, AT_WORK, 0o700);
  const moment = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(atWork, `${moment}-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(folder, { mode: 0o700 });
    const claim = claimAt(inbox, folder, { name, owner, tries: 0, run: null, waits: 0, ending: null });
    // First what tells of it: a file without that would never be found again.
    const known = await updateClaim(claim, {});
    await rename(join(inbox, name), known.file);
    if ((await lstat(known.file)).isFile()) return known;
    // A link or folder that was put in its place just now.
    await rename(known.file, join(inbox, name));
    await leaveClaim(known);
    return undefined;
  } catch (cause) {
    await rm(join(folder, STATE), { force: true }).catch(() => {});
    await rmdir(folder).catch(() => {});
    const { code = '' } = cause as NodeJS.ErrnoException;
    // On Windows one that a program has open can't be moved: the next time.
    if (code === 'ENOENT' || (process.platform === 'win32' && OPEN.has(code))) return undefined;
    throw folderStop(inbox, cause);
  }
}

const OPEN: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

/**
 * The files of an inbox that a program had taken before, the oldest first, and how many are another's. To be
 * called by the one program that has the entry: then it was left by one that stopped or died.
 */
export async function leftClaims(
  inbox: string,
  owner: string,
): Promise<{ readonly ours: readonly ClaimedFile[]; readonly others: number }> {
  const atWork = join(inbox, AT_WORK);
  const names = await readdir(atWork).catch(() => []);
  const ours: ClaimedFile[] = [];
  let others = 0;
  for (const name of names.sort()) {
    const folder = join(atWork, name);
    const state = await stateIn(folder);
    if (state === undefined) {
      if (await hasFiles(folder)) others += 1;
      else await removeBegun(folder);
      continue;
    }
    const claim = claimAt(inbox, folder, state);
    if (state.owner !== owner) others += 1;
    else if (await isThere(claim.file)) ours.push(claim);
    // Nothing was taken, or all went to its place.
    else await leaveClaim(claim);
  }
  return { ours, others };
}

async function stateIn(folder: string): Promise<ClaimState | undefined> {
  try {
    const state = stateSchema.parse(JSON.parse(await readFile(join(folder, STATE), 'utf8')));
    // A name that leads elsewhere was not written by us.
    return basename(state.name) === state.name ? state : undefined;
  } catch {
    return undefined;
  }
}

const hasFiles = async (folder: string): Promise<boolean> =>
  (await readdir(folder).catch(() => [])).some((name) => !name.startsWith('.'));

/** So old, ms, is what a program that died had only begun to take. */
const BEGUN = 60_000;

/**
 * Removes the folder of a claim that was cut off before its state was written. Never a file in it: where its
 * program lives after all, it finds the folder gone and leaves the file in the inbox.
 */
async function removeBegun(folder: string): Promise<void> {
  try {
    const { mtimeMs } = await lstat(folder);
    if (Date.now() - mtimeMs < BEGUN) return;
    for (const name of await readdir(folder)) if (name.startsWith('.')) await rm(join(folder, name));
    await rmdir(folder);
  } catch {
    // Another one has it, or removed it.
  }
}

const isThere = async (file: string): Promise<boolean> =>
  (await lstat(file).catch(() => undefined))?.isFile() === true;

async function leaveClaim({ folder }: ClaimedFile): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

/** A file that went to its place, with what was made of it. */
export interface PlacedClaim {
  readonly file: string;
  /** What lies beside it: its result, or why it could not be read. */
  readonly beside: readonly string[];
}

/**
 * Moves a file to where it belongs, with what was made of it beside it, over no other file. Goes on where an
 * earlier one was cut off. Throws StopError (file) for a folder that can't be used.
 */
export async function placeClaim(claim: ClaimedFile, end: End, exit: number): Promise<PlacedClaim> {
  const folder = await ownFolder(claim.inbox, ENDS[end], 0o777);
  const ending = extname(claim.name);
  const whole = basename(claim.name, ending);
  try {
    const made = (await readdir(claim.folder)).filter((name) => !name.startsWith('.') && name !== claim.name);
    // `week.result.xlsx` of `week.xlsx`: what follows its name is kept.
    const tails = made.map((name) => (name.startsWith(whole) ? name.slice(whole.length) : `.${name}`));
    const stem = claim.ending?.stem ?? (await freeStem(folder, shortened(whole), [ending, ...tails]));
    const known = await updateClaim(claim, { ending: { end, stem, exit } });
    const beside: string[] = [];
    for (const [at, name] of made.entries())
      beside.push(await moveTo(join(claim.folder, name), join(folder, `${stem}${tails[at] ?? ''}`)));
    // The file itself last: as long as it is here, the rest is looked for.
    const file = await moveTo(known.file, join(folder, `${stem}${ending}`));
    await leaveClaim(known);
    return { file, beside };
  } catch (cause) {
    throw folderStop(folder, cause);
  }
}

/** So many bytes of a name leave room for what follows it. */
const LONGEST = 200;

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
      endings.map((ending) => lstat(join(folder, wanted + ending)).catch(() => undefined)),
    );
    if (taken.every((found) => found === undefined)) return wanted;
  }
}

/** Moves a file, over no other: where one got the name meanwhile, under a free one. Answers its path. */
async function moveTo(file: string, target: string): Promise<string> {
  const ending = extname(target);
  for (let number = 1; ; number++) {
    const place =
      number === 1 ? target : `${target.slice(0, target.length - ending.length)}-${number}${ending}`;
    try {
      await moveOver(file, place);
      return place;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}

async function moveOver(file: string, place: string): Promise<void> {
  try {
    await link(file, place);
    await unlink(file);
  } catch (cause) {
    const isTaken = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    // It got there, and the program died before it was gone from here.
    if (isTaken && (await isSameFile(file, place))) return await unlink(file);
    if (isTaken) throw cause;
    // A disk without such links, as a stick or a network drive: the name is taken first, then filled.
    await (await open(place, 'wx')).close();
    await rename(file, place);
  }
}

/** Copies a file into a folder, made where it is missing, over no other. Throws the error of the disk. */
export async function copyInto(file: string, folder: string, name: string): Promise<string> {
  makeFolder(folder);
  const ending = extname(name);
  const stem = basename(name, ending);
  for (let number = 1; ; number++) {
    const place = join(folder, `${number === 1 ? stem : `${stem}-${number}`}${ending}`);
    try {
      await copyFile(file, place, constants.COPYFILE_EXCL);
      return place;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}

/**
 * What tells an inbox from every other: the same on all machines that see one folder, and another where each
 * has a folder of its own by that name. Undefined where it can't be used now.
 */
export async function inboxSign(inbox: string): Promise<string | undefined> {
  try {
    const file = join(await ownFolder(inbox, AT_WORK, 0o700), 'id');
    try {
      const made = await open(file, 'wx', PRIVATE);
      await made.writeFile(randomUUID());
      await made.close();
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
    const sign = (await readFile(file, 'utf8')).slice(0, 64);
    return sign === '' ? undefined : sign;
  } catch {
    return undefined;
  }
}
