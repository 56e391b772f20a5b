import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import type { StopError } from '../core/errors.ts';
import type { Db } from './schema.ts';
import { ledgerStop } from './stops.ts';

/** Commits the writes of one moment together: a sync of the disk costs as much for twenty rows as for one. */
interface Writer {
  /**
   * Resolves when `work` is committed and survives the end of this process; `durable`: also a power cut.
   * Rejects with StopError when the ledger's file can't be written any more, and from then on at once.
   */
  write(work: () => void, durable?: boolean): Promise<void>;
  /** Commits `work` alone before it returns, to survive the end of this process; what waits comes later. */
  writeNow(work: () => void): void;
  /** Commits what is waiting, and resolves when nothing waits for the disk any more. */
  settled(): Promise<void>;
  /** To be called before the connection is closed. */
  close(): void;
}

interface Waiting {
  readonly work: () => void;
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What is said beside a ledger of what it holds; see `mark.ts`. */
interface Marks {
  due(): boolean;
  /** Counts within a transaction. */
  count(): void;
  /** What says what the ledger holds now: to be called once that is on the disk. */
  take(): () => void;
}

/**
 * Opens the one writer of a connection to `file`. What is to survive a power cut is committed as all else,
 * and then waits for the disk while the program goes on.
 */
export function openWriter(db: Db, file: string, marks?: Marks): Writer {
  let waiting: Waiting[] = [];
  let isPlanned = false;
  const disk = openDisk(file);
  const settle = settling(db, file, { marks, disk, synced: () => flush() });
  function flush(): void {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) settle(batch);
  }
  const flushSoon = (): void => {
    isPlanned = false;
    // What waits for the disk anyway is committed together, once that has done what it is at.
    if (!disk.isBusy() || waiting.some(({ durable }) => !durable)) flush();
  };
  return {
    async settled() {
      flush();
      await disk.idle();
    },
    close: disk.close,
    write(work, durable = false) {
      if (!isPlanned) setImmediate(flushSoon);
      isPlanned = true;
      return new Promise((resolve, reject) => waiting.push({ work, durable, resolve, reject }));
    },
    writeNow(work) {
      let failure: { readonly error: unknown } | undefined;
      const reject = (error: unknown): void => {
        failure = { error };
      };
      settle([{ work, durable: false, resolve: () => {}, reject }]);
      if (failure !== undefined) throw failure.error;
    },
  };
}

interface Settling {
  readonly marks: Marks | undefined;
  readonly disk: Disk;
  /** Called whenever the disk has done what it was at. */
  readonly synced: () => void;
}

/** Commits batches, and answers their writes; once that fails for the file, it fails for all that follow. */
function settling(db: Db, file: string, { marks, disk, synced }: Settling) {
  let broken: StopError | undefined;
  db.exec('pragma synchronous = normal');
  /** Answers what is to be said once it is on the disk. */
  const commit = (batch: readonly Waiting[]): (() => void) | undefined => {
    // What must not be sent twice is written durably.
    const counted = batch.some(({ durable }) => durable) && marks?.due() === true;
    atomically(db, () => {
      for (const { work } of batch) work();
      if (counted) marks?.count();
    });
    return counted ? marks?.take() : undefined;
  };
  const toDisk = async (batch: readonly Waiting[], say: (() => void) | undefined): Promise<void> => {
    try {
      await disk.sync();
      say?.();
      for (const { resolve } of batch) resolve();
    } catch (error) {
      broken ??= ledgerStop(file, error);
      for (const { reject } of batch) reject(broken ?? error);
    } finally {
      synced();
    }
  };
  return function settle(batch: readonly Waiting[]): void {
    let say: (() => void) | undefined;
    try {
      if (broken !== undefined) throw broken;
      say = commit(batch);
    } catch (error) {
      broken ??= ledgerStop(file, error);
      // A write that fails must not take the others of its group with it.
      if (broken === undefined && batch.length > 1) for (const one of batch) settle([one]);
      else for (const { reject } of batch) reject(broken ?? error);
      return;
    }
    for (const { durable, resolve } of batch) if (!durable) resolve();
    const durables = batch.filter(({ durable }) => durable);
    if (durables.length > 0) void toDisk(durables, say);
  };
}

/** Runs `work` in one transaction: all of it is written, or none. */
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

/** Brings what a connection has committed to the disk, while the program goes on. */
interface Disk {
  /** Resolves when all that was committed before this call is on the disk. Rejects as SQLite would say it. */
  sync(): Promise<void>;
  /** Whether a sync is under way: what is committed now waits for the next one. */
  isBusy(): boolean;
  /** Resolves when none is. */
  idle(): Promise<void>;
  /** To be called before the connection is closed. */
  close(): void;
}

const NO_DISK: Disk = { sync: async () => {}, isBusy: () => false, idle: async () => {}, close() {} };

/**
 * Opens the way to the disk of a ledger's file, whose connection is in WAL mode. All that is committed stands
 * in the -wal file first: a sync of it is what SQLite does itself with `synchronous = full`, only that there
 * the program stands still meanwhile. SQLite takes no lock on that file: to open and to close it loses none.
 */
function openDisk(file: string): Disk {
  if (file === ':memory:') return NO_DISK;
  // By name, so before anything else could be put in the ledger's place.
  let handle = existsSync(`${file}-wal`) ? openSync(`${file}-wal`, 'r+') : undefined;
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    handle ??= openSync(`${file}-wal`, 'r+');
    const wal = handle;
    underWay = new Promise((resolve, reject) => {
      fdatasync(wal, (error) => {
        underWay = undefined;
        if (error === null) resolve();
        else reject(Object.assign(error, { code: 'SQLITE_IOERR_FSYNC' }));
      });
    });
    return underWay;
  }

  return {
    async sync() {
      if (next === undefined && underWay === undefined) return await begin();
      // The one that is under way may have begun before what was committed since.
      next ??= Promise.allSettled([underWay]).then(() => {
        next = undefined;
        return begin();
      });
      await next;
    },
    isBusy: () => underWay !== undefined || next !== undefined,
    async idle() {
      while (underWay !== undefined || next !== undefined) await Promise.allSettled([underWay, next]);
    },
    close() {
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
}
