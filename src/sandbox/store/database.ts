import { dirname } from 'node:path';
import Database from 'libsql';
import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { t, withFlag } from '../../core/language.ts';
import { makeFolder, makePrivate } from '../../files/folders.ts';

/** One connection to the sandbox's file. */
export type Connection = InstanceType<typeof Database>;

/** Goes up when the tables or the seeded company change; a file with a lower version is made anew. */
const VERSION = 1;

/** Marks a database as a sandbox's: no other program's is ever emptied. */
const OURS = 0x43_61_74_73;

const ANOTHER_FILE = withFlag(t('Give another file.', 'Geef een ander bestand.'), '--data');

/**
 * All records, with their fields as JSON; the other columns are for looking records up. A deleted record
 * moves to another kind and keeps its id, so that no id is given out twice.
 */
const TABLES = `
  CREATE TABLE record (
    kind TEXT NOT NULL, id INTEGER NOT NULL,
    external INTEGER, parent INTEGER, at TEXT,
    lmt TEXT NOT NULL, fields TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX record_external ON record (kind, external) WHERE external IS NOT NULL;
  CREATE INDEX record_parent ON record (kind, parent) WHERE parent IS NOT NULL;
  CREATE INDEX record_at ON record (kind, at) WHERE at IS NOT NULL;
  CREATE INDEX record_lmt ON record (kind, lmt);
`;

/**
 * Opens the sandbox's data, empty when it is new or older than this version.
 * @throws StopError (usage) when another sandbox has the file, or it is newer than this one or no database.
 */
export function openSandboxDatabase(file: string): { database: Connection; fresh: boolean } {
  try {
    if (file !== ':memory:') {
      makeFolder(dirname(file));
      makePrivate(file);
    }
    const database = new Database(file);
    // One sandbox a file: its counters are in memory, so a second one would give out the same ids.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    return { database, fresh: prepareTables(database, file) };
  } catch (cause) {
    throw cause instanceof StopError ? cause : unusable(file, cause);
  }
}

function prepareTables(database: Connection, file: string): boolean {
  const read = (query: string): number => Number(Object.values(database.prepare(query).get() as object)[0]);
  const found = read('PRAGMA user_version');
  const isOther = read('SELECT count(*) FROM sqlite_master') > 0 && read('PRAGMA application_id') !== OURS;
  if (isOther || found > VERSION) {
    const text = t(
      `${file} is the database of another program, or of a newer version of this one.`,
      `${file} is de database van een ander programma, of van een nieuwere versie van dit programma.`,
    );
    throw usageStop(text, ANOTHER_FILE);
  }
  if (found === VERSION) return false;
  database.exec(`PRAGMA application_id = ${OURS}`);
  database.exec(`BEGIN IMMEDIATE; DROP TABLE IF EXISTS record; ${TABLES} COMMIT;`);
  return true;
}

/** Marks the data as complete; until then the next start makes it anew. */
export function markComplete(database: Connection): void {
  database.exec(`PRAGMA user_version = ${VERSION}`);
}

/** Folds the log into the file and frees it: `close` alone waits until all statements are collected. */
export function closeDatabase(database: Connection): void {
  try {
    database.pragma('journal_mode = DELETE');
    database.pragma('locking_mode = NORMAL');
    database.prepare('SELECT count(*) FROM sqlite_master').get();
  } catch {
    // A full disk has no room for that: all is in the log, which the next start reads.
  }
  database.close();
}

/** Why the data can't be used, by SQLite's error code. */
export function unusable(file: string, cause: unknown): StopError {
  const { code = '' } = cause as { code?: string };
  const { en, nl } = /^SQLITE_(BUSY|LOCKED)$/.test(code)
    ? t('is in use by another sandbox', 'zijn in gebruik bij een andere ingebouwde proefomgeving')
    : t(`can’t be used (${code})`, `zijn niet te gebruiken (${code})`);
  const text = t(
    `The sandbox data ${file} ${en}.`,
    `De gegevens van de ingebouwde proefomgeving in ${file} ${nl}.`,
  );
  return new StopError(EXIT.usage, text, { next: ANOTHER_FILE, cause });
}
