import Database from 'libsql';
import { type StopError, usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import type { Time } from '../core/time.ts';
import { makePrivate } from '../files/folders.ts';
import { holdFile } from '../files/held-files.ts';
import { writeFailureReason } from '../files/write-aside.ts';
import { placeOf } from './mark.ts';
import { refuseOtherNames } from './one-name.ts';
import type { Db } from './schema.ts';

/** The right to send with a ledger, which one program has at a time. */
export interface LedgerLock {
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
  const { en, nl } = reason ?? t(String(cause), String(cause));
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
