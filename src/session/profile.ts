import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { type StopError, usageStop } from '../core/errors.ts';
import { shorten } from '../core/issue.ts';
import { t, withFlag } from '../core/language.ts';
import { readSmallText } from '../files/small-text.ts';
import { isDatabase } from '../ledger/database-address.ts';
import { HARMLESS, type ProgramOptions } from '../options/options.ts';
import { sameAddress, serviceAddress } from '../service/address.ts';
import { TOKEN } from '../service/client-state.ts';
import {
  CONFIG_FILE,
  type ConfigFile,
  configPlaces,
  DEFAULT_PROFILE,
  isTrusted,
  type Profile,
  placeOf,
  readConfig,
  writeText,
} from './config-file.ts';

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
interface ConfigFiles {
  /** The user's own. */
  readonly ours: ConfigFile | undefined;
  /** That of the working folder, where it is another. */
  readonly local: ConfigFile | undefined;
}

/** Reads the files of profiles. Throws StopError with EXIT.usage for one that can't be read. */
function readConfigs({ own, here }: ConfigPlaces): ConfigFiles {
  return { ours: readConfig(own), local: resolve(own) === resolve(here) ? undefined : readConfig(here) };
}

/**
 * A profile as the user's own file (`mine`) and that of the working folder (`found`) have it. `isThere`: the
 * folder's counts, where the user has none, or for what in it is `risky`; else it lies over the user's own.
 */
function standing(name: string, { ours, local }: ConfigFiles) {
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
  const names = [ours, local].flatMap((one) => Object.keys(one?.profiles ?? {}));
  const all = [...new Set(names)].join(', ');
  return usageStop(
    t(
      `There is no profile ${name} in a ${CONFIG_FILE}.`,
      `Er is geen profiel ${name} in een ${CONFIG_FILE}.`,
    ),
    names.length > 0
      ? t(`There are: ${all}.`, `Wel: ${all}.`)
      : withFlag(
          t(
            `Make ${own}, or ${here}; docs/settings.md says how. Or name no profile.`,
            `Maak ${own}, of ${here}; docs/settings.md zegt hoe. Of noem geen profiel.`,
          ),
          '--profile',
        ),
  );
}

/** One service that can be chosen, without anything secret. */
interface ProfileDocument {
  /** Its name, as `--profile` takes it. */
  readonly name: string;
  /** The address of its service, without a user name, password or query; null for the embedded sandbox. */
  readonly address: string | null;
  /** Whether there is a token for it. Which one is never told. */
  readonly hasToken: boolean;
}

/** The services that can be chosen, and where they are kept. */
interface ProfilesDocument {
  /** The user's own file of profiles, there or not. Tokens stand in files of their own beside it. */
  readonly place: string;
  /** The profiles, by name. */
  readonly profiles: readonly ProfileDocument[];
}

/** The service that a session talks to, without anything secret. */
export interface ServiceInUse {
  /** The name of the profile in use; null where there is none. */
  readonly name: string | null;
  /** Its address, without a user name, password or query; null for the embedded sandbox. */
  readonly address: string | null;
  /** `sandbox` is made-up data on this machine; all else may be somebody's own records. */
  readonly kind: 'sandbox' | 'real';
}

/** Where files of settings are looked for; as the program was started, when absent. */
interface ProfilePlaces {
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder that one works in. */
  readonly working?: string;
}

/**
 * Lists the profiles that can be chosen, with what counts of each. Throws StopError with EXIT.usage for a
 * file of profiles that can't be read.
 */
export function listProfiles({ environment = process.env, working }: ProfilePlaces = {}): ProfilesDocument {
  const places = configPlaces(environment, working);
  const files = readConfigs(places);
  const { ours, local } = files;
  const names = new Set([ours, local].flatMap((config) => Object.keys(config?.profiles ?? {})));
  const profiles = [...names].sort().map((name): ProfileDocument => {
    const { mine, found, risky, isThere } = standing(name, files);
    const profile = (isThere ? found : mine) ?? {};
    // Nothing that a folder names is looked at before it is trusted.
    const mayLook = !isThere || risky.length === 0 || (local && isTrusted(local, places.trusted)) === true;
    return {
      ...{ name, address: addressOf(profile.baseUrl ?? null) },
      hasToken: mayLook && hasToken(profile.tokenFile, environment),
    };
  });
  return { place: places.own, profiles };
}

/** The service that these settings lead to. */
export const serviceInUse = ({
  profile,
  baseUrl,
}: Pick<ProgramOptions, 'profile'> & { readonly baseUrl: string | null }): ServiceInUse => ({
  name: profile ?? null,
  address: addressOf(baseUrl),
  kind: baseUrl === null ? 'sandbox' : 'real',
});

