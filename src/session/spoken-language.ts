import type { Language } from '../core/language.ts';

/** Dutch where the machine is set to Dutch, English elsewhere. */
export function spokenLanguage(environment: NodeJS.ProcessEnv): Language {
  const told = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG;
  const name = told || new Intl.DateTimeFormat().resolvedOptions().locale;
  return /^nl\b|^nl_/i.test(name) ? 'nl' : 'en';
}

/** The value of a flag among the words of a command line, before it is read. */
export const flagValue = (words: readonly string[], flag: string): string | undefined =>
  new RegExp(`(?:^|\n)${flag}[=\n](.*)`).exec(words.join('\n'))?.[1];

/** The language of `--lang`, else of the machine: nothing is loaded for it. */
export function saidLanguage(words: readonly string[]): Language {
  const named = flagValue(words, '--lang');
  return named === 'nl' || named === 'en' ? named : spokenLanguage(process.env);
}
