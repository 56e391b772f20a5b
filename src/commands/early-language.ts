import type { Language } from '../core/value.ts';
import { spokenLanguage } from '../session/spoken-language.ts';

/** The language of what is said before the flags are read: `--lang` is looked for by hand. */
export function earlyLanguage(words: readonly string[], environment: NodeJS.ProcessEnv): Language {
  const given = words.flatMap((word, at) =>
    word === '--lang' ? [words[at + 1]] : word.startsWith('--lang=') ? [word.slice('--lang='.length)] : [],
  );
  return (
    given.find((name): name is Language => name === 'nl' || name === 'en') ?? spokenLanguage(environment)
  );
}
