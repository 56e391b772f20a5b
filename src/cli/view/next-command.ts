import type { ProgramOptions } from '../../options/options.ts';

/** Flags of a command that a following one needs too. */
export type GivenFlags = Pick<ProgramOptions, 'baseUrl' | 'tokenFile' | 'profile' | 'ledger' | 'locale'> & {
  readonly delimiter?: string | undefined;
};

/** The flags for the service, settings and ledger, as given, each with a blank before it. */
export function serviceFlags({ baseUrl, tokenFile, profile, ledger }: GivenFlags): string {
  return flagText({ 'base-url': baseUrl, 'token-file': tokenFile, profile, ledger });
}

/** The same, with the flags for how a file was written. */
export function fileFlags(given: GivenFlags): string {
  return `${flagText({ locale: given.locale, delimiter: given.delimiter })}${serviceFlags(given)}`;
}

function flagText(flags: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(flags).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.map(([name, value]) => ` --${name} ${shellWord(value)}`).join('');
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
export function shellWord(text: string): string {
  const windows = process.platform === 'win32';
  if (PLAIN.test(text) || (windows && PLAIN.test(text.replaceAll('\\', '/')))) return text;
  return windows || !QUOTED.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
