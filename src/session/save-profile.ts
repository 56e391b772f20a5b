import { dirname } from 'node:path';
import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { makeFolder } from '../files/folders.ts';
import { PRIVATE, writeAtomically } from '../files/write-aside.ts';
import { readConfig } from './config-file.ts';
import { configPlaces, DEFAULT_PROFILE } from './config-places.ts';
import type { Settings } from './settings.ts';
import { trustFile } from './trusted-files.ts';

type Json = Record<string, unknown>;

/**
 * Writes the numbers of dropdown lists into the profile in use, beside what its file holds; into the user's
 * own file where there is no such profile yet. A file of the working folder is trusted with it. Throws
 * StopError with EXIT.usage for a profile of another service.
 */
export async function saveDropdowns(
  { profile, baseUrl }: Pick<Settings, 'profile' | 'baseUrl'>,
  dropdowns: Readonly<Record<string, number>>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly file: string; readonly profile: string }> {
  const name = profile ?? DEFAULT_PROFILE;
  const { own: ownFile, here, trusted } = configPlaces(environment);
  const local = readConfig(here);
  const isHere = local !== undefined && Object.hasOwn(local.profiles, name);
  const file = isHere ? here : ownFile;
  const { text = '', json: config = {} } = (isHere ? local : readConfig(file)) ?? {};
  const profiles = (config.profiles ?? {}) as Json;
  const own = (profiles[name] ?? {}) as Json;
  refuseOther(name, own.baseUrl, baseUrl);
  const dialect = (own.dialect ?? {}) as Json;
  const numbers = { ...dropdowns, ...(dialect.dropdowns as Json | undefined) };
  const changed = {
    ...config,
    profiles: { ...profiles, [name]: { ...own, dialect: { ...dialect, dropdowns: numbers } } },
  };
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? 2;
  const lines = `${JSON.stringify(changed, null, indent)}\n`;
  const written = text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;
  makeFolder(dirname(file));
  // One of the working folder keeps its mode.
  const mode = isHere ? undefined : PRIVATE;
  const { place } = await writeAtomically(file, async (stream) => void stream.write(written), { mode });
  if (isHere) await trustFile({ file: place, text: written }, trusted);
  return { file: place, profile: name };
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
    t(
      'Give the service a profile of its own, and name it with --profile.',
      'Geef het systeem een eigen profiel, en noem het met --profile.',
    ),
  );
}
