import { dirname, resolve } from 'node:path';
import { type StopError, usageStop } from '../core/errors.ts';
import { shorten } from '../core/issue.ts';
import { t, withFlag } from '../core/language.ts';
import { isDatabase } from '../ledger/database-address.ts';
import { HARMLESS } from '../options/options.ts';
import { type ConfigFile, type Profile, readConfig } from './config-file.ts';
import { CONFIG_FILE, type configPlaces, DEFAULT_PROFILE } from './config-places.ts';
import { isTrusted, placeOf } from './trusted-files.ts';

type ConfigPlaces = ReturnType<typeof configPlaces>;

/**
 * In place of a profile's name: none at all, also where one is the default, so that the embedded sandbox
 * serves. No command line and no file can hold it.
 */
export const NO_PROFILE = '\0';

/** A profile in use, with its name; without one where there is none. */
type ProfileInUse = Profile & { readonly name?: string };

/**
 * Reads the profile in use: the named one, else the one that a file names, else `default`, if there is one.
 * The user's own file always counts. That of the working folder may choose among its profiles and set what is
 * harmless; all else in it counts once the user trusted it, and then in place of the user's own. Throws
 * StopError with EXIT.usage for a missing name, unknown settings, and what is not trusted.
 */
export function readProfile(name: string | undefined, places: ConfigPlaces): ProfileInUse {
  if (name === NO_PROFILE) return {};
  const files = readConfigs(places);
  const { ours, local } = files;
  const chosen = name ?? local?.profile ?? ours?.profile ?? DEFAULT_PROFILE;
  const { mine, found, risky } = standing(chosen, files);
  if (mine === undefined && found === undefined) {
    if (chosen === DEFAULT_PROFILE && name === undefined) return {};
    throw noProfile(chosen, places, files);
  }
  if (local === undefined || found === undefined) return { ...mine, name: chosen };
  if (risky.length === 0) {
    // Settled by a folder, the user's own service would be left for the sandbox.
    if (mine === undefined && ours !== undefined && name === undefined && local.profile !== undefined)
      throw notOurs(local.file, chosen, ours);
    return { ...mine, ...found, name: chosen };
  }
  if (!isTrusted(local, places.trusted)) throw untrusted(local.file, found, risky);
  return { ...found, name: chosen };
}

/** The files of profiles that there are. */
export interface ConfigFiles {
  /** The user's own. */
  readonly ours: ConfigFile | undefined;
  /** That of the working folder, where it is another. */
  readonly local: ConfigFile | undefined;
}

/** Reads the files of profiles. Throws StopError with EXIT.usage for one that can't be read. */
export function readConfigs({ own, here }: ConfigPlaces): ConfigFiles {
  return { ours: readConfig(own), local: resolve(own) === resolve(here) ? undefined : readConfig(here) };
}

/**
 * A profile as the user's own file (`mine`) and that of the working folder (`found`) have it. `isThere`: the
 * folder's counts, where the user has none, or for what in it is `risky`; else it lies over the user's own.
 */
export function standing(name: string, { ours, local }: ConfigFiles) {
  const [mine, found] = [profileIn(ours, name), profileIn(local, name)];
  const risky = riskyIn(found ?? {});
  return { mine, found, risky, isThere: found !== undefined && (mine === undefined || risky.length > 0) };
}

/** The settings of a profile that a working folder may not set unless it is trusted. */
export const riskyIn = (profile: Profile): string[] =>
  Object.keys(profile).filter((name) => !HARMLESS.has(name));

/** Settings that are paths: they count from the folder of the file, whichever one works in. */
const PATHS = ['tokenFile', 'ledger', 'log'] as const;

/** A profile of a file, with its paths from the root; undefined where the file has none of that name. */
function profileIn(config: ConfigFile | undefined, name: string): Profile | undefined {
  if (config === undefined || !Object.hasOwn(config.profiles, name)) return undefined;
  const profile = config.profiles[name] ?? {};
  const folder = dirname(placeOf(config.file));
  const paths = PATHS.flatMap((path) => {
    const named = profile[path];
    const isPath = named !== undefined && named !== ':memory:' && !isDatabase(named);
    return isPath ? [[path, resolve(folder, named)]] : [];
  });
  return { ...profile, ...Object.fromEntries(paths) };
}

function notOurs(file: string, name: string, { file: own, profiles }: ConfigFile): StopError {
  const names = Object.keys(profiles).join(', ');
  return usageStop(
    t(
      `${file} chooses the profile ${name}, and your own ${own} has no such profile.`,
      `${file} kiest het profiel ${name}, en je eigen ${own} heeft dat profiel niet.`,
    ),
    withFlag(
      t(
        `Choose one of your own: ${names}. Or make ${name} there.`,
        `Kies er zelf een: ${names}. Of maak ${name} daar aan.`,
      ),
      '--profile',
    ),
  );
}

function untrusted(file: string, profile: Profile, risky: readonly string[]): StopError {
  const all = risky
    .map((name) => `${name} ${shorten(JSON.stringify(profile[name as keyof Profile]))}`)
    .join(', ');
  return usageStop(
    t(
      `${file} sets ${all}, and you have not trusted it: a folder may come from anyone. Nothing was read from a service or sent to it.`,
      `${file} stelt ${all} in, en je hebt het niet vertrouwd: een map kan van iedereen komen. Er is niets van een systeem gelezen of ernaartoe verstuurd.`,
    ),
    withFlag(
      t(
        'Look at what it sets, and trust it if that is right, or move it away.',
        'Bekijk wat het instelt, en vertrouw het als dat klopt, of haal het daar weg.',
      ),
      'catersheet trust',
    ),
  );
}

function noProfile(name: string, { own, here }: ConfigPlaces, { ours, local }: ConfigFiles): StopError {
  const names = new Set([ours, local].flatMap((one) => Object.keys(one?.profiles ?? {})));
  if (ours === undefined && local === undefined)
    return usageStop(
      t(
        `There is no ${CONFIG_FILE}, so no profile ${name}.`,
        `Er is geen ${CONFIG_FILE}, dus geen profiel ${name}.`,
      ),
      withFlag(
        t(
          `Make ${own}, or ${here}; docs/settings.md says how. Or name no profile.`,
          `Maak ${own}, of ${here}; docs/settings.md zegt hoe. Of noem geen profiel.`,
        ),
        '--profile',
      ),
    );
  const all = [...names].join(', ');
  return usageStop(
    t(`${CONFIG_FILE} has no profile ${name}.`, `${CONFIG_FILE} heeft geen profiel ${name}.`),
    t(`It has: ${all}.`, `Wel: ${all}.`),
  );
}
