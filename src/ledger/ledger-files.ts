import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type StopError, usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { systemTime } from '../core/time.ts';
import { writeFailureReason } from '../files/write-aside.ts';
import { copiedAt, copyLedger, keepCopy, listCopies } from './copies.ts';
import { isDatabase } from './database-address.ts';
import { readMark } from './mark.ts';
import { putBack } from './restore.ts';
import { lookInto } from './sqlite-ledger.ts';

/** Whether the ledger is whole, what it holds, and which copies there are of it; nothing is changed. */
export async function checkLedger(ledger: string) {
  if (!isDatabase(ledger)) return { ...checkFile(ledger), isFile: true };
  const { lookIntoDatabase } = await import('./postgres/pg-ledger.ts');
  return { ledger, found: await lookIntoDatabase(ledger), copies: [], isFile: false };
}

function checkFile(ledger: string) {
  const copies = listCopies(ledger).map(lookIntoCopy);
  return { ledger, found: lookInto(ledger, readMark(ledger)), copies };
}

/** Throws StopError for a ledger in a database, which is not copied as a file is. */
function refuseDatabase(ledger: string): void {
  if (!isDatabase(ledger)) return;
  throw usageStop(
    t(
      `The ledger ${ledger} is a database: its backups are made and put back with its own programs.`,
      `Het register ${ledger} is een database: back-ups worden met de eigen programma's gemaakt en teruggezet.`,
    ),
    t('See docs/operations.md: pg_dump and pg_restore.', 'Zie docs/operations.md: pg_dump en pg_restore.'),
  );
}

const lookIntoCopy = (file: string) => ({ file, at: copiedAt(file), found: lookInto(file) });

/**
 * Copies the ledger as it is now into a file, or else beside it. Throws StopError with EXIT.usage for one
 * that is damaged, and for a file that is no backup of a ledger.
 */
export function backUpLedger(named: string | undefined, ledger: string) {
  refuseDatabase(ledger);
  const found = lookInto(ledger, readMark(ledger));
  if (found?.stop !== undefined) throw found.stop;
  if (found === undefined) throw noLedger(ledger);
  const target = named === undefined ? undefined : resolve(named);
  const replaced = target !== undefined && existsSync(target);
  if (replaced) refuseTarget(target);
  try {
    if (target !== undefined) copyLedger(ledger, target);
    return {
      ledger,
      backup: target ?? keepCopy(ledger, systemTime.now()),
      replaced,
      holds: found.holds,
    };
  } catch (cause) {
    const reason = writeFailureReason(cause);
    if (reason === undefined) throw cause;
    const text = t(
      `The backup ${target ?? ledger} can't be written: ${reason.en}.`,
      `De back-up ${target ?? ledger} kan niet worden geschreven: ${reason.nl}.`,
    );
    throw usageStop(text, ANOTHER, cause);
  }
}

const ANOTHER = t('Name another file.', 'Noem een ander bestand.');

/** A file is replaced only by a backup of what it is a backup of: no ledger that is used, nothing else. */
function refuseTarget(target: string): void {
  const used = ['.mark', '-wal', '-lock'].some((end) => existsSync(target + end));
  if (!used && statSync(target).isFile() && lookInto(target)?.holds !== undefined) return;
  throw usageStop(
    t(
      `${target} is there already, and is no backup of a ledger; it is not overwritten.`,
      `${target} bestaat al, en is geen back-up van een register; het wordt niet overschreven.`,
    ),
    ANOTHER,
  );
}

const noLedger = (file: string): StopError =>
  usageStop(
    t(`There is no ledger ${file} yet.`, `Er is nog geen register ${file}.`),
    withFlag(t('Name another one.', 'Noem een ander.'), '--ledger'),
  );

/**
 * The copy that is named, or the newest that is whole, to be put back. Throws StopError with EXIT.usage for
 * one that is damaged or no ledger, and where there is none.
 */
export function chooseCopy(named: string | undefined, ledger: string) {
  refuseDatabase(ledger);
  const { copies, found: now } = checkFile(ledger);
  // What was put back would send again beside the one that is in use.
  if (now?.moved !== undefined) throw now.moved;
  const copy = named === undefined ? undefined : resolve(named);
  const chosen =
    copy === undefined
      ? copies.find(({ found }) => found?.holds !== undefined)
      : (copies.find(({ file }) => file === copy) ?? lookIntoCopy(copy));
  const { file, at, found } = chosen ?? {};
  const another = withFlag(
    t('Name a backup of your own.', 'Noem een eigen back-up.'),
    'catersheet ledger restore backup.db',
  );
  // What is to be done about a ledger is no advice about a copy.
  if (found?.stop !== undefined) throw usageStop(found.stop.texts.message, another);
  if (file === undefined || at === undefined || found === undefined)
    throw usageStop(
      copy === undefined
        ? t(`There is no whole copy of ${ledger}.`, `Er is geen hele kopie van ${ledger}.`)
        : t(`There is no ledger in ${copy}.`, `Er is geen register in ${copy}.`),
      another,
    );
  return { ledger, copies, copy: file, at, holds: found.holds };
}

/** Puts a chosen copy in the place of the ledger, which is kept, and says what the copy does not know. */
export function restoreLedger(chosen: ReturnType<typeof chooseCopy>) {
  const mark = readMark(chosen.ledger);
  const { kept, lost, carried } = putBack(chosen.ledger, chosen.copy);
  const held = mark === undefined || Number.isNaN(mark.generation) ? undefined : mark.runs;
  const { holds = chosen.holds } = lookInto(chosen.ledger) ?? {};
  return { ...chosen, holds, kept: kept ?? null, lost, carried, held: held ?? null };
}
