import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { EXIT, StopError } from '../errors.ts';
import { MIGRATIONS } from './migrations.ts';

export type Db = Database.Database;

/** Opens the ledger's file, creating or upgrading it. Stops with a clear sentence when it cannot be used. */
export function openDatabase(file: string): Db {
  let db: Db | undefined;
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    db = new Database(file, { timeout: 10_000 });
    db.exec('pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full;');
    migrate(db, file);
    return db;
  } catch (cause) {
    db?.close();
    if (cause instanceof StopError) throw cause;
    throw new StopError(EXIT.usage, `The ledger ${file} cannot be opened.`, {
      next: 'Check that the folder can be written to, or name another file with --ledger.',
      cause,
    });
  }
}

function versionOf(db: Db): number {
  return (db.prepare('pragma user_version').get() as { user_version: number }).user_version;
}

/** Brings the schema up to date, in one transaction: of several programs that open a new ledger together, one makes it. */
function migrate(db: Db, file: string): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  atomically(db, () => {
    const version = versionOf(db);
    if (version > MIGRATIONS.length) {
      throw new StopError(EXIT.usage, `The ledger ${file} was written by a newer catersheet.`, {
        next: 'Use that version, or name another file with --ledger.',
      });
    }
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
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
