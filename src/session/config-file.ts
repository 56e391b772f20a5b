import { z } from 'zod';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { shapeWords } from '../core/shape-words.ts';
import { readSmallText } from '../files/small-text.ts';
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
    throw new StopError(EXIT.usage, text, { next: UNREADABLE, cause: error });
  }
}

function parseConfig(json: unknown, file: string): Pick<ConfigFile, 'profile' | 'profiles'> {
  const parsed = configSchema.safeParse(json, { reportInput: true });
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
