import { randomUUID } from 'node:crypto';
import {
  closeSync,
  createWriteStream,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  type WriteStream,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { unusableName } from './file-name.ts';
import { isHeldHere, placeOf } from './held-files.ts';

/** Where a file was written, and why not at its target. */
export interface PlacedFile {
  readonly place: string;
  readonly notes: readonly Bilingual[];
}

/** The mode of a file that is for its owner alone. */
export const PRIVATE = 0o600;

/** How a written file gets the name of the target, and its mode. */
interface Placing {
  /** Renames a file, replacing what has the name. */
  readonly move?: (from: string, to: string) => Promise<void>;
  /** Pauses in ms before further tries, while another program has the file open. */
  readonly pauses?: readonly number[];
  /** Of what it is made: a new file is open to no more people than that one. */
  readonly like?: string | undefined;
  /** Its mode, whatever is replaced. */
  readonly mode?: number | undefined;
}

/** On Windows virus scanners and indexers open every new file for a moment. */
const PAUSES: readonly number[] = process.platform === 'win32' ? [20, 50, 100, 200, 400] : [];

/**
 * Writes a file atomically: `write` fills a temporary file beside the target, which is synced and renamed. A
 * target that another program has open gets a numbered name. If writing fails the target stays as it was. The
 * file has the mode of the one it replaces, else that of `like`, else the usual one.
 * Throws StopError when the place can't be written to.
 */
export async function writeAtomically(
  target: string,
  write: (stream: WriteStream) => Promise<void>,
  placing: Placing = {},
): Promise<PlacedFile> {
  const place = targetPlace(target);
  const aside = temporaryBeside(place);
  removeLeftovers(dirname(aside));
  const mode = placing.mode ?? modeOf(place) ?? modeOf(placing.like);
  const stream = createWriteStream(aside, { flags: 'wx', ...(mode === undefined ? {} : { mode }) });
  const done = finished(stream);
  try {
    // A failing stream ends the writing, and a failing writer the stream.
    await Promise.race([write(stream), done]);
    stream.end();
    await done;
    await putOnDisk(aside, mode);
    return await moveInto(aside, target, placing);
  } catch (cause) {
    stream.destroy();
    // The file may still be being made, and can't be removed before it is there.
    await done.catch(() => {});
    // The reason for not writing matters more than a leftover, which the next write here removes.
    await rm(aside, { force: true }).catch(() => {});
    throw asWriteStop(target, cause);
  }
}

/** Windows error codes for a file that a program has open. */
const HELD: ReadonlySet<unknown> = new Set(['EBUSY', 'EPERM', 'EACCES']);

const isHeld = (cause: unknown): boolean => HELD.has((cause as NodeJS.ErrnoException).code);

async function moveInto(
  aside: string,
  target: string,
  { move = rename, pauses = PAUSES }: Placing,
): Promise<PlacedFile> {
  // Checked again, as writing may have taken long.
  const place = targetPlace(target);
  try {
    await trying(() => move(aside, place), pauses);
    return { place: target, notes: [] };
  } catch (cause) {
    if (!isHeld(cause) || !existsSync(place)) throw cause;
    const other = freeName(target);
    // If that fails too, the cause was not the open file.
    await move(aside, other).catch(() => Promise.reject(cause));
    return { place: other, notes: [heldOpen(target, other)] };
  }
}

/** Tries again after each pause while a program has the file open; throws the last error. */
async function trying(work: () => Promise<void>, [pause, ...pauses]: readonly number[]): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (pause === undefined || !isHeld(cause)) throw cause;
    await sleep(pause);
    await trying(work, pauses);
  }
}

/** The name of the target with the first free number. */
function freeName(target: string): string {
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

async function putOnDisk(file: string, mode: number | undefined): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
    // Opening took the umask off. Some disks know no modes.
    if (mode !== undefined) await handle.chmod(mode).catch(() => {});
  } finally {
    await handle.close();
  }
}

/** The mode of a file; its owner may write what is made of it. Undefined where there is none, or no modes. */
function modeOf(file: string | undefined): number | undefined {
  if (file === undefined || process.platform === 'win32') return undefined;
  const found = lookAt(file);
  return found?.isFile() === true ? (found.mode & 0o777) | PRIVATE : undefined;
}

/** A temporary file in the folder of the target. */
export function temporaryBeside(place: string): string {
  return join(dirname(place), temporaryName());
}

/**
 * The full path that a target, perhaps a link, leads to. Throws StopError for a place taken by anything but a
 * file: a folder or device must never be replaced.
 */
function targetPlace(target: string): string {
  try {
    const path = resolve(target);
    const reason = unusableName(basename(path));
    if (reason !== undefined) throw writeStop(target, reason);
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there === undefined) return path;
    const place = there.isSymbolicLink() ? linkedPlace(path) : path;
    if (isHeldHere(place)) throw writeStop(target, HELD_HERE);
    const found = lstatSync(place);
    if (found.isFile()) return place;
    if (found.isDirectory()) throw Object.assign(new Error(`${place} is a folder`), { code: 'EISDIR' });
  } catch (cause) {
    throw asWriteStop(target, cause);
  }
  throw writeStop(target, t('it is no ordinary file', 'het is geen gewoon bestand'));
}

const HELD_HERE = t(
  'it is a database that this program has open',
  'het is een database die dit programma open heeft',
);

/** Makes a file and removes it. Throws the error of the disk where that can't be done. */
export function tryFile(file: string): void {
  closeSync(openSync(file, 'wx'));
  rmSync(file, { force: true });
}

