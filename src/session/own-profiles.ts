import { configPlaces } from './config-places.ts';
import { readConfigs, standing } from './profile.ts';
import type { Settings } from './settings.ts';
import { readToken } from './token.ts';
import { isTrusted } from './trusted-files.ts';

/** One service that can be chosen, without anything secret. */
export interface ProfileDocument {
  /** Its name, as `--profile` takes it. */
  readonly name: string;
  /** The address of its service, without a user name, password or query; null for the embedded sandbox. */
  readonly address: string | null;
  /** Whether there is a token for it. Which one is never told. */
  readonly hasToken: boolean;
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
}

/** Where files of settings are looked for; as the program was started, when absent. */
export interface ProfilePlaces {
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
export const serviceInUse = ({ profile, baseUrl }: Pick<Settings, 'profile' | 'baseUrl'>): ServiceInUse => ({
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
