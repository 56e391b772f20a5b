import { dirname } from 'node:path';
import Database from 'libsql';
import { StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, same, t, withFlag } from '../core/language.ts';
import { makeFolder, makePrivate } from '../files/folders.ts';
import { holdFile, isHeldHere } from '../files/held-files.ts';
import { writeFailureReason } from '../files/write-aside.ts';
import { unpackChunk } from './chunks.ts';
import { keepCopy } from './copies.ts';
import type { Ledger } from './ledger.ts';
import { refuseOpenElsewhere, refuseOtherNames, tryLock } from './lock.ts';
import { isAsLeft, isNew, openMarks, readMark, refuseOlder } from './mark.ts';
import { APPLICATION_ID, checkWhole, type Db, numberOf, OLDEST, renew, unreadable } from './schema.ts';
import type { Param, Sql, Statement, StoredPlace } from './sql.ts';
import { asDamage, ledgerStop, MOVED_TO, movedStop } from './stops.ts';
import { storesOn } from './stores/stores.ts';
import { HOLDS, type Holds, NEXT_CHUNKS, VERSION } from './tables.ts';
import { atomically, openWriter } from './writer.ts';

/**
 * Opens the ledger in a SQLite file, or in memory for `:memory:`; `tell` hears of a copy that can't be kept.
 * @throws StopError (usage) when the file can't be used.
 */
export function openLedger(file: string, tell?: (words: Bilingual) => void): Ledger {
  const db = openDatabase(file, tell);
  try {
    return storesOf(db, file);
  } catch (cause) {
    db.close();
    throw ledgerStop(file, cause) ?? cause;
  }
}

function storesOf(db: Db, file: string): Ledger {
  const marks = openMarks(db, file);
  const writer = openWriter(db, file, marks);
  const close = async (): Promise<void> => {
    await writer.settled();
    writer.close();
    try {
      marks?.keep(() => closeWhole(db));
    } catch {
      // It is closed already, or damaged, which was said where it was read.
    }
    db.close();
  };
  return storesOn(sqliteSql(db, writer), close, (error) => ledgerStop(file, error));
}

/** Folds the -wal file into the ledger first, unless others have it open. */
export function closeWhole(db: Db): void {
  db.exec('pragma busy_timeout = 0');
  db.prepare('pragma wal_checkpoint(truncate)').all();
  db.close();
}

const CLOSED = withFlag(
  t(
    'Check that the folder can be written to, or name another file.',
    'Kijk of er in de map geschreven mag worden, of noem een ander bestand.',
  ),
  '--ledger',
);

/** Databases that are no ledger of this program. */
const REFUSED = {
  foreign: {
    what: t('is a database of another program', 'is een database van een ander programma'),
    next: withFlag(
      t('Move it away, or name another file.', 'Zet het ergens anders, of noem een ander bestand.'),
      '--ledger',
    ),
  },
  unreleased: {
    what: t(
      'was written by a catersheet from before its first release',
      'is geschreven door een catersheet van vóór de eerste uitgave',
    ),
    next: withFlag(
      t(
        'Finish its runs with that version, then move the file away or name another one.',
        'Maak de runs daarin af met die versie, en verplaats het bestand dan of noem een ander.',
      ),
      '--ledger',
    ),
  },
  atWork: {
    what: t(
      'is of an older catersheet that is at work with it',
      'is van een oudere catersheet die ermee bezig is',
    ),
    next: t(
      'Wait until that is done, or end it, and give the same command again.',
      'Wacht tot die klaar is, of sluit hem, en geef dezelfde opdracht opnieuw.',
    ),
  },
  newer: {
    what: t('was written by a newer catersheet', 'is geschreven door een nieuwere catersheet'),
    next: withFlag(
      t('Use that version, or name another file.', 'Gebruik die versie, of noem een ander bestand.'),
      '--ledger',
    ),
  },
} as const;

