import { dirname } from 'node:path';
import Database from 'libsql';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { makeFolder } from '../files/folders.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';

/** One connection to a SQLite file. */
export type Db = Database.Database;

const CLOSED = t(
  'Check that the folder can be written to, or name another file with --ledger.',
  'Kijk of er in de map geschreven mag worden, of noem een ander bestand met --ledger.',
);

/** Files that are no ledger of this program. */
const REFUSED = {
  foreign: {
    what: t('is a database of another program', 'is een database van een ander programma'),
    next: t('Name another file with --ledger.', 'Noem een ander bestand met --ledger.'),
  },
  newer: {
    what: t('was written by a newer catersheet', 'is geschreven door een nieuwere catersheet'),
    next: t(
      'Use that version, or name another file with --ledger.',
      'Gebruik die versie, of noem een ander bestand met --ledger.',
    ),
  },
} as const;

/** Opens the ledger's file, creating or upgrading it. Stops with a clear sentence when it cannot be used. */
export function openDatabase(file: string): Db {
  let db: Db | undefined;
  try {
    if (file !== ':memory:') makeFolder(dirname(file));
    db = new Database(file, { timeout: 10_000 });
    db.exec('pragma busy_timeout = 10000');
    refuseForeign(db, file);
    db.exec('pragma journal_mode = wal; pragma synchronous = full;');
    migrate(db, file);
    return db;
  } catch (cause) {
    db?.close();
    if (cause instanceof StopError) throw cause;
    throw new StopError(
      EXIT.usage,
      t(`The ledger ${file} cannot be opened.`, `Het grootboek ${file} kan niet worden geopend.`),
      { next: CLOSED, cause },
    );
  }
}

function numberOf(db: Db, query: string): number {
  return Number(Object.values(db.prepare(query).all()[0] as object)[0]);
}

function refuse(file: string, { what, next }: (typeof REFUSED)[keyof typeof REFUSED]): never {
  const text = t(`The ledger ${file} ${what.en}.`, `Het grootboek ${file} ${what.nl}.`);
  throw new StopError(EXIT.usage, text, { next });
}

/** The tables are looked for first: where another catersheet is just making them, the mark comes along. */
function refuseForeign(db: Db, file: string): void {
  const used = numberOf(db, 'select count(*) from sqlite_master') > 0;
  if (used && numberOf(db, 'pragma application_id') !== APPLICATION_ID) {
    refuse(file, REFUSED.foreign);
  }
}

/** Brings the schema up to date, in one transaction: of several programs that open a new ledger together, one makes it. */
function migrate(db: Db, file: string): void {
  const version = (): number => numberOf(db, 'pragma user_version');
  if (version() === MIGRATIONS.length) return;
  atomically(db, () => {
    const found = version();
    if (found > MIGRATIONS.length) {
      refuse(file, REFUSED.newer);
    }
    for (const migration of MIGRATIONS.slice(found)) db.exec(migration);
    db.exec(`pragma user_version = ${MIGRATIONS.length}`);
  });
}

/** Runs `work` in one transaction: all of it is on disk afterwards, or none. */
export function atomically<T>(db: Db, work: () => T): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    // A full disk has rolled back already.
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
}
