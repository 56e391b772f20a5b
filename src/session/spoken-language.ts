import { existsSync } from 'node:fs';
import type { Language } from '../core/language.ts';
import { readSmallText } from '../files/small-text.ts';
import { configPlaces, DEFAULT_PROFILE } from './config-places.ts';

/** Dutch where the machine is set to Dutch, English elsewhere. */
export function spokenLanguage(environment: NodeJS.ProcessEnv): Language {
  const told = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG;
  const name = told || new Intl.DateTimeFormat().resolvedOptions().locale;
  return /^nl\b|^nl_/i.test(name) ? 'nl' : 'en';
}

/**
 * The language before the flags are parsed: of `--lang`, else of the profile in use, else of the machine. A
 * file of settings that can't be read is refused later, with what is wrong with it.
 */
export function earlyLanguage(words: readonly string[], environment: NodeJS.ProcessEnv): Language {
  const named = flagValues(words, '--lang').find(isLanguage);
  return named ?? profileLanguage(words, environment) ?? spokenLanguage(environment);
}

const isLanguage = (name: unknown): name is Language => name === 'nl' || name === 'en';

/** The values of a flag among the words of a command line. */
const flagValues = (words: readonly string[], flag: string): (string | undefined)[] =>
  words.flatMap((word, at) =>
    word === flag ? [words[at + 1]] : word.startsWith(`${flag}=`) ? [word.slice(flag.length + 1)] : [],
  );

/** As the whole of a profile is chosen, but reading no more than its language: nothing is loaded for it. */
function profileLanguage(words: readonly string[], environment: NodeJS.ProcessEnv): Language | undefined {
  try {
    const { own, here } = configPlaces(environment);
    const files = [here, own].filter((file) => existsSync(file)).map((file) => looseConfig(file));
    const named = flagValues(words, '--profile').at(-1) ?? files.find(({ profile }) => profile)?.profile;
    const languages = files.map(({ profiles }) => profiles?.[named ?? DEFAULT_PROFILE]?.lang);
    return languages.find(isLanguage);
  } catch {
    return undefined;
  }
}

/** What of a file of settings tells the language; throws for what is no such file. */
const looseConfig = (file: string): LooseConfig => JSON.parse(readSmallText(file)) as LooseConfig;

interface LooseConfig {
  readonly profile?: string;
  readonly profiles?: Readonly<Record<string, { readonly lang?: unknown } | undefined>>;
}
