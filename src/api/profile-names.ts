import { readConfig } from '../session/config-file.ts';
import { configPlaces } from '../session/config-places.ts';

/** A name that means nothing else to any shell: a working folder may come from anyone. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

/** The names of the profiles that can be chosen here; none of a file that can't be read. */
export function profileNames(environment: NodeJS.ProcessEnv = process.env): string[] {
  const { own, here } = configPlaces(environment);
  const names = [own, here].flatMap((file) => {
    try {
      return Object.keys(readConfig(file)?.profiles ?? {});
    } catch {
      return [];
    }
  });
  return [...new Set(names)].filter((name) => PLAIN.test(name)).sort();
}
