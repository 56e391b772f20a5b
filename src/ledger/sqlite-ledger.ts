import { dirname } from 'node:path';
import Database from 'libsql';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { makeFolder, makePrivate } from '../files/folders.ts';
import { writeFailureReason } from '../files/write-failure.ts';
import { keepCopy } from './copies.ts';
import { asDamage, damagedBy, damagedStop } from './damage.ts';
import type { Ledger } from './ledger.ts';
import { tryLock } from './lock.ts';
import { isAsLeft, isNew, type Mark, openMarks, readMark, refuseOlder } from './mark.ts';
import { planStore } from './plan-store.ts';
import { postingStore } from './posting-store.ts';
import { conflictStore, recordStore, resendStore, unsettledStore, writeStore } from './record-store.ts';
import { cutOffStore, rowStore, runStore } from './run-store.ts';
import { findDamage } from './scan.ts';
import { APPLICATION_ID, LAST_UNRELEASED, MIGRATIONS, SCHEMA_VERSION } from './schema.ts';
import { atomically, type Db, ledgerStop, openWriter } from './writer.ts';

/**
 * Opens the ledger in a SQLite file, or in memory for `:memory:`.
 * @throws StopError (usage) when the file can't be used.
 */
export function openLedger(file: string): Ledger {
  const db = openDatabase(file);
  try {
    return guarded(file, storesOf(db, file));
  } catch (cause) {
    db.close();
    throw ledgerStop(file, cause) ?? cause;
  }
}

function storesOf(db: Db, file: string): Ledger {
  const marks = openMarks(db, file);
  const writer = openWriter(db, file, marks);
  const plans = planStore(db, writer);
  const close = async (): Promise<void> => {
    await plans.settled();
    writer.flush();
    try {
      marks?.keep(() => closeWhole(db));
    } catch {
      // It is closed already, or damaged, which was said where it was read.
    }
    db.close();
  };
  return {
    ...runStore(db, writer),
    savePlan: plans.savePlan,
    replaceRows: plans.replaceRows,
    plannedFor: plans.plannedFor,
    rowsAt: plans.rowsAt,
    ...rowStore(db, writer, plans),
    ...recordStore(db, writer),
    ...postingStore(db, writer),
    ...conflictStore(db, writer),
    ...resendStore(db, writer),
    ...unsettledStore(db, writer),
    ...cutOffStore(db, plans),
    ...writeStore(db, writer, plans),
    close,
  };
}

/** The ledger, whose methods say what is wrong with the file where SQLite or what it holds does. */
function guarded(file: string, ledger: Ledger): Ledger {
  const rethrow = (error: unknown): never => {
    throw ledgerStop(file, error) ?? error;
  };
  const methods = Object.entries(ledger).map(([name, method]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]) => {
      try {
        const answer = method(...given);
        return answer instanceof Promise ? answer.catch(rethrow) : answer;
      } catch (error) {
        return rethrow(error);
      }
    },
  ]);
  return Object.fromEntries(methods) as Ledger;
}

/** Folds the -wal file into the ledger first, unless others have it open. */
function closeWhole(db: Db): void {
  db.exec('pragma busy_timeout = 0');
  db.prepare('pragma wal_checkpoint(truncate)').all();
  db.close();
}

const CLOSED = t(
  'Check that the folder can be written to, or name another file with --ledger.',
  'Kijk of er in de map geschreven mag worden, of noem een ander bestand met --ledger.',
);

/** Databases that are no ledger of this program. */
const REFUSED = {
  foreign: {
    what: t('is a database of another program', 'is een database van een ander programma'),
    next: t('Name another file with --ledger.', 'Noem een ander bestand met --ledger.'),
  },
  unreleased: {
    what: t(
      'was written by a catersheet from before its first release',
      'is geschreven door een catersheet van vóór de eerste uitgave',
    ),
    next: t(
      'Finish its runs with that version, then move the file away or name another one with --ledger.',
      'Maak de runs daarin af met die versie, en verplaats het bestand dan of noem een ander met --ledger.',
    ),
  },
  newer: {
    what: t('was written by a newer catersheet', 'is geschreven door een nieuwere catersheet'),
    next: t(
      'Use that version, or name another file with --ledger.',
      'Gebruik die versie, of noem een ander bestand met --ledger.',
    ),
  },
} as const;

