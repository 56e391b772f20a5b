import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { shapeWords } from '../core/shape-words.ts';
import { makeFolder } from '../files/folders.ts';
import { readSmallText } from '../files/small-text.ts';
import { PRIVATE, writeAtomically } from '../files/write-aside.ts';
import { type HeaderTable, headerTable } from '../import/map/header-names.ts';
import { PROFILE_TYPES, type ProfileOptions } from '../options/options.ts';

const profileSchema = z.strictObject({
  ...Object.fromEntries(Object.entries(PROFILE_TYPES).map(([name, type]) => [name, type.optional()])),
  /** The user's own headers and the columns they stand for. */
  headers: headerTable.optional(),
});

const configSchema = z.strictObject({
  /** The profile that counts where none is named. */
  profile: z.string().optional(),
  profiles: z.record(z.string(), profileSchema).default({}),
});

const UNREADABLE = t(
  'Check its rights, and that it is a text of at most 4 MB; or remove it.',
  'Kijk de rechten na, en of het een tekst van hoogstens 4 MB is; of haal het weg.',
);

/** The settings of one service. */
export type Profile = ProfileOptions & {
  readonly headers?: HeaderTable | undefined;
};

/** A file of profiles. */
export interface ConfigFile {
  readonly file: string;
  /** As it stands, for what writes into it. */
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly profile?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/**
 * Reads a file of profiles; undefined where there is none. Throws StopError with EXIT.usage for one that
 * can't be read or that holds unknown settings.
 */
export function readConfig(file: string): ConfigFile | undefined {
  const text = readOptional(file);
  if (text === undefined) return undefined;
  const json = parseJson(text, file);
  return { ...parseConfig(json, file), file, text, json: json as Record<string, unknown> };
}

function readOptional(file: string): string | undefined {
  try {
    return readSmallText(file);
  } catch (error) {
    const { code = 'EINVAL' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const text = t(`${file} cannot be read (${code}).`, `${file} kan niet worden gelezen (${code}).`);
    throw usageStop(text, UNREADABLE, error);
  }
}

function parseConfig(json: unknown, file: string): Pick<ConfigFile, 'profile' | 'profiles'> {
  const parsed = configSchema.safeParse(json, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { en, nl } = shapeWords(parsed.error);
  throw usageStop(
    t(`${file} is not as it should be: ${en}.`, `${file} is niet zoals het hoort: ${nl}.`),
    t(
      'Correct the setting that is named; docs/settings.md lists them.',
      'Verbeter de instelling die genoemd wordt; ze staan in docs/settings.md.',
    ),
  );
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageStop(
      t(`${file} is not valid JSON.`, `${file} is geen geldige JSON.`),
      t('Correct it, or remove it.', 'Verbeter het, of haal het weg.'),
      cause,
    );
  }
}

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

/** Files of settings that the user trusted, each with the hash of what it held then. */
const storeSchema = z.object({ files: z.record(z.string(), z.string()) });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether the user trusted a file as it stands: `store` remembers that. */
export const isTrusted = ({ file, text }: Pick<ConfigFile, 'file' | 'text'>, store: string): boolean =>
  readStore(store)[placeOf(file)] === hashOf(text);

/** Remembers that the user trusts a file as it stands. Throws StopError where that can't be written. */
export async function trustFile(
  { file, text }: Pick<ConfigFile, 'file' | 'text'>,
  store: string,
): Promise<void> {
  const files = { ...readStore(store), [placeOf(file)]: hashOf(text) };
  await writeText(store, `${JSON.stringify({ files }, null, 2)}\n`);
}

/** A file by its true name: a link to it is trusted as it is, and its paths count from there. */
export function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** What can't be read trusts nothing. */
function readStore(store: string): Readonly<Record<string, string>> {
  try {
    return storeSchema.parse(JSON.parse(readSmallText(store))).files;
  } catch {
    return {};
  }
}

/** Writes a text to a file for its owner alone. */
export async function writeText(file: string, text: string): Promise<void> {
  makeFolder(dirname(file));
  await writeAtomically(file, async (stream) => void stream.write(text), { mode: PRIVATE });
}
