import module from 'node:module';
import { join } from 'node:path';
import envPaths from 'env-paths';

/** In Node 22 and later. */
interface Compiling {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Lets Node keep what it compiles of the program, where it can, so that the next start is shorter. In the
 * user's own folder: what another user could write there would be run. NODE_DISABLE_COMPILE_CACHE=1 turns it
 * off, as Node has it.
 */
export function keepCompiled({ CATERSHEET_HOME: home }: NodeJS.ProcessEnv): void {
  const folder = home ? join(home, 'code') : envPaths('catersheet', { suffix: '' }).cache;
  (module as Compiling).enableCompileCache?.(folder);
}
