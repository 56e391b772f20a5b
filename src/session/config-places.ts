import { join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** The name of a file of profiles. */
export const CONFIG_FILE = 'catersheet.config.json';

/** The profile that is used where none is named. */
export const DEFAULT_PROFILE = 'default';

/**
 * The user's own file of settings, that of the working folder (`working`), and the list of files that are
 * trusted.
 */
export function configPlaces(environment: NodeJS.ProcessEnv, working = '') {
  const folder = environment.CATERSHEET_HOME || envPaths('catersheet', { suffix: '' }).config;
  return {
    own: join(folder, CONFIG_FILE),
    here: resolve(working, CONFIG_FILE),
    trusted: join(folder, 'trusted.json'),
  };
}
