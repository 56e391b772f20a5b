import type { Language } from '../core/language.ts';

/** Dutch where the machine is set to Dutch, English elsewhere. */
export function spokenLanguage(environment: NodeJS.ProcessEnv): Language {
  const told = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG;
  const name = told || new Intl.DateTimeFormat().resolvedOptions().locale;
  return /^nl\b|^nl_/i.test(name) ? 'nl' : 'en';
}

/** The language before the flags are parsed: `--lang` is looked for by hand. */
export function earlyLanguage(words: readonly string[], environment: NodeJS.ProcessEnv): Language {
  return namedLanguage(words) ?? spokenLanguage(environment);
}

/** The language that `--lang` names among the words of a command line. */
function namedLanguage(words: readonly string[]): Language | undefined {
  const given = words.flatMap((word, at) =>
    word === '--lang' ? [words[at + 1]] : word.startsWith('--lang=') ? [word.slice('--lang='.length)] : [],
  );
  return given.find((name): name is Language => name === 'nl' || name === 'en');
}
