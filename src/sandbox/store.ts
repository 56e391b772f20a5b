import { dirname } from 'node:path';
import Database from 'libsql';
import { parseIso } from '../core/codecs/datetime.ts';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import type { Values } from '../core/value.ts';
import { makeFolder, makePrivate } from '../files/folders.ts';

/** The kinds of records that requests change. */
export const RECORD_KINDS = [
  'package',
  'recipe',
  'stock',
  'mutation',
  'event',
  'link',
  'trip',
  'document',
  'order',
  'orderCall',
] as const;

type RecordKind = (typeof RECORD_KINDS)[number];

/** A record as it is stored. */
export interface StoredRecord {
  readonly id: number;
  /** When it was last written: `YYYY-MM-DD hh:mm:ss.SSS`. */
  readonly lmt: string;
  readonly values: Values;
}

/** The service's records. Every call is one statement, unless it is made inside `atomic`. */
export type Store = ReturnType<typeof recordsOf>;

/** One connection to the sandbox's file. */
type Connection = InstanceType<typeof Database>;

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
 * Opens the sandbox's records; `plant` fills them when the file is new or older than this version.
 * @throws StopError (usage) when another sandbox has the file, or it is newer than this one or no database.
 */
export function openStore(file: string, plant: (store: Store) => void): Store {
  let database: Connection | undefined;
  try {
    if (file !== ':memory:') {
      makeFolder(dirname(file));
      makePrivate(file);
    }
    database = new Database(file);
    // One sandbox a file: its counters are in memory, so a second one would give out the same ids.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    const isNew = prepareTables(database, file);
    const store = recordsOf(database);
    if (isNew) {
      plant(store);
      // Until here the next start makes it anew.
      database.exec(`PRAGMA user_version = ${VERSION}`);
    }
    return store;
  } catch (cause) {
    database?.close();
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

/** Folds the log into the file and frees it: `close` alone waits until all statements are collected. */
function closeDatabase(database: Connection): void {
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
function unusable(file: string, cause: unknown): StopError {
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

/** Packages and recipes share one series of ids. */
const seriesOf = (kind: string): string => (kind === 'package' || kind === 'recipe' ? 'product' : kind);

/** The records in a prepared database. */
function recordsOf(database: Connection) {
  const columns = 'SELECT id, lmt, fields FROM record WHERE kind = ?';
  const select = (where: string) => {
    const statement = database.prepare(`${columns} ${where}`);
    return (...values: unknown[]): StoredRecord[] => (statement.all(...values) as Row[]).map(stored);
  };
  const byId = select('AND id = ?');
  const byExternal = select('AND external = ? ORDER BY id LIMIT 1');
  const byParent = select('AND parent = ? ORDER BY id');
  const between = select('AND at >= ? AND at <= ? ORDER BY at, id');
  const all = select('ORDER BY id');
  // The inner select runs over the index alone, which keeps far pages cheap; CROSS JOIN keeps it first.
  const modified = database.prepare(
    `SELECT record.id, record.lmt, record.fields
     FROM (SELECT kind, lmt, id FROM record WHERE kind = ? AND lmt > ? ORDER BY lmt, id LIMIT ? OFFSET ?) AS place
     CROSS JOIN record ON record.kind = place.kind AND record.id = place.id
     ORDER BY place.lmt, place.id`,
  );
  const count = database.prepare('SELECT count(*) AS n FROM record WHERE kind = ? AND lmt > ?');
  const put = database.prepare('INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?, ?)');
  const remove = database.prepare(
    "UPDATE record SET kind = 'deleted ' || kind, lmt = ? WHERE kind = ? AND id = ?",
  );

  const clock = createClock(database);
  const last = lastNumbers(database);
  // Every page of a list gives the total, and counting costs more than the page.
  const counts = new Map<string, number>();

  const write = (kind: RecordKind, id: number, lmt: string, values: Values): void => {
    const at = typeof values.Datum === 'string' ? wallTime(values.Datum) : null;
    const parent = kind === 'event' ? null : (values.PartijID ?? null);
    counts.clear();
    put.run(kind, id, values.ExternalID ?? null, parent, at, lmt, JSON.stringify(values));
  };
  const nextNumber = (kind: RecordKind): number => (last.get(seriesOf(kind)) ?? 0) + 1;

  return {
    get: (kind: RecordKind, id: number) => byId(kind, id)[0],
    /** The first record with this ExternalID, which need not be unique. */
    byExternal: (kind: RecordKind, externalId: number) => byExternal(kind, externalId)[0],
    /** The records of one event. */
    byEvent: (kind: RecordKind, partijId: number) => byParent(kind, partijId),
    /** The records whose Datum lies from `from` up to and including `to`, by date. */
    between: (kind: RecordKind, from: string, to: string) => between(kind, from, to),
    /** The records written after `since`, in that order. */
    modified: (kind: RecordKind, since: string, limit = -1, offset = 0) =>
      (modified.all(kind, since, limit, offset) as Row[]).map(stored),
    countModified(kind: RecordKind, since: string): number {
      const key = `${kind} ${since}`;
      const known = counts.get(key) ?? (count.get(kind, since) as { n: number }).n;
      counts.set(key, known);
      return known;
    },
    all: (kind: RecordKind) => all(kind),
    /** With the next number of its kind and at this moment by default. */
    insert(
      kind: RecordKind,
      values: Values,
      { id = nextNumber(kind), lmt = clock() }: Partial<Omit<StoredRecord, 'values'>> = {},
    ): number {
      write(kind, id, lmt, values);
      last.set(seriesOf(kind), Math.max(id, last.get(seriesOf(kind)) ?? 0));
      return id;
    },
    /** Sets the given fields and leaves the others; null clears. */
    update: ({ id, values }: StoredRecord, kind: RecordKind, changes: Values) =>
      write(kind, id, clock(), { ...values, ...changes }),
    remove: (kind: RecordKind, id: number) => {
      counts.clear();
      remove.run(clock(), kind, id);
    },
    atomic: <Result>(work: () => Result): Result => database.transaction(work)(),
    close: () => closeDatabase(database),
  };
}

interface Row {
  readonly id: number;
  readonly lmt: string;
  readonly fields: string;
}

const stored = (row: Row): StoredRecord => ({ id: row.id, lmt: row.lmt, values: JSON.parse(row.fields) });

function lastNumbers(database: Connection): Map<string, number> {
  const rows = database.prepare('SELECT kind, max(id) AS id FROM record GROUP BY kind').all();
  const last = new Map<string, number>();
  for (const { kind, id } of rows as { kind: string; id: number }[]) {
    const series = seriesOf(kind.replace('deleted ', ''));
    last.set(series, Math.max(id, last.get(series) ?? 0));
  }
  return last;
}

/** Gives each write its LMT: the local time, but always later than the one before. */
function createClock(database: Connection): () => string {
  const { lmt } = database.prepare('SELECT max(lmt) AS lmt FROM record').get() as { lmt: string | null };
  let previous = lmt === null ? 0 : wallMilliseconds(lmt);
  return () => {
    previous = Math.max(wallMilliseconds(localNow()), previous + 1);
    return wallText(previous);
  };
}

/** Wall-clock text as milliseconds, without a time zone. */
const wallMilliseconds = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** Milliseconds as wall-clock text, `YYYY-MM-DD hh:mm:ss.SSS`. */
export const wallText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');

/** A moment of a request as LMT is stored, `YYYY-MM-DD hh:mm:ss.SSS`, so that text compares as time. */
export const wallTime = (text: string): string => `${parseIso(text) ?? text}.000`.slice(0, 23);

/** The local wall clock as `YYYY-MM-DD hh:mm:ss.SSS`. */
export function localNow(): string {
  const now = Date.now();
  return wallText(now - new Date(now).getTimezoneOffset() * 60_000);
}
