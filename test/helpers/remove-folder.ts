import { rmSync } from 'node:fs';

/** Removes a test's own folder with all that is in it. */
export function removeFolder(folder: string): void {
  for (let tries = 1; ; tries++)
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      return;
    } catch (cause) {
      // Windows removes no open file, and a database stays open until what was read from it is collected. It is
      // in the system's own folder for such things, which is cleared.
      if (process.platform === 'win32') return;
      // rmSync lists a folder once: a program that just ended may have left one file more.
      if ((cause as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === 3) throw cause;
    }
}
