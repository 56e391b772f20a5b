import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';

/** The right to send with a ledger: one program at a time has it. */
export interface LedgerLock {
  release(): void;
}

const RETRY = 250;

/**
 * Takes the lock beside a ledger, waiting for another program to end; `onWait` is told once. The operating system frees
 * it with the process, however that ends. Throws the signal's reason when it is aborted meanwhile.
 */
export async function lockLedger(
  file: string,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly onWait?: (() => Promise<void>) | undefined;
  } = {},
): Promise<LedgerLock> {
  if (file === ':memory:') return { release() {} };
  const db = new Database(`${file}-lock`, { timeout: 0 });
  try {
    for (let waited = false; !take(db); waited = true) {
      if (!waited) await options.onWait?.();
      await sleep(RETRY, undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  } catch (error) {
    db.close();
    throw options.signal?.reason ?? error;
  }
  return { release: () => void db.close() };
}

/** Takes the lock when nobody has it; null when another program does. */
export function tryLock(file: string): LedgerLock | null {
  if (file === ':memory:') return { release() {} };
  const db = new Database(`${file}-lock`, { timeout: 0 });
  try {
    if (take(db)) return { release: () => void db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return null;
}

function take(db: Database.Database): boolean {
  try {
    db.exec('begin exclusive');
    return true;
  } catch (error) {
    if (
      /busy|locked/i.test(String((error as Error).message)) ||
      (error as { code?: string }).code === 'SQLITE_BUSY'
    )
      return false;
    throw error;
  }
}
