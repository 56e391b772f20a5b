import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import Database from 'libsql';
import { type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { sizeOf } from './mark.ts';
import type { Db } from './schema.ts';

/** How long another program may take to open the ledger by the same name, ms. */
const OPENING = 3000;
const RETRY = 25;

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
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY);
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
