import type { Language } from '../core/value.ts';
import { humanView } from '../view/human-view.ts';
import { jsonView } from '../view/json-view.ts';
import type { GivenFlags } from '../view/next-command.ts';
import type { View } from '../view/view.ts';
import type { CommonFlags } from './common-flags.ts';
import { earlyLanguage } from './early-language.ts';

/** The view that the flags ask for. */
export function chooseView(
  flags: Pick<CommonFlags, 'json' | 'quiet' | 'color'> & GivenFlags,
  language: Language,
): View {
  const { quiet, color, json } = flags;
  if (json !== undefined) return jsonView({ language, quiet, all: json === 'all' });
  return humanView({ language, quiet, color, given: flags });
}

/** The view for what goes wrong before there are flags to choose it by. */
export function earlyView(words: readonly string[], environment: NodeJS.ProcessEnv): View {
  const json = words.some((word) => word === '--json' || word.startsWith('--json=')) ? '' : undefined;
  return chooseView({ json, quiet: false, color: false }, earlyLanguage(words, environment));
}
