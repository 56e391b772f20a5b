import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';

/** Brings what a connection has committed to the disk, while the program goes on. */
export interface Disk {
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
export function openDisk(file: string): Disk {
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
