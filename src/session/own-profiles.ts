import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { makeFolder } from '../files/folders.ts';
import { PRIVATE, writeAtomically } from '../files/write-aside.ts';
import { sameAddress, serviceAddress } from '../service/address.ts';
import { TOKEN } from '../service/client-state.ts';
import { type ConfigFile, readConfig } from './config-file.ts';
import { configPlaces, DEFAULT_PROFILE } from './config-places.ts';
import { profileIn, riskyIn } from './profile.ts';
import type { Settings } from './settings.ts';
import { readToken } from './token.ts';
import { isTrusted, placeOf } from './trusted-files.ts';
import { type Json, writeConfig } from './write-config.ts';

/** One service that can be chosen, without anything secret. */
export interface ProfileDocument {
  /** Its name, as `--profile` takes it. */
  readonly name: string;
  /** The address of its service, without a user name, password or query; null for the embedded sandbox. */
  readonly address: string | null;
  /** `sandbox` is made-up data on this machine; all else may be somebody's own records. */
  readonly kind: 'sandbox' | 'real';
  /** Whether there is a token for it. Which one is never told. */
  readonly hasToken: boolean;
  /** It counts where none is named. */
  readonly isDefault: boolean;
  /**
   * The file that it stands in: `own` is the user's own in the private folder of settings, `folder` that of
   * the folder that the program was started in, which may come from anyone.
   */
  readonly source: 'own' | 'folder';
  /** That file's path. */
  readonly file: string;
  /** It can be used: the user's own always, a folder's once it was trusted as it is now. */
  readonly trusted: boolean;
}

/** The services that can be chosen, and where they are kept. */
export interface ProfilesDocument {
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
  /** Whether there is a token for it; the embedded sandbox needs none. */
  readonly hasToken: boolean;
}

/** A profile as the user gives it. */
export interface ProfileToSave {
  readonly name: string;
  /** The address of the service, up to and not including api/v1. */
  readonly address: string;
  /** Its token; absent, the one that is kept stays. */
  readonly token?: string | undefined;
}

/** A file that has a profile of this name; undefined for one that has none. */
const having = (config: ConfigFile | undefined, name: string): ConfigFile | undefined =>
  config !== undefined && Object.hasOwn(config.profiles, name) ? config : undefined;

/** Where files of settings are looked for; as the program was started, when absent. */
export interface ProfilePlaces {
  readonly environment?: NodeJS.ProcessEnv;
  /** The folder that one works in. */
  readonly working?: string;
}

/** The user's own file, and that of the working folder where it is another. */
function readFiles({ environment = process.env, working }: ProfilePlaces) {
  const places = configPlaces(environment, working);
  const isOne = resolve(places.own) === resolve(places.here);
  return { ...places, ours: readConfig(places.own), local: isOne ? undefined : readConfig(places.here) };
}

/**
 * Lists the profiles that can be chosen, with what counts of each. Throws StopError with EXIT.usage for a
 * file of profiles that can't be read.
 */
export function listProfiles(places: ProfilePlaces = {}): ProfilesDocument {
  const { environment = process.env } = places;
  const { own, trusted: store, ours, local } = readFiles(places);
  const chosen = local?.profile ?? ours?.profile ?? DEFAULT_PROFILE;
  const names = [ours, local].flatMap((config) => Object.keys(config?.profiles ?? {}));
  const profiles = [...new Set(names)].sort().map((name): ProfileDocument => {
    const [mine, found] = [profileIn(ours, name), profileIn(local, name)];
    const counts =
      local !== undefined && found !== undefined && (mine === undefined || riskyIn(found).length > 0);
    const profile = (counts ? found : mine) ?? {};
    const trusted = !counts || riskyIn(found).length === 0 || isTrusted(local, store);
    return {
      ...{ name, ...addressOf(profile.baseUrl ?? null), isDefault: name === chosen },
      hasToken: trusted && hasToken(profile, environment),
      ...(counts ? { source: 'folder', file: local.file } : { source: 'own', file: own }),
      trusted,
    };
  });
  return { place: own, profiles };
}

/** The service that these settings lead to. */
export function serviceInUse(
  { profile, baseUrl, token, tokenFile }: Pick<Settings, 'profile' | 'baseUrl' | 'token' | 'tokenFile'>,
  environment: NodeJS.ProcessEnv = process.env,
): ServiceInUse {
  const has = token !== undefined || hasToken({ tokenFile }, environment);
  return { name: profile ?? null, ...addressOf(baseUrl), hasToken: has };
}

