import { chmodSync, closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import Database from 'libsql';
import { makeFolder, PRIVATE } from '../files/folders.ts';

/** Copies that are kept of a ledger by themselves. */
const KEPT = 7;
const NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.db$/;

/** A moment as the names of copies have it, UTC. */
const stamp = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-');

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

/** When a copy was made, for people. */
export const copiedAt = (copy: string): string =>
  basename(copy, extname(copy)).replace(/T(\d\d)-(\d\d)-(\d\d)$/, ' $1:$2:$3 UTC');

/** Copies a ledger while other programs may write to it: all of it as it is at one moment. */
function copyLedger(file: string, target: string): void {
  makeFolder(dirname(target));
  const part = `${target}.part`;
  rmSync(part, { force: true });
  closeSync(openSync(part, 'wx', PRIVATE));
  const db = new Database(file, { timeout: 10_000 });
  try {
    db.exec(`vacuum into '${part.replaceAll("'", "''")}'`);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    db.close();
  }
  putOnDisk(part);
  renameSync(part, target);
}

/** Keeps a copy of a ledger beside it, and of the copies the newest. */
export function keepCopy(file: string): void {
  copyLedger(file, join(folderOf(file), `${stamp()}.db`));
  for (const old of listCopies(file).slice(KEPT)) rmSync(old, { force: true });
}

/** Keeps a copy where there is none of today; the ledger must hold runs. */
export function keepDailyCopy(file: string): void {
  if (file === ':memory:') return;
  if (!listCopies(file).some((copy) => basename(copy).startsWith(stamp().slice(0, 10)))) keepCopy(file);
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
