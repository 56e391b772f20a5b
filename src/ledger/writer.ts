import type { StopError } from '../core/errors.ts';
import { brokenDisk } from './broken-disk.ts';
import { atomically, type Db } from './open-database.ts';

/** Gathers what is written at one moment into one transaction: a sync costs as much for twenty rows as for one. */
export interface Writer {
  /**
   * Resolves when `work` is committed: that survives the end of this process, however it comes. `durable` waits
   * for the disk itself, which survives a power cut too. Rejects with StopError, from then on at once, where the
   * ledger's file can't be written any more.
   */
  write(work: () => void, durable?: boolean): Promise<void>;
  /** Commits what is waiting. */
  flush(): void;
}

interface Waiting {
  readonly work: () => void;
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Opens the one writer of a connection to `file`. */
export function openWriter(db: Db, file: string): Writer {
  let broken: StopError | undefined;
  let waiting: Waiting[] = [];
  let mode = '';
  const commit = (batch: readonly Waiting[]): void => {
    const wanted = batch.some(({ durable }) => durable) ? 'full' : 'normal';
    if (wanted !== mode) db.exec(`pragma synchronous = ${wanted}`);
    mode = wanted;
    atomically(db, () => {
      for (const { work } of batch) work();
    });
  };
  const settle = (batch: readonly Waiting[]): void => {
    try {
      if (broken !== undefined) throw broken;
      commit(batch);
    } catch (error) {
      broken ??= brokenDisk(file, error);
      // Of several writes that were gathered, one that cannot be done must not take the others with it.
      if (broken === undefined && batch.length > 1) for (const one of batch) settle([one]);
      else for (const { reject } of batch) reject(broken ?? error);
      return;
    }
    for (const { resolve } of batch) resolve();
  };
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) settle(batch);
  };
  return {
    flush,
    write(work, durable = false) {
      if (waiting.length === 0) setImmediate(flush);
      return new Promise((resolve, reject) => waiting.push({ work, durable, resolve, reject }));
    },
  };
}