/** Checks by doing it that a target can be written now; leaves nothing behind. Throws StopError. */
export function checkWritable(target: string): void {
  const place = targetPlace(target);
  try {
    tryFile(temporaryBeside(place));
    tryOpening(place);
  } catch (cause) {
    throw asWriteStop(target, cause);
  }
}

/** A file may be read-only. One that a program has open is fine: the result gets a numbered name. */
function tryOpening(place: string): void {
  try {
    closeSync(openSync(place, 'r+'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EBUSY') throw cause;
  }
}

/** Throws StopError with EXIT.usage if the target exists: a workbook that may have been filled in. */
export function refuseExisting(file: string): void {
  // Anything but a file is refused when it is written.
  if (lookAt(file)?.isFile() !== true) return;
  throw usageStop(
    t(
      `${file} is there already and may have been filled in; it is not overwritten.`,
      `${file} bestaat al en is misschien ingevuld; het wordt niet overschreven.`,
    ),
    withFlag(
      t('Choose another name, or delete this one.', 'Kies een andere naam, of verwijder dit.'),
      '--out',
    ),
  );
}

/** Checks that a new workbook can be written: by its name, where nothing is yet. Throws StopError with EXIT.usage. */
export function checkNewBook(file: string): void {
  if (extname(file).toLowerCase() !== '.xlsx') throw usageStop(noBook(file), NO_BOOK_NEXT);
  refuseExisting(file);
  checkWritable(file);
}

const noBook = (file: string): Bilingual =>
  t(
    `This is written as a workbook, and ${file} is no name of one.`,
    `Dit wordt een werkmap, en ${file} is daar geen naam voor.`,
  );
const NO_BOOK_NEXT: Bilingual = withFlag(
  t('Choose a name that ends in .xlsx.', 'Kies een naam die eindigt op .xlsx.'),
  '--out',
);

function linkedPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw code === 'ENOENT' ? Object.assign(new Error(message), { code: 'ELOOP' }) : cause;
  }
}

/** What is at a path; undefined where nothing is, or where that can't be seen. */
export function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** After a day nobody is still writing, ms. */
const ABANDONED = 86_400_000;

/** A name for a temporary file: short, as targets may have the longest name there is. */
export function temporaryName(): string {
  return `.catersheet-${randomUUID()}.part`;
}

const PART = /^\.catersheet-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/** Removes abandoned temporary files in a folder. What can't be removed stays. */
function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder).filter((one) => PART.test(one))) {
    const file = join(folder, name);
    try {
      const found = lstatSync(file);
      if (found.isFile() && Date.now() - found.mtimeMs > ABANDONED) rmSync(file, { force: true });
    } catch {}
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether two paths are the same existing file, by device and inode: names may vary, or be links. */
export function isSameFile(one: string, other: string): boolean {
  const [first, second] = [placeOf(one), placeOf(other)];
  if (first === undefined || first !== second) return false;
  // Some network drives have no inodes.
  return !first.endsWith(' 0') || realpathSync(one) === realpathSync(other);
}

const NOT_ALLOWED = t('writing there is not allowed', 'daar mag niet worden geschreven');
const OPEN = t('it is open in another program', 'het staat open in een ander programma');
const FULL = t('the disk is full', 'de schijf is vol');
const TOO_MANY = withFlag(
  t('too many files and connections are open', 'er staan te veel bestanden en verbindingen open'),
  '--concurrency',
);

/** Reasons by error code. */
const REASONS: Record<string, Bilingual> = {
  ENOENT: t('its folder does not exist', 'de map bestaat niet'),
  ENOTDIR: t('its folder is a file', 'de map is een bestand'),
  EISDIR: t('it is a folder', 'het is een map'),
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: t('the disk is read-only', 'de schijf is alleen-lezen'),
  EBUSY: OPEN,
  ETXTBSY: OPEN,
  ENAMETOOLONG: t('its name is too long', 'de naam is te lang'),
  ELOOP: t('it is a link that leads nowhere', 'het is een koppeling die nergens heen gaat'),
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_FULL: FULL,
  SQLITE_READONLY: NOT_ALLOWED,
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  EIO: t('the disk does not answer as it should', 'de schijf antwoordt niet zoals het hoort'),
};

/** Why a file can't be written, by the error of the disk; undefined for other errors. */
export function writeFailureReason(cause: unknown): Bilingual | undefined {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  return code === undefined ? undefined : REASONS[code];
}

/** Makes an error of the disk the StopError for an unwritable target; others stay as they are. */
function asWriteStop(target: string, cause: unknown): unknown {
  const reason = writeFailureReason(cause);
  return reason === undefined ? cause : writeStop(target, reason, cause);
}

/** The StopError for a target that can't be written. */
function writeStop(target: string, reason: Bilingual, cause?: unknown): StopError {
  // A report has a flag of its own.
  const isReport = extname(target).toLowerCase() === '.html';
  const [flag, what] = isReport
    ? (['report', t('The report', 'Het verslag')] as const)
    : (['out', t('The result', 'Het resultaat')] as const);
  const isOpen = reason === OPEN;
  const next = withFlag(
    isOpen
      ? t('Close it there, or name another file.', 'Sluit het daar, of noem een ander bestand.')
      : t(
          'Make room there for it, or name a file elsewhere.',
          'Maak daar plaats, of noem een bestand ergens anders.',
        ),
    `--${flag}`,
  );
  const text = t(
    `${what.en} ${target} can't be written: ${reason.en}.`,
    `${what.nl} ${target} kan niet worden geschreven: ${reason.nl}.`,
  );
  return new StopError(EXIT.usage, text, { next, cause });
}
