import { statSync } from 'node:fs';

/**
 * Databases that are open in this process. Closing a file that one of them locks, however it was opened,
 * takes all locks of the process on it (POSIX): only the database itself opens it.
 */
const held = new Map<string, number>();

/** What SQLite may lock of a database, and keeps beside it. */
const ENDS = ['', '-shm', '-wal'] as const;

/** Remembers a database as open; answers how that ends. */
export function holdFile(file: string): () => void {
  held.set(file, (held.get(file) ?? 0) + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (held.get(file) ?? 1) - 1;
    if (left > 0) held.set(file, left);
    else held.delete(file);
  };
}

/** Whether a file, by whatever name, is one of a database that is open in this process: it is not opened. */
export function isHeldHere(file: string): boolean {
  const place = placeOf(file);
  if (place === undefined) return false;
  for (const one of held.keys()) if (ENDS.some((end) => placeOf(one + end) === place)) return true;
  return false;
}

/** Which file has a name, by device and inode; undefined where there is none. */
export function placeOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
