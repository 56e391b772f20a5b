import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Holds what this process asks of the disk until it is released, one by one, or all from then on. */
export function holdDisk() {
  const real = fs.fdatasync;
  const waiting: ((error: Error | null) => void)[] = [];
  let count = 0;
  fs.fdatasync = ((_: number, done: (error: Error | null) => void) => {
    count += 1;
    waiting.push(done);
  }) as typeof real;
  syncBuiltinESMExports();
  const end = (): void => {
    fs.fdatasync = real;
    syncBuiltinESMExports();
    for (const done of waiting.splice(0)) done(null);
  };
  onTestFinished(end);
  return {
    /** Resolves once it was asked so many times. */
    async asked(times: number): Promise<void> {
      while (count < times) await new Promise((resolve) => setImmediate(resolve));
    },
    release: (error: Error | null = null): void => waiting.shift()?.(error),
    end,
  };
}