function addressOf(baseUrl: string | null): Pick<ServiceInUse, 'address' | 'kind'> {
  if (baseUrl === null) return { address: null, kind: 'sandbox' };
  const url = /^https?:/i.test(baseUrl) && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  // What stands before an @ or behind a ? may be secret.
  const plain = baseUrl.includes('@') ? '…' : baseUrl.replace(/[?#].*$/s, '');
  return { address: url === null ? plain : `${url.origin}${url.pathname}`, kind: 'real' };
}

/** Whether a token is there; the environment's goes before that of a profile. */
function hasToken(
  { tokenFile }: { readonly tokenFile?: string | undefined },
  environment: NodeJS.ProcessEnv,
): boolean {
  const file = environment.CATERSHEET_TOKEN ? undefined : tokenFile;
  try {
    return readToken(file, environment) !== '';
  } catch {
    return false;
  }
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
  places: ProfilePlaces = {},
): Promise<void> {
  if (!NAME.test(name)) throw badName();
  const { own, ours, local } = readFiles(places);
  refuseFolder(local, name);
  const before = having(ours, name)?.profiles[name] ?? {};
  const { href } = serviceAddress(address, before.allowHttp);
  const given = token?.trim();
  if (given !== undefined && (given.length > MOST_TOKEN || !TOKEN.test(given))) throw badToken();
  // A token goes to no address but the one that it was given for.
  const isSameHost = before.baseUrl !== undefined && sameAddress(originOf(before.baseUrl), originOf(href));
  if (given === undefined && before.tokenFile !== undefined && !isSameHost) throw tokenOfAnother(name);
  const folder = dirname(placeOf(own));
  const tokenFile = given === undefined ? undefined : tokenName(name);
  if (given !== undefined && tokenFile !== undefined) await writeToken(join(folder, tokenFile), given);
  const json = ours?.json ?? {};
  const profiles = (json.profiles ?? {}) as Json;
  const kept = { ...(having(ours, name) === undefined ? {} : (profiles[name] as Json)) };
  // The numbers of another service's lists would be wrong.
  if (before.baseUrl !== undefined && !sameAddress(before.baseUrl, href))
    kept.dialect = withoutLists(kept.dialect);
  if (kept.dialect === undefined) delete kept.dialect;
  const profile = { ...kept, baseUrl: href, ...(tokenFile === undefined ? {} : { tokenFile }) };
  await writeConfig(own, ours, { ...json, profiles: { ...profiles, [name]: profile } }, PRIVATE);
}

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : address);

/** A dialect as it stands in the file, without the numbers of lists. */
function withoutLists(dialect: unknown): Json | undefined {
  const { dropdowns: _, ...others } = (dialect ?? {}) as Json;
  return Object.keys(others).length === 0 ? undefined : others;
}

/** The file of a profile's token; names may differ in case alone, where files can't. */
function tokenName(name: string): string {
  const sign = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `token-${basename(name)}-${sign}.txt`;
}

async function writeToken(file: string, token: string): Promise<void> {
  makeFolder(dirname(file));
  await writeAtomically(file, async (stream) => void stream.write(`${token}\n`), { mode: PRIVATE });
}

function refuseFolder(local: ConfigFile | undefined, name: string): void {
  const there = having(local, name);
  if (there === undefined || riskyIn(there.profiles[name] ?? {}).length === 0) return;
  throw usageStop(
    t(
      `Profile ${name} stands in ${there.file}, which counts before your own settings.`,
      `Profiel ${name} staat in ${there.file}, en dat gaat voor je eigen instellingen.`,
    ),
    t('Change it there, or choose another name.', 'Wijzig het daar, of kies een andere naam.'),
  );
}

const badName = () =>
  usageStop(
    t('That can’t be the name of a profile.', 'Zo kan een profiel niet heten.'),
    t(
      'Use letters, digits, dots and hyphens, at most 64, with a letter or digit first.',
      'Gebruik letters, cijfers, punten en streepjes, hoogstens 64, met een letter of cijfer vooraan.',
    ),
  );

const badToken = () =>
  usageStop(
    t(
      'The token is empty, too long, or holds characters that a token cannot have.',
      'Het token is leeg, te lang, of er staan tekens in die een token niet kan hebben.',
    ),
    t('Copy the token alone, without spaces.', 'Kopieer alleen het token, zonder spaties.'),
  );

const tokenOfAnother = (name: string) =>
  usageStop(
    t(
      `The token of profile ${name} was given for another address, and goes to no other.`,
      `Het token van profiel ${name} is voor een ander adres gegeven, en gaat naar geen ander.`,
    ),
    t('Give the token of the new address too.', 'Geef ook het token van het nieuwe adres.'),
  );
