import { type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { asDamage } from './damage.ts';
import { type Disk, openDisk } from './disk.ts';
import type { Db } from './schema.ts';

/** Commits the writes of one moment together: a sync of the disk costs as much for twenty rows as for one. */
export interface Writer {
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

const NOT_IN_LEDGER = t(
  'then try again: nothing was sent that is not in the ledger.',
  'en probeer het dan opnieuw: er is niets verstuurd dat niet in het register staat.',
);

const again = ({ en, nl }: Bilingual): Bilingual =>
  t(`${en}, ${NOT_IN_LEDGER.en}`, `${nl} ${NOT_IN_LEDGER.nl}`);

/** Errors that end all writing, by SQLite's primary result code. */
const BROKEN: Readonly<Record<string, { what(file: string): Bilingual; readonly next: Bilingual }>> = {
  FULL: {
    what: (file) =>
      t(`The disk that holds the ledger ${file} is full.`, `De schijf met het register ${file} is vol.`),
    next: again(t('Make room on it', 'Maak er ruimte op')),
  },
  IOERR: {
    what: (file) =>
      t(
        `The disk that holds the ledger ${file} gives errors.`,
        `De schijf met het register ${file} geeft fouten.`,
      ),
    next: again(t('Check that disk', 'Controleer die schijf')),
  },
  READONLY: {
    what: (file) =>
      t(`The ledger ${file} may not be written to.`, `In het register ${file} mag niet worden geschreven.`),
    next: again(t('Make it writable', 'Maak het beschrijfbaar')),
  },
  BUSY: {
    what: (file) =>
      t(
        `Another program keeps the ledger ${file} locked.`,
        `Een ander programma houdt het register ${file} bezet.`,
      ),
    next: again(t('End that program', 'Sluit dat programma')),
  },
};

/** The stop for an error of the file, its disk or its contents; undefined where the write itself is wrong. */
export function ledgerStop(file: string, cause: unknown): StopError | undefined {
  const { code } = cause as { readonly code?: unknown };
  // Extended codes go on after it: SQLITE_IOERR_WRITE.
  const primary = /^SQLITE_([A-Z]+)/.exec(String(code))?.[1] ?? '';
  const broken = Object.hasOwn(BROKEN, primary) ? BROKEN[primary] : undefined;
  if (broken === undefined) return asDamage(file, cause, true);
  return usageStop(broken.what(file), broken.next, cause);
}
