import { atomically, type Db } from './open-database.ts';

/** Gathers what is written at one moment into one transaction: a sync costs as much for twenty rows as for one. */
export interface Writer {
  /**
   * Resolves when `work` is committed: that survives the end of this process, however it comes. `durable` waits
   * for the disk itself, which survives a power cut too.
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

/** Opens the one writer of a connection. */
export function openWriter(db: Db): Writer {
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
      commit(batch);
    } catch (error) {
      // Of several writes that were gathered, one that cannot be done must not take the others with it.
      if (batch.length > 1) for (const one of batch) settle([one]);
      else batch[0]?.reject(error);
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