/** Opens the ledger's file; makes or upgrades it. @throws StopError (usage) when it can't be used. */
export function openDatabase(file: string, tell?: (words: Bilingual) => void): Db {
  let db: Db | undefined;
  refuseOtherNames(file);
  const letGo = file === ':memory:' ? () => {} : holdFile(file);
  try {
    const mark = file === ':memory:' ? undefined : readMark(file);
    const fresh = file === ':memory:' || makeReady(file, mark);
    const known = fresh || isAsLeft(file, mark);
    if (!fresh) refuseOpenElsewhere(file);
    db = new Database(file, { timeout: 10_000 });
    db.exec('pragma busy_timeout = 10000');
    refuseForeign(db, file);
    if (!known && !isInUse(file)) refuseDamaged(db);
    db.exec('pragma journal_mode = wal; pragma synchronous = full;');
    migrate(db, file, tell);
    refuseOlder(db, file, mark);
    return lettingGo(db, letGo);
  } catch (cause) {
    const stop = openingStop(file, cause);
    // Closing would fold a -wal file into what is damaged, and perhaps only by it.
    if (!isDamage(file, cause)) db?.close();
    letGo();
    throw stop;
  }
}

/** A connection that, once closed, holds its file no longer. */
function lettingGo(db: Db, letGo: () => void): Db {
  const close = db.close.bind(db);
  return Object.assign(db, {
    close() {
      letGo();
      return close();
    },
  });
}

const isDamage = (file: string, cause: unknown): boolean =>
  cause instanceof StopError ? cause.cause !== undefined : asDamage(file, cause) !== undefined;

/** The stop for what went wrong as a ledger was opened. */
function openingStop(file: string, cause: unknown): StopError {
  const stop = cause instanceof StopError ? cause : asDamage(file, cause);
  if (stop !== undefined) return stop;
  const reason = writeFailureReason(cause);
  const [en, nl] = reason === undefined ? ['', ''] : [`: ${reason.en}`, `: ${reason.nl}`];
  const text = t(
    `The ledger ${file} cannot be opened${en}.`,
    `Het register ${file} kan niet worden geopend${nl}.`,
  );
  return usageStop(text, CLOSED, cause);
}

type Mark = ReturnType<typeof readMark>;

/**
 * What a ledger or a copy of one holds, with the stop for one that was moved, or the stop for what is wrong with it,
 * also by its mark; undefined where there is none. Nothing is changed.
 */
export function lookInto(file: string, mark?: Mark) {
  let db: Db | undefined;
  try {
    if (isNew(file, mark)) return undefined;
    if (mark !== undefined) refuseOtherNames(file);
    db = new Database(file, { timeout: 10_000 });
    refuseForeign(db, file);
    const version = numberOf(db, 'pragma user_version');
    refuseVersion(version, file);
    if (version === 0) return void db.close();
    checkWhole(db);
    const run = runnerOn(db);
    checkRows(run);
    refuseOlder(db, file, mark);
    const [holds] = run(HOLDS, []) as [Holds];
    const [moved] = run(MOVED_TO, []) as { value: string }[];
    db.close();
    return { holds, moved: moved && movedStop(file, moved.value) };
  } catch (cause) {
    if (!isDamage(file, cause)) db?.close();
    return { stop: openingStop(file, cause) };
  }
}

/** Throws where rows of a plan are damaged, and says of which run. */
function checkRows(run: ReturnType<typeof runnerOn>): void {
  let chunks: readonly (StoredPlace & { readonly rows: ArrayBuffer })[] = [];
  do {
    const { run: of = '', last = -1 } = chunks.at(-1) ?? {};
    chunks = run(NEXT_CHUNKS, [of, last, 20]) as typeof chunks;
    for (const chunk of chunks) {
      try {
        unpackChunk(Buffer.from(chunk.rows));
      } catch (error) {
        throw damagedChunk(chunk, error);
      }
    }
  } while (chunks.length > 0);
}

/** Makes the file where there never was one; answers whether it did. */
function makeReady(file: string, mark: Mark): boolean {
  makeFolder(dirname(file));
  const fresh = isNew(file, mark);
  makePrivate(file);
  return fresh;
}

/** Who has it open looked when opening it. `moment`: a program that only looks has its lock for less than that, ms. */
function isInUse(file: string, moment = 0): boolean {
  const lock = tryLock(file, moment);
  lock?.release();
  return lock === null;
}

/** Throws for a ledger that is damaged, or holds what no ledger holds. */
function refuseDamaged(db: Db): void {
  const version = numberOf(db, 'pragma user_version');
  if (version >= OLDEST && version <= VERSION) checkWhole(db);
}

