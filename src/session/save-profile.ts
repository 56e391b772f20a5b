import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { type StopError, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { makeFolder } from '../files/folders.ts';
import { PRIVATE, writeAtomically } from '../files/write-aside.ts';
import { sameAddress, serviceAddress } from '../service/address.ts';
import { TOKEN } from '../service/client-state.ts';
import { type ConfigFile, configPlaces, placeOf } from './config-file.ts';
import { type ProfilePlaces, readConfigs, standing } from './profile.ts';

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
  if (!NAME.test(name)) throw badName();
  const places = configPlaces(environment, working);
  const files = readConfigs(places);
  const { mine = {}, risky } = standing(name, files);
  if (files.local !== undefined && risky.length > 0) throw countsBefore(files.local, name);
  const { href } = serviceAddress(address, mine.allowHttp);
  const given = token?.trim();
  if (given !== undefined && (given.length > MOST_TOKEN || !TOKEN.test(given))) throw badToken();
  // A token goes to no address but the one that it was given for.
  const isSameHost = mine.baseUrl !== undefined && sameAddress(originOf(mine.baseUrl), originOf(href));
  if (given === undefined && mine.tokenFile !== undefined && !isSameHost) throw tokenOfAnother(name);
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

async function writeText(file: string, text: string): Promise<void> {
  makeFolder(dirname(file));
  await writeAtomically(file, async (stream) => void stream.write(text), { mode: PRIVATE });
}

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

const countsBefore = ({ file }: ConfigFile, name: string): StopError =>
  usageStop(
    t(
      `Profile ${name} stands in ${file}, which counts before your own settings.`,
      `Profiel ${name} staat in ${file}, en dat gaat voor je eigen instellingen.`,
    ),
    t('Change it there, or choose another name.', 'Wijzig het daar, of kies een andere naam.'),
  );

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
