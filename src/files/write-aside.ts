import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, readlinkSync, type WriteStream } from 'node:fs';
import { lstat, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bilingual, t } from '../core/language.ts';
import { unusableName } from './file-name.ts';
import { asWriteStop, writeStop } from './write-failure.ts';

/** Where a file came to stand, and why not where it was to. */
export interface PlacedFile {
  readonly place: string;
  readonly notes: readonly Bilingual[];
}

/** How a file that is written gets the target's name. */
export interface Placing {
  /** Moves a file to another name, in place of what has that name. */
  readonly move?: (from: string, to: string) => Promise<void>;
  /** How long is waited for another program, ms, before each further try. */
  readonly pauses?: readonly number[];
}

/** On Windows a program that looks for viruses, or makes an index, opens every new file for a moment. */
const PAUSES: readonly number[] = process.platform === 'win32' ? [20, 50, 100, 200, 400] : [];

/**
 * Lets `write` fill a new file beside the target, then puts it on disk and in the target's place, so that nobody ever sees half a file.
 * A target that another program holds open gets a numbered name. When writing fails the new file is removed and the target stays what it was.
 * Throws StopError when the place can't be written to.
 */
export async function writeAside(
  target: string,
  write: (stream: WriteStream) => Promise<void>,
  placing: Placing = {},
): Promise<PlacedFile> {
  const aside = asideOf(await targetPlace(target));
  await removeLeftovers(dirname(aside));
  const stream = createWriteStream(aside, { flags: 'wx' });
  const done = finished(stream);
  try {
    // A stream that fails ends the writing, and a writer that fails the stream.
    await Promise.race([write(stream), done]);
    stream.end();
    await done;
    await putOnDisk(aside);
    return await moveInto(aside, target, placing);
  } catch (cause) {
    stream.destroy();
    // On a busy machine the file may still be being made; it can't be removed before it is there.
    await done.catch(() => {});
    // Why it could not be written counts for more than that it could not be removed: the next that is written here does that.
    await rm(aside, { force: true }).catch(() => {});
    throw asWriteStop(target, cause);
  }
}

/** What Windows answers where a program holds the file open. */
const HELD: ReadonlySet<unknown> = new Set(['EBUSY', 'EPERM', 'EACCES']);

const isHeld = (cause: unknown): boolean => HELD.has((cause as NodeJS.ErrnoException).code);

async function moveInto(
  aside: string,
  target: string,
  { move = rename, pauses = PAUSES }: Placing,
): Promise<PlacedFile> {
  // Looked at once more: writing may have taken long.
  const place = await targetPlace(target);
  try {
    await trying(() => move(aside, place), pauses);
    return { place: target, notes: [] };
  } catch (cause) {
    if (!isHeld(cause) || !existsSync(place)) throw cause;
    const other = freeName(target);
    // Where that fails too, what stood in the way was not the file.
    await move(aside, other).catch(() => Promise.reject(cause));
    return { place: other, notes: [heldOpen(target, other)] };
  }
}

/** Tries again after each pause while a program holds the file; throws what the last try says. */
async function trying(work: () => Promise<void>, [pause, ...pauses]: readonly number[]): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (pause === undefined || !isHeld(cause)) throw cause;
    await sleep(pause);
    await trying(work, pauses);
  }
}

/** The target's name with the first number that no file has. */
export function freeName(target: string): string {
  const ending = extname(target);
  const stem = target.slice(0, target.length - ending.length);
  let number = 2;
  while (existsSync(`${stem}-${number}${ending}`)) number++;
  return `${stem}-${number}${ending}`;
}

function heldOpen(target: string, other: string): Bilingual {
  return t(
    `${target} is open in another program and stays as it was; this result is ${other}`,
    `${target} staat open in een ander programma en blijft zoals het was; dit resultaat is ${other}`,
  );
}

async function putOnDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A file of our own in the target's folder: short, as the target's name may be as long as names can be. */
export function asideOf(place: string): string {
  return join(dirname(place), partName());
}

/**
 * The full path at which a target is written: where its link leads, if it is one. Throws StopError for a target whose
 * place is taken by anything but an ordinary file, as such a thing (a folder, a device) must never be replaced.
 */
async function targetPlace(target: string): Promise<string> {
  try {
    const path = resolve(target);
    const reason = unusableName(basename(path));
    if (reason !== undefined) throw writeStop(target, reason);
    const there = await lstat(path).catch(undefinedIfMissing);
    if (there === undefined) return path;
    const place = there.isSymbolicLink() ? await realpath(path).catch(leadsNowhere) : path;
    const found = await lstat(place);
    if (found.isFile()) return place;
    if (found.isDirectory()) throw Object.assign(new Error(`${place} is a folder`), { code: 'EISDIR' });
  } catch (cause) {
    throw asWriteStop(target, cause);
  }
  throw writeStop(target, t('it is no ordinary file', 'het is geen gewoon bestand'));
}

/** Finds out, by doing it, whether a target could be written now; leaves nothing behind. Throws StopError. */
export async function tryTarget(target: string): Promise<void> {
  const place = await targetPlace(target);
  const aside = asideOf(place);
  try {
    const own = await open(aside, 'wx');
    await own.close();
    await rm(aside, { force: true });
    // A file that may not be written. One that a program holds open does no harm: the result gets a numbered name.
    const old = await open(place, 'r+').catch(undefinedIfHeld);
    await old?.close();
  } catch (cause) {
    throw asWriteStop(target, cause);
  }
}

function undefinedIfMissing(cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'ENOENT') throw cause;
}

function undefinedIfHeld(cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'EBUSY') undefinedIfMissing(cause);
}

function leadsNowhere(cause: NodeJS.ErrnoException): never {
  throw cause.code === 'ENOENT' ? Object.assign(new Error(cause.message), { code: 'ELOOP' }) : cause;
}

const DAY = 86_400_000;
/** After so long nobody is still writing, wherever that may be. */
const ABANDONED = 7 * DAY;

/** Processes with the same sign can see each other by their ids: of one machine and, where there are several, of one container. */
const SIGN = createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8);

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** A name for a file of our own that is to become another: short, and telling who writes it. */
export function partName(): string {
  return `.catersheet-${SIGN}-${process.pid}-${randomUUID()}.part`;
}

const PART = /^\.catersheet-(?:([0-9a-f]{8})-(\d{1,10})-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/**
 * Removes from a folder what writers that were killed left in it: of processes here that are no more, and of others, who may write to
 * the same folder from elsewhere, what nobody touched for a week. It is a courtesy: what can't be removed stays.
 */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [whole, sign, id] = PART.exec(name) ?? [];
    if (whole === undefined) continue;
    const file = join(folder, name);
    const left = sign === SIGN ? !isAlive(Number(id)) : await isAbandoned(file);
    if (left) await rm(file, { force: true }).catch(() => {});
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (cause) {
    // Another user's process answers that it may not be asked.
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() === true && Date.now() - found.mtimeMs > ABANDONED;
}

/** Whether two names are of one file that is there, by what the disk knows of them: names may differ in case, or be links. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => stat(file, { bigint: true }).catch(() => undefined)),
  );
  if (first === undefined || first.dev !== second?.dev || first.ino !== second.ino) return false;
  // Some drives on a network number no files.
  return first.ino !== 0n || (await realpath(one)) === (await realpath(other));
}
