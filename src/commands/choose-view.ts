import type { Language } from '../schema/value.ts';
import { spokenLanguage } from '../session/settings.ts';
import { humanView } from '../view/human-view.ts';
import { jsonView } from '../view/json-view.ts';
import type { View } from '../view/view.ts';
import type { CommonFlags } from './common-flags.ts';

/** The view that the flags ask for. */
export function chooseView(flags: Pick<CommonFlags, 'json' | 'quiet' | 'color'>, language: Language): View {
  const { quiet, color, json } = flags;
  if (json !== undefined) return jsonView({ language, quiet, all: json === 'all' });
  return humanView({ language, quiet, color });
}

/** The language of what is said before the flags are read: `--lang` is looked for by hand. */
export function earlyLanguage(words: readonly string[], environment: NodeJS.ProcessEnv): Language {
  const given = words.flatMap((word, at) =>
    word === '--lang' ? [words[at + 1]] : word.startsWith('--lang=') ? [word.slice('--lang='.length)] : [],
  );
  return (
    given.find((name): name is Language => name === 'nl' || name === 'en') ?? spokenLanguage(environment)
  );
}

/** The view for what goes wrong before there are flags to choose it by. */
export function earlyView(words: readonly string[], environment: NodeJS.ProcessEnv): View {
  const json = words.some((word) => word === '--json' || word.startsWith('--json=')) ? '' : undefined;
  return chooseView({ json, quiet: false, color: false }, earlyLanguage(words, environment));
}
