import { readdirSync, readlinkSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What this process has open of the files that begin so, by the system's own account. */
export function openFiles(folder: string): string[] {
  // A closed database gives its files back once its statements are collected.
  collect();
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? path : [];
    } catch {
      return [];
    }
  });
}

/** Whether this system tells. */
export const canCount = process.platform === 'linux';

/** Waits until so many are open; what is let go is closed when its last user is done. */
export async function until(found: () => string[], wanted: number): Promise<void> {
  for (let tries = 0; tries < 3000 && found().length !== wanted; tries++)
    await new Promise((wait) => setTimeout(wait, 10));
  expect(found()).toHaveLength(wanted);
}
