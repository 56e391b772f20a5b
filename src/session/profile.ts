import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { shapeWords } from '../core/shape-words.ts';
import { decodeText } from '../files/text-encoding.ts';
import { type HeaderTable, headerTable } from '../import/map/header-names.ts';
import { PROFILE_TYPES, type ProfileOptions } from '../options/options.ts';

/** The profile that is used where none is named. */
export const DEFAULT_PROFILE = 'default';
/** The file of profiles, in the folder one works in. */
export const CONFIG_FILE = 'catersheet.config.json';

const profileSchema = z.strictObject({
  ...Object.fromEntries(Object.entries(PROFILE_TYPES).map(([name, type]) => [name, type.optional()])),
  /** The user's own headers and the columns they stand for. */
  headers: headerTable.optional(),
});

const configSchema = z.strictObject({ profiles: z.record(z.string(), profileSchema) });

/** The settings of one service, by name. */
type Profile = ProfileOptions & {
  readonly headers?: HeaderTable | undefined;
  /** Its name; absent where there is no profile. */
  readonly name?: string;
};

/**
 * Reads a profile of the configuration file; without a name the profile `default`, if there is one. Throws
 * StopError with EXIT.usage for a missing file or name, or unknown settings.
 */
export function readProfile(name: string | undefined, file = resolve(CONFIG_FILE)): Profile {
  const text = readOptional(file);
  if (text === undefined) {
    if (name === undefined) return {};
    throw new StopError(
      EXIT.usage,
      t(
        `There is no ${CONFIG_FILE} here, so no profile ${name}.`,
        `Er is hier geen ${CONFIG_FILE}, dus geen profiel ${name}.`,
      ),
      {
        next: t(
          `Run in the folder that holds ${CONFIG_FILE}, or leave out --profile.`,
          `Werk in de map waar ${CONFIG_FILE} staat, of laat --profile weg.`,
        ),
      },
    );
  }
  const { profiles } = parseConfig(text, file);
  const chosen = name ?? DEFAULT_PROFILE;
  const profile = profiles[chosen];
  if (profile !== undefined) return { ...relativeTo(dirname(file), profile), name: chosen };
  if (name === undefined) return {};
  const names = Object.keys(profiles).join(', ');
  throw new StopError(
    EXIT.usage,
    t(`${CONFIG_FILE} has no profile ${name}.`, `${CONFIG_FILE} heeft geen profiel ${name}.`),
    { next: t(`It has: ${names}.`, `Wel: ${names}.`) },
  );
}

/** The file of profiles as it stands, checked; undefined where there is none. Throws as `readProfile`. */
export function readConfig(
  file: string,
): { readonly text: string; readonly config: Readonly<Record<string, unknown>> } | undefined {
  const text = readOptional(file);
  if (text === undefined) return undefined;
  parseConfig(text, file);
  return { text, config: parseJson(text, file) as Record<string, unknown> };
}

function readOptional(file: string): string | undefined {
  try {
    return decodeText(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StopError(EXIT.usage, t(`${file} cannot be read.`, `${file} kan niet worden gelezen.`), {
      next: t('Check its rights.', 'Kijk de rechten na.'),
      cause: error,
    });
  }
}

function parseConfig(text: string, file: string): { readonly profiles: Readonly<Record<string, Profile>> } {
  const parsed = configSchema.safeParse(parseJson(text, file), { reportInput: true });
  if (parsed.success) return parsed.data;
  const { en, nl } = shapeWords(parsed.error);
  throw new StopError(
    EXIT.usage,
    t(`${file} is not as it should be: ${en}.`, `${file} is niet zoals het hoort: ${nl}.`),
    {
      next: t(
        'Correct the setting that is named; docs/settings.md lists them.',
        'Verbeter de instelling die genoemd wordt; ze staan in docs/settings.md.',
      ),
    },
  );
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StopError(EXIT.usage, t(`${file} is not valid JSON.`, `${file} is geen geldige JSON.`), {
      next: t('Correct it, or remove it.', 'Verbeter het, of haal het weg.'),
      cause,
    });
  }
}

function relativeTo(folder: string, profile: Profile): Profile {
  const { tokenFile } = profile;
  return tokenFile === undefined ? profile : { ...profile, tokenFile: resolve(folder, tokenFile) };
}