/** Opens the ledger's file; makes or upgrades it. @throws StopError (usage) when it can't be used. */
export function openDatabase(file: string): Db {
  let db: Db | undefined;
  try {
    const mark = file === ':memory:' ? undefined : readMark(file);
    const fresh = file === ':memory:' || makeReady(file, mark);
    const known = fresh || isAsLeft(file, mark);
    db = new Database(file, { timeout: 10_000 });
    db.exec('pragma busy_timeout = 10000');
    refuseForeign(db, file);
    if (!known && !isInUse(file)) refuseDamaged(db, file);
    db.exec('pragma journal_mode = wal; pragma synchronous = full;');
    migrate(db, file);
    refuseOlder(db, file, mark);
    return db;
  } catch (cause) {
    const stop = cause instanceof StopError ? cause : asDamage(file, cause);
    // Closing would fold a -wal file into what is damaged, and perhaps only by it.
    if (stop === undefined || stop.cause === undefined) db?.close();
    if (stop !== undefined) throw stop;
    const reason = writeFailureReason(cause);
    const [en, nl] = reason === undefined ? ['', ''] : [`: ${reason.en}`, `: ${reason.nl}`];
    const text = t(
      `The ledger ${file} cannot be opened${en}.`,
      `Het grootboek ${file} kan niet worden geopend${nl}.`,
    );
    throw new StopError(EXIT.usage, text, { next: CLOSED, cause });
  }
}

/** Makes the file where there never was one; answers whether it did. */
function makeReady(file: string, mark: Mark | undefined): boolean {
  makeFolder(dirname(file));
  const fresh = isNew(file, mark);
  makePrivate(file);
  return fresh;
}

/** Who has it open looked when opening it. */
function isInUse(file: string): boolean {
  const lock = tryLock(file);
  lock?.release();
  return lock === null;
}

/** @throws StopError for a ledger that is damaged, or holds what no ledger holds. */
function refuseDamaged(db: Db, file: string): void {
  const version = numberOf(db, 'pragma user_version');
  if (version <= LAST_UNRELEASED || version > SCHEMA_VERSION) return;
  const found = findDamage(db, version);
  if (found !== undefined) throw damagedStop(file, damagedBy(found));
}

function numberOf(db: Db, query: string): number {
  return Number(Object.values(db.prepare(query).all()[0] as object)[0]);
}

function refuse(file: string, { what, next }: (typeof REFUSED)[keyof typeof REFUSED]): never {
  const text = t(`The ledger ${file} ${what.en}.`, `Het grootboek ${file} ${what.nl}.`);
  throw usageStop(text, next);
}

/** Tables first: another catersheet that is just making them commits its mark with them. */
function refuseForeign(db: Db, file: string): void {
  const used = numberOf(db, 'select count(*) from sqlite_master') > 0;
  if (used && numberOf(db, 'pragma application_id') !== APPLICATION_ID) refuse(file, REFUSED.foreign);
}

/** Brings the schema up to date in one transaction: of several programs one makes a new ledger. */
function migrate(db: Db, file: string): void {
  const version = (): number => numberOf(db, 'pragma user_version');
  const before = version();
  if (before === SCHEMA_VERSION) return;
  if (before > LAST_UNRELEASED && before < SCHEMA_VERSION) keepCopy(file);
  atomically(db, () => {
    const found = version();
    if (found > SCHEMA_VERSION) refuse(file, REFUSED.newer);
    if (found > 0 && found <= LAST_UNRELEASED) refuse(file, REFUSED.unreleased);
    for (const migration of MIGRATIONS.slice(Math.max(0, found - LAST_UNRELEASED))) db.exec(migration);
    db.exec(`pragma user_version = ${SCHEMA_VERSION}`);
  });
}
