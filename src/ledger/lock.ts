import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import Database from 'libsql';
import { type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, same, t, withFlag } from '../core/language.ts';
import type { Time } from '../core/time.ts';
import { makePrivate } from '../files/folders.ts';
import { holdFile } from '../files/held-files.ts';
import { writeFailureReason } from '../files/write-aside.ts';
import { placeOf, sizeOf } from './mark.ts';
import type { Db } from './schema.ts';

/** The right to send with a ledger, which one program has at a time. */
interface LedgerLock {
  release(): void;
}

const RETRY = 250;

/**
 * Takes the lock beside a ledger, after any other program that has it; `onWait` is called once. It ends with
 * the process, however that ends. Throws the signal's reason when that is aborted meanwhile.
 */
export async function lockLedger(
  file: string,
  time: Time,
  {
    signal,
    onWait,
  }: { readonly signal?: AbortSignal | undefined; readonly onWait?: () => Promise<void> } = {},
): Promise<LedgerLock> {
  try {
    const before = placeOf(file);
    let lock = tryLock(file);
    if (lock === null) await onWait?.();
    for (; lock === null; lock = tryLock(file)) await time.sleep(RETRY, signal);
    if (placeOf(file) === before) return lock;
    lock.release();
    throw usageStop(
      t(`The ledger ${file} was replaced meanwhile.`, `Het register ${file} is ondertussen vervangen.`),
      t('Give the same command again.', 'Geef dezelfde opdracht opnieuw.'),
    );
  } catch (error) {
    throw signal?.reason ?? error;
  }
}

/** Takes the lock when no program has it, or it is free within `timeout` ms, else null. */
export function tryLock(file: string, timeout = 0): LedgerLock | null {
  if (file === ':memory:') return { release() {} };
  refuseOtherNames(file);
  const letGo = holdFile(`${file}-lock`);
  let db: Db | undefined;
  try {
    makePrivate(`${file}-lock`);
    db = new Database(`${file}-lock`, { timeout });
    db.exec(`pragma busy_timeout = ${timeout}`);
    db.exec('begin exclusive');
    const held = db;
    return {
      release() {
        held.close();
        letGo();
      },
    };
  } catch (error) {
    db?.close();
    letGo();
    const { message, code } = error as { message?: string; code?: string };
    if (code === 'SQLITE_BUSY' || /busy|locked/i.test(String(message))) return null;
    throw noLock(`${file}-lock`, error);
  }
}

/** Only a file that is none of SQLite may go: removing one that another program holds would let two send. */
function noLock(file: string, cause: unknown): StopError {
  const { code } = cause as { code?: string };
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
    return usageStop(
      t(`The file ${file} is damaged.`, `Het bestand ${file} is beschadigd.`),
      t('Remove it: it holds nothing.', 'Verwijder het: er staat niets in.'),
      cause,
    );
  const reason = writeFailureReason(cause);
  const { en, nl } = reason ?? same(String(cause));
  return usageStop(
    t(`The file ${file} can’t be locked: ${en}.`, `Het bestand ${file} kan niet worden vergrendeld: ${nl}.`),
    reason === undefined ? ON_THIS_MACHINE : MENDED,
    cause,
  );
}

const ON_THIS_MACHINE = withFlag(
  t('Keep the ledger on a disk of this machine.', 'Zet het register op een schijf van deze machine.'),
  '--ledger',
);

const MENDED = withFlag(
  t('Mend that, or name another ledger.', 'Verhelp dat, of noem een ander register.'),
  '--ledger',
);

/** How long another program may take to open the ledger by the same name, ms. */
const OPENING = 3000;
const LOOK = 25;

/**
 * Refuses a ledger that can be reached in two folders. The lock, what was written last and the mark stand
 * beside the file under its name: programs with two names would see nothing of each other, and send twice.
 * @throws StopError (usage) that says where else it is.
 */
export function refuseOtherNames(file: string): void {
  const links = linksOf(file);
  if (links > 1)
    throw refused(
      t(
        `The ledger ${file} has ${links} names (hard links): programs that use it by another name would send the same again.`,
        `Het register ${file} heeft ${links} namen (harde links): programma’s die het onder een andere naam gebruiken, zouden hetzelfde nog eens versturen.`,
      ),
      t('Remove the other names', 'Haal de andere namen weg'),
    );
  if (links > 0 && isMountedAlone(file))
    throw refused(
      t(
        `The ledger ${file} is mounted as a single file: what belongs beside it stays elsewhere, and programs in other containers would send the same again.`,
        `Het register ${file} is als los bestand gekoppeld (mount): wat ernaast hoort, blijft ergens anders, en programma’s in andere containers zouden hetzelfde nog eens versturen.`,
      ),
      t('Mount its folder instead', 'Koppel de map ervan'),
    );
}

/**
 * Refuses a ledger that another program has open by a name in another folder, such as one that was moved
 * there meanwhile: whoever opens it first by this name must be the only one. Where anybody has it open by
 * this name its -shm file is beside it.
 * @throws StopError (usage).
 */
export function refuseOpenElsewhere(file: string): void {
  const until = performance.now() + OPENING;
  // With a -wal that was left, the one who opens the ledger folds it in.
  while (sizeOf(file) > 0 && sizeOf(`${file}-wal`) === 0 && !existsSync(`${file}-shm`)) {
    if (isAlone(file)) return;
    if (performance.now() > until)
      throw refused(
        t(
          `The ledger ${file} is in use under another name or in another folder.`,
          `Het register ${file} is onder een andere naam of in een andere map in gebruik.`,
        ),
        t('End the other program', 'Sluit het andere programma'),
      );
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK);
  }
}

/** How many names a file has; 0 for what is no file, or can't be looked at: opening it says why. */
function linksOf(file: string): number {
  try {
    const found = statSync(file);
    return found.isFile() ? found.nlink : 0;
  } catch {
    return 0;
  }
}

/** Whether nobody has the file open, by whatever name: SQLite locks the file itself while it is open. */
function isAlone(file: string): boolean {
  let db: Db | undefined;
  try {
    db = new Database(file, { timeout: 0 });
    db.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
    return true;
  } catch (error) {
    // What else is wrong with it is said by who opens it.
    return (error as { code?: string }).code !== 'SQLITE_BUSY';
  } finally {
    db?.close();
  }
}

/** Whether a file is a mount of its own; Linux alone has such. */
function isMountedAlone(file: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return isMountIn(readFileSync('/proc/self/mountinfo', 'utf8'), realpathSync(file));
  } catch {
    return false;
  }
}

/** Whether a path is one of these mounts, as the kernel lists them. */
export const isMountIn = (mounts: string, path: string): boolean =>
  mounts.split('\n').some((line) => unescaped(line.split(' ')[4] ?? '') === path);

/** The kernel writes blanks and backslashes by their codes. */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

const refused = (what: Bilingual, way: Bilingual): StopError =>
  usageStop(
    what,
    withFlag(
      t(
        `${way.en}, or name another file. Several machines or containers need a ledger in a database.`,
        `${way.nl}, of noem een ander bestand. Meerdere machines of containers hebben een register in een database nodig.`,
      ),
      '--ledger postgres://…',
    ),
  );
