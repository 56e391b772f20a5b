import type { Bilingual } from '../core/language.ts';
import type { Time } from '../core/time.ts';
import { keepDailyCopy } from './copies.ts';
import { isDatabase } from './database-address.ts';
import type { Ledger, SendingRight } from './ledger.ts';
import { lockLedger, tryLock } from './lock.ts';
import type { joinPace, PaceMember } from './postgres/pace.ts';
import type { QueueDatabase } from './postgres/pg-ledger.ts';
import { openLedger, tryCopy } from './sqlite-ledger.ts';
import { refuseMoved } from './stops.ts';

interface Waiting {
  readonly signal?: AbortSignal | undefined;
  /** Called once, when another program has it. */
  readonly onWait?: () => Promise<void>;
}

/** A ledger that is open, wherever it is kept. */
interface OpenedLedger {
  readonly ledger: Ledger;
  /** Takes the right to send, after any other program that has it. Throws the signal's reason. */
  lock(waiting?: Waiting): Promise<SendingRight>;
  /** Takes it when no program has it, else null. */
  tryLock(): Promise<SendingRight | null>;
  /** Joins the programs that send a run; null where there are none. A file is one program's. */
  join(run: string): Promise<SendingRight | null>;
  /** Whether another program has it. */
  isLocked(): Promise<boolean>;
  /** Joins the programs that send to a service by this ledger; undefined for a file. */
  readonly joinPace: ((member: PaceMember) => ReturnType<typeof joinPace>) | undefined;
  /** Keeps today's copy of a file; a database is backed up by who looks after it. */
  keepCopy(): void;
}

/** How often a database is asked whether the right to send is free, ms. */
const RETRY = 1000;

/**
 * Opens a ledger in a file, in memory (`:memory:`) or in a PostgreSQL database (`postgres://…`); `tell` hears
 * of a copy that can't be kept.
 * @throws StopError (usage) when it can't be used.
 */
export async function openAnyLedger(
  place: string,
  time: Time,
  tell?: (words: Bilingual) => void,
): Promise<OpenedLedger> {
  const opened = isDatabase(place) ? await inDatabase(place, time) : inFile(place, time, tell);
  try {
    await refuseMoved(opened.ledger, place);
    return opened;
  } catch (error) {
    await opened.ledger.close();
    throw error;
  }
}

async function inDatabase(place: string, time: Time): Promise<OpenedLedger> {
  // Most programs never need the driver.
  const { openDatabaseLedger } = await import('./postgres/pg-ledger.ts');
  const { ledger, tryLock: tryLease, join, isLocked, joinPace } = await openDatabaseLedger(place, time);
  return {
    ...{ ledger, tryLock: tryLease, join, isLocked, joinPace },
    keepCopy() {},
    async lock({ signal, onWait } = {}) {
      let right = await tryLease();
      if (right === null) await onWait?.();
      try {
        for (; right === null; right = await tryLease()) await time.sleep(RETRY, signal);
      } catch (error) {
        throw signal?.reason ?? error;
      }
      return right;
    },
  };
}

function inFile(file: string, time: Time, tell: ((words: Bilingual) => void) | undefined): OpenedLedger {
  const ledger = openLedger(file, tell);
  return {
    ledger,
    lock: (waiting) => lockLedger(file, time, waiting),
    tryLock: async () => tryLock(file),
    join: async () => null,
    async isLocked() {
      const right = tryLock(file);
      right?.release();
      return right === null;
    },
    joinPace: undefined,
    keepCopy: () => tryCopy(file, (of) => keepDailyCopy(of, time.now(), tell), tell),
  };
}

export type { QueueDatabase };

/**
 * Opens the database of a ledger for its queue, with connections of its own; `signal` cuts the waiting for
 * one that is away short.
 */
export async function openQueueDatabase(
  address: string,
  time: Time,
  signal?: AbortSignal,
): Promise<QueueDatabase> {
  // Most programs never need the driver.
  const { queueDatabase } = await import('./postgres/pg-ledger.ts');
  return queueDatabase(address, time, signal);
}
