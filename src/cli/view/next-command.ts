import type { Plan } from '../../import/plan/plan-import.ts';
import type { FlagsOf, ProgramOptions } from '../../options/options.ts';

/** Flags of a command that a following one needs too. */
export type GivenFlags = Pick<
  ProgramOptions,
  'baseUrl' | 'tokenFile' | 'profile' | 'ledger' | 'lang' | 'locale'
> &
  Partial<Pick<FlagsOf<'import'>, 'delimiter' | 'map' | 'strict' | 'allowDelete' | 'onConflict'>> & {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  };

/** The flags for the service, settings, ledger and language, as given, each with a blank before it. */
export function serviceFlags({ baseUrl, tokenFile, profile, ledger, lang }: GivenFlags): string {
  return flagText({ 'base-url': baseUrl, 'token-file': tokenFile, profile, ledger, lang });
}

/** The flags with which a result is imported as its file was. */
export function againFlags({ given, locale }: Plan, flags: GivenFlags): string {
  const { strict = false, allowDelete = false, onConflict, map, from, to } = flags;
  const { as, only, set, headerRow, delimiter, encoding } = given ?? NONE;
  return `${flagText({
    ...{ as, sheet: only, set: set.map(({ field, text }) => `${field}=${text}`) },
    // What was taken after forgetting is not to be forgotten too.
    map: map === 'none' ? null : map,
    ...{
      'header-row': headerRow,
      encoding,
      delimiter,
      locale: flags.locale ?? (locale === 'nl' ? null : locale),
    },
    ...{ strict, 'allow-delete': allowDelete, from, to },
    'on-conflict': onConflict === 'skip' ? null : onConflict,
  })}${serviceFlags(flags)}`;
}

const NONE = { as: null, only: [], set: [], headerRow: null, delimiter: null, encoding: null } as const;

/** The same, with the flags for how a file was written. */
export function fileFlags(given: GivenFlags): string {
  return `${flagText({ locale: given.locale, delimiter: given.delimiter })}${serviceFlags(given)}`;
}

type FlagValue = string | number | boolean | readonly string[] | null | undefined;

function flagText(flags: Readonly<Record<string, FlagValue>>): string {
  return Object.entries(flags)
    .flatMap(([name, value]) => {
      if (value === true) return ` --${name}`;
      if (value == null || value === false) return [];
      const values = typeof value === 'object' ? value : [String(value)];
      return values.map((one) => ` --${name} ${shellWord(one)}`);
    })
    .join('');
}

/** A file's name as an argument: one that begins with a dash would be taken for a flag. */
export function fileWord(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}

/** Characters without meaning to any shell. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
/** Characters with a meaning within double quotes. */
const QUOTED = /["$`!\\]/;

/**
 * A text as one word of a command line. On Windows only double quotes work, and a backslash in them is
 * itself.
 */
function shellWord(text: string): string {
  const windows = process.platform === 'win32';
  if (PLAIN.test(text) || (windows && PLAIN.test(text.replaceAll('\\', '/')))) return text;
  return windows || !QUOTED.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
