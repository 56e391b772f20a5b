import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'libsql';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { makeFolder } from '../files/folders.ts';
import { PRIVATE, temporaryBeside } from '../files/write-aside.ts';
import { checkWhole, type Db } from './schema.ts';

/** Copies that are kept of a ledger by themselves, one a day. */
const KEPT = 2;
/** A ledger of so many bytes is copied once a week. */
const LARGE = { bytes: 256_000_000, days: 7 };
const NAME = /^(\d{4}-\d{2}-\d{2})T(\d\d)-(\d\d)-(\d\d)\.db$/;
const DAY = 86_400_000;

/** A moment, ms since 1970, as the names of copies have it, UTC. */
export const stamp = (now: number): string => new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');

const folderOf = (file: string): string => `${file}.copies`;

/** The copies that were kept of a ledger by themselves, the newest first. */
export function listCopies(file: string): string[] {
  try {
    const names = readdirSync(folderOf(file)).filter((name) => NAME.test(name));
    return names
      .sort()
      .reverse()
      .map((name) => join(folderOf(file), name));
  } catch {
    return [];
  }
}

/** When a copy was made, for people: by its name, or by the time of its file. */
export function copiedAt(copy: string): string {
  const [, day, ...time] = NAME.exec(basename(copy)) ?? [];
  if (day !== undefined) return `${day} ${time.join(':')} UTC`;
  const changed = statSync(copy, { throwIfNoEntry: false })?.mtime ?? new Date();
  return `${changed.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/**
 * Copies a ledger while other programs may write to it: all of it as it is at one moment. What is in the way
 * is replaced once the copy is found whole; `also` may add to it first. Throws what is wrong.
 */
export function copyLedger(file: string, target: string, also?: (part: Db) => void): void {
  makeFolder(dirname(target));
  const part = temporaryBeside(target);
  closeSync(openSync(part, 'wx', PRIVATE));
  try {
    using(file, (db) => db.exec(`vacuum into '${part.replaceAll("'", "''")}'`));
    using(part, (db) => {
      also?.(db);
      checkWhole(db);
    });
    putOnDisk(part);
    renameSync(part, target);
  } finally {
    rmSync(part, { force: true });
    rmSync(`${part}-journal`, { force: true });
  }
}

/**
 * Gives the room of what was removed from a ledger's file back to its disk. What is left of it is written
 * twice meanwhile, to a file of the system's own and to the -wal file. Throws SQLite's errors, which leave it
 * as it was: later runs use that room then.
 */
export function compact(file: string): void {
  using(file, (db) => {
    // In memory it would take as much as the file does.
    db.exec('pragma temp_store = file; vacuum');
    db.prepare('pragma wal_checkpoint(truncate)').all();
  });
}

function using(file: string, work: (db: Db) => unknown): void {
  const db = new Database(file, { timeout: 10_000 });
  try {
    work(db);
  } finally {
    db.close();
  }
}

/** Keeps a copy of a ledger beside it, and of the copies the newest; answers its name. */
export function keepCopy(file: string, now: number): string {
  const copy = join(folderOf(file), `${stamp(now)}.db`);
  copyLedger(file, copy);
  for (const old of listCopies(file).slice(KEPT)) rmSync(old, { force: true });
  for (const name of readdirSync(folderOf(file)).filter((one) => one.endsWith('.part'))) {
    const part = join(folderOf(file), name);
    // A killed program's, not one that is being written.
    const { mtimeMs = 0 } = statSync(part, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > DAY) rmSync(part, { force: true });
  }
  return copy;
}

const COPYING = withFlag(
  t(
    'The ledger is copied, once a week; that takes a minute for each 2 GB, less once old runs are removed.',
    'Het register wordt gekopieerd, één keer per week; dat duurt een minuut per 2 GB, korter als je oude runs opruimt.',
  ),
  'catersheet runs prune',
);

const isLarge = (file: string): boolean => statSync(file).size >= LARGE.bytes;

/**
 * Keeps a copy where there is none of today, or of a large ledger none of this week; it must hold runs.
 * `tell` hears of one that takes long.
 */
export function keepDailyCopy(file: string, now: number, tell: (words: Bilingual) => void = () => {}): void {
  if (file === ':memory:') return;
  const large = isLarge(file);
  const days = large ? LARGE.days : 1;
  const since = new Date(now - (days - 1) * DAY).toISOString().slice(0, 10);
  if (listCopies(file).some((copy) => basename(copy) >= since)) return;
  if (large) tell(COPYING);
  keepCopy(file, now);
}

/** Puts what a file holds on disk, for its owner alone. */
function putOnDisk(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(file, PRIVATE);
}