function addressOf(baseUrl: string | null): string | null {
  if (baseUrl === null) return null;
  const url = /^https?:/i.test(baseUrl) && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url !== null) return `${url.origin}${url.pathname}`;
  // What stands before an @ or behind a ? may be secret.
  return baseUrl.includes('@') ? '…' : baseUrl.replace(/[?#].*$/s, '');
}

/** Whether a token is there; the environment's goes before that of a profile. */
function hasToken(tokenFile: string | undefined, environment: NodeJS.ProcessEnv): boolean {
  try {
    return readToken(environment.CATERSHEET_TOKEN ? undefined : tokenFile, environment) !== '';
  } catch {
    return false;
  }
}

/**
 * The token, from the named file, else from CATERSHEET_TOKEN; never from a flag's value, which other users of
 * the machine could see. Throws StopError with EXIT.usage when there is none.
 */
export function readToken(file: string | undefined, environment: NodeJS.ProcessEnv): string {
  const token = (file === undefined ? environment.CATERSHEET_TOKEN : readTokenFile(file))?.trim() ?? '';
  if (token !== '') return token;
  throw usageStop(
    t('There is no token for the service.', 'Er is geen token voor het systeem.'),
    withFlag(
      t('Set the token of the service.', 'Stel het token van het systeem in.'),
      'CATERSHEET_TOKEN, --token-file',
    ),
  );
}

/** A token is a line. */
const MOST_BYTES = 2 ** 16;

function readTokenFile(file: string): string {
  try {
    return readSmallText(file, MOST_BYTES);
  } catch (cause) {
    throw usageStop(
      t(`The token file ${file} cannot be read.`, `Het tokenbestand ${file} kan niet worden gelezen.`),
      t(
        'Check its name and rights, and that it holds the token alone.',
        'Kijk de naam en de rechten na, en of er alleen het token in staat.',
      ),
      cause,
    );
  }
}

/** A profile as the user gives it. */
interface ProfileToSave {
  readonly name: string;
  /** The address of the service, up to and not including api/v1. */
  readonly address: string;
  /** Its token; absent, the one that is kept stays. */
  readonly token?: string | undefined;
}

/** Names of profiles: they stand on command lines. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u;
const MOST_TOKEN = 8192;

/**
 * Adds a profile to the user's own file of settings, or changes its address or token; all else that it holds
 * stays. The file is `catersheet.config.json` in the private folder of settings (see `place` of
 * `ProfilesDocument`). The token goes into a file of its own beside it, `token-NAME-….txt`; both have mode
 * 0600, and nothing reads the token back but a session that sends it to that address. Throws StopError with
 * EXIT.usage for a name, address or token that can't be used, for another address without its token, and for
 * a profile that the working folder's own file sets.
 */
export async function saveProfile(
  { name, address, token }: ProfileToSave,
  { environment = process.env, working }: ProfilePlaces = {},
): Promise<void> {
  if (!NAME.test(name))
    throw usageStop(
      t('That can’t be the name of a profile.', 'Zo kan een profiel niet heten.'),
      t(
        'Use letters, digits, dots and hyphens, at most 64, with a letter or digit first.',
        'Gebruik letters, cijfers, punten en streepjes, hoogstens 64, met een letter of cijfer vooraan.',
      ),
    );
  const places = configPlaces(environment, working);
  const files = readConfigs(places);
  const { mine = {}, risky } = standing(name, files);
  if (files.local !== undefined && risky.length > 0)
    throw usageStop(
      t(
        `Profile ${name} stands in ${files.local.file}, which counts before your own settings.`,
        `Profiel ${name} staat in ${files.local.file}, en dat gaat voor je eigen instellingen.`,
      ),
      t('Change it there, or choose another name.', 'Wijzig het daar, of kies een andere naam.'),
    );
  const { href } = serviceAddress(address, mine.allowHttp);
  const given = token?.trim();
  if (given !== undefined && (given.length > MOST_TOKEN || !TOKEN.test(given)))
    throw usageStop(
      t(
        'The token is empty, too long, or holds characters that a token cannot have.',
        'Het token is leeg, te lang, of er staan tekens in die een token niet kan hebben.',
      ),
      t('Copy the token alone, without spaces.', 'Kopieer alleen het token, zonder spaties.'),
    );
  // A token goes to no address but the one that it was given for.
  const isSameHost = mine.baseUrl !== undefined && sameAddress(originOf(mine.baseUrl), originOf(href));
  if (given === undefined && mine.tokenFile !== undefined && !isSameHost)
    throw usageStop(
      t(
        `The token of profile ${name} was given for another address, and goes to no other.`,
        `Het token van profiel ${name} is voor een ander adres gegeven, en gaat naar geen ander.`,
      ),
      t('Give the token of the new address too.', 'Geef ook het token van het nieuwe adres.'),
    );
  const tokenFile = given === undefined ? undefined : tokenName(name);
  if (tokenFile !== undefined) await writeText(join(dirname(placeOf(places.own)), tokenFile), `${given}\n`);
  // The numbers of another service's lists would be wrong.
  const isMoved = mine.baseUrl !== undefined && !sameAddress(mine.baseUrl, href);
  const { json = {} } = files.ours ?? {};
  const profiles = (json.profiles ?? {}) as Readonly<Record<string, Json>>;
  const kept = (Object.hasOwn(profiles, name) && profiles[name]) || {};
  const profile = {
    ...(isMoved ? withoutLists(kept) : kept),
    baseUrl: href,
    ...(tokenFile !== undefined && { tokenFile }),
  };
  const changed = { ...json, profiles: { ...profiles, [name]: profile } };
  await writeText(places.own, `${JSON.stringify(changed, null, 2)}\n`);
}

type Json = Readonly<Record<string, unknown>>;

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : address);

/** A profile as it stands in the file, without the numbers of lists. */
function withoutLists({ dialect, ...profile }: Json): Json {
  const { dropdowns: _, ...others } = (dialect ?? {}) as Json;
  return { ...profile, ...(Object.keys(others).length > 0 && { dialect: others }) };
}

/** The file of a profile's token; names may differ in case alone, where files can't. */
function tokenName(name: string): string {
  const sign = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `token-${basename(name)}-${sign}.txt`;
}
