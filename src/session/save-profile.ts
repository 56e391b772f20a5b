import { usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { PRIVATE } from '../files/write-aside.ts';
import { type ConfigFile, readConfig } from './config-file.ts';
import { configPlaces, DEFAULT_PROFILE } from './config-places.ts';
import { riskyIn } from './profile.ts';
import type { Settings } from './settings.ts';
import { trustFile } from './trusted-files.ts';
import { type Json, writeConfig } from './write-config.ts';

interface SavingOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder that one works in; the process's when absent. */
  readonly working?: string;
}

/**
 * Writes the numbers of dropdown lists into the profile in use, beside what its file holds; into the user's
 * own file where there is no such profile yet. A number that stands there stays. A file of the working folder is trusted with it. Throws StopError with EXIT.usage for a profile of
 * another service.
 */
export async function saveDropdowns(
  { profile, baseUrl }: Pick<Settings, 'profile' | 'baseUrl'>,
  dropdowns: Readonly<Record<string, number>>,
  { environment = process.env, working }: SavingOptions = {},
): Promise<{ readonly file: string; readonly profile: string }> {
  const name = profile ?? DEFAULT_PROFILE;
  const { own: ownFile, here, trusted } = configPlaces(environment, working);
  const [ours, local] = [readConfig(ownFile), readConfig(here)];
  const isHere = local !== undefined && countsThere(local, ours, name);
  const before = isHere ? local : ours;
  const config = before?.json ?? {};
  const profiles = (config.profiles ?? {}) as Json;
  const own = (profiles[name] ?? {}) as Json;
  refuseOther(name, own.baseUrl, baseUrl);
  const dialect = (own.dialect ?? {}) as Json;
  const there = dialect.dropdowns as Json | undefined;
  const numbers = { ...dropdowns, ...there };
  const changed = {
    ...config,
    profiles: { ...profiles, [name]: { ...own, dialect: { ...dialect, dropdowns: numbers } } },
  };
  // One of the working folder keeps its mode.
  const written = await writeConfig(isHere ? here : ownFile, before, changed, isHere ? undefined : PRIVATE);
  if (isHere) await trustFile(written, trusted);
  return { file: written.file, profile: name };
}

/** Whether a working folder's profile counts by itself: what is harmless only lies over the user's own. */
function countsThere(local: ConfigFile, ours: ConfigFile | undefined, name: string): boolean {
  if (!Object.hasOwn(local.profiles, name)) return false;
  const isOurs = ours !== undefined && Object.hasOwn(ours.profiles, name);
  return !isOurs || riskyIn(local.profiles[name] ?? {}).length > 0;
}

/** The numbers of one service are wrong for another. */
function refuseOther(name: string, own: unknown, used: string | null): void {
  const slashed = (url: unknown): string => String(url).replace(/\/*$/, '/');
  if (own === undefined || used === null || slashed(own) === slashed(used)) return;
  throw usageStop(
    t(
      `Profile ${name} is of ${String(own)}, not of ${used}; nothing is written into it.`,
      `Profiel ${name} is van ${String(own)}, niet van ${used}; er is niets in gezet.`,
    ),
    withFlag(
      t(
        'Give the service a profile of its own, and choose that.',
        'Geef het systeem een eigen profiel, en kies dat.',
      ),
      '--profile',
    ),
  );
}
