import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { EXIT, StopError } from '../errors.ts';
import { MIGRATIONS } from './migrations.ts';

export type Db = Database.Database;

/** Opens the ledger's file, creating or upgrading it. Stops with a clear sentence when it cannot be used. */
export function openDatabase(file: string): Db {
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    const db = new Database(file, { timeout: 10_000 });
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 10000;');
    migrate(db, file);
    return db;
  } catch (cause) {
    if (cause instanceof StopError) throw cause;
    throw new StopError(EXIT.usage, `The ledger ${file} cannot be opened.`, {
      next: 'Check that the folder can be written to, or name another file with --ledger.',
      cause,
    });
  }
}

function migrate(db: Db, file: string): void {
  const { user_version: version } = db.prepare('pragma user_version').get() as { user_version: number };
  if (version > MIGRATIONS.length) {
    throw new StopError(EXIT.usage, `The ledger ${file} was written by a newer catersheet.`, {
      next: 'Use that version, or name another file with --ledger.',
    });
  }
  for (let next = version; next < MIGRATIONS.length; next++) {
    db.exec(`begin immediate; ${MIGRATIONS[next]} pragma user_version = ${next + 1}; commit;`);
  }
}