function refuseVersion(found: number, file: string): void {
  if (found > VERSION) refuse(file, REFUSED.newer);
  if (found > 0 && found < OLDEST) refuse(file, REFUSED.unreleased);
}

function refuse(file: string, { what, next }: (typeof REFUSED)[keyof typeof REFUSED]): never {
  const text = t(`The ledger ${file} ${what.en}.`, `Het register ${file} ${what.nl}.`);
  throw usageStop(text, next);
}

/** Tables first: another catersheet that is just making them commits its mark with them. */
function refuseForeign(db: Db, file: string): void {
  const used = numberOf(db, 'select count(*) from sqlite_master') > 0;
  if (used && numberOf(db, 'pragma application_id') !== APPLICATION_ID) refuse(file, REFUSED.foreign);
}

/** Brings the schema up to date in one transaction: of several programs one makes a new ledger. */
function migrate(db: Db, file: string, tell?: (words: Bilingual) => void): void {
  const version = (): number => numberOf(db, 'pragma user_version');
  const before = version();
  if (before === VERSION) return;
  const isAtWork = before > 0 && !isHeldHere(`${file}-lock`) && isInUse(file, 1000);
  // Another program of this version may have done it meanwhile.
  if (version() === VERSION) return;
  // What an older one writes from then on would be lost, or would stop it.
  if (isAtWork) refuse(file, REFUSED.atWork);
  if (before >= OLDEST && before < VERSION) tryCopy(file, (of) => keepCopy(of, Date.now()), tell);
  atomically(db, () => {
    refuseVersion(version(), file);
    renew(db);
    if (before > 0) checkWhole(db);
  });
}

/**
 * Keeps a copy. One that can't be kept is told, and stops nothing. Throws StopError where the ledger turns
 * out to be damaged.
 */
export function tryCopy(
  file: string,
  keep: (file: string) => unknown,
  tell: ((words: Bilingual) => void) | undefined,
): void {
  try {
    keep(file);
  } catch (error) {
    const damage = asDamage(file, error);
    if (damage !== undefined) throw damage;
    const { en, nl } = writeFailureReason(error) ?? same(String(error));
    tell?.(
      t(
        `No copy of the ledger ${file} could be kept: ${en}. The work goes on without.`,
        `Er kon geen kopie van het register ${file} worden bewaard: ${nl}. Het werk gaat zonder verder.`,
      ),
    );
  }
}

/** Lists stand in one text of JSON. */
const LIST = '(select value from json_each(?))';

/** Puts `text` as SQLite has it, and its values too. */
const bound = (param: Param): unknown => (Array.isArray(param) ? JSON.stringify(param) : param);

/** What runs statements on a connection, each compiled once. */
export function runnerOn(db: Db): (text: string, params: readonly Param[]) => unknown[] {
  const compiled = new Map<string, { readonly one: ReturnType<Db['prepare']>; readonly reads: boolean }>();
  return (text, params) => {
    let known = compiled.get(text);
    if (known === undefined) {
      const one = db.prepare(text.replaceAll('@', '').replaceAll('??', LIST));
      known = { one, reads: one.reader };
      compiled.set(text, known);
    }
    const values = params.map(bound);
    if (known.reads) return known.one.all(values);
    // To ask for rows takes longer than to write them.
    return Array.from({ length: known.one.run(values).changes }, () => ({}));
  };
}

/** The error for rows of a plan that can't be read, as SQLite would mark it. */
const damagedChunk = ({ run, first, last }: StoredPlace, cause: unknown): Error =>
  unreadable(`rows ${first} to ${last} of run ${run}: ${(cause as Error).message}`, cause);

/** A ledger's SQLite file. */
function sqliteSql(db: Db, { write, writeNow }: ReturnType<typeof openWriter>): Sql {
  const run = runnerOn(db);
  const runAll = (statements: readonly Statement[]) =>
    statements.map(({ text, params }) => run(text, params));
  return {
    read: async (text, ...params) => run(text, params) as never[],
    async write(statements, durable) {
      let rows: unknown[][] = [];
      await write(() => {
        rows = runAll(statements);
      }, durable);
      return rows as Awaited<ReturnType<Sql['write']>>;
    },
    writeNow: (one) => writeNow(() => void runAll([one])),
    kept: (text) => text,
    damaged: damagedChunk,
  };
}
