import { type Bilingual, t } from '../../core/language.ts';
import type { CommandName } from '../../options/commands.ts';
import { choicesOf, kebab } from '../../options/option.ts';
import { flagHelp } from '../../options/options.ts';
import { type Entry, hasValue, typeOf } from './read-words.ts';
import { blankOf } from './words.ts';

/** The titles of groups of flags, in the order of the help. */
export const GROUPS = {
  own: t('Flags', 'Vlaggen'),
  what: t('What is taken', 'Wat er genomen wordt'),
  reading: t('How the file is read', 'Hoe het bestand gelezen wordt'),
  service: t('Service', 'Systeem'),
  run: t('Run', 'Run'),
  output: t('Output', 'Uitvoer'),
} as const;

/** So long a list of choices stands behind its flag; a longer one in the text. */
const SHORT_CHOICES = 24;

/** What a flag has behind it: FILE, en|nl; none for a switch. */
function behindFlag(entry: Entry): Bilingual | undefined {
  if (!hasValue(entry)) return undefined;
  const choices = choicesOf(typeOf(entry))?.join('|') ?? '';
  if (entry.placeholder !== undefined) return blankOf(entry.placeholder);
  return choices.length > 0 && choices.length <= SHORT_CHOICES ? t(choices, choices) : blankOf('NAME');
}

/** A flag as it is typed: its letter, its name and its value. */
export function flagTyped(entry: Entry): Bilingual {
  const { alias, flag } = entry;
  const value = behindFlag(entry);
  const typed = `${alias === undefined ? '    ' : `-${alias}, `}--${kebab(flag)}`;
  return value === undefined ? t(typed, typed) : t(`${typed} ${value.en}`, `${typed} ${value.nl}`);
}

/** What a flag does, with what it chooses from where that is long, and what it is where it is not given. */
export function flagText(entry: Entry, command: CommandName): Bilingual {
  const { initial, required } = entry;
  const { en, nl } = flagHelp(entry, command);
  const choices = choicesOf(typeOf(entry)) ?? [];
  const shown = behindFlag(entry)?.en === choices.join('|') || choices.length === 0;
  const list = shown ? '' : `: ${choices.join(', ')}`;
  const usual = typeof initial === 'string' || typeof initial === 'number' ? String(initial) : '';
  const more =
    required === true
      ? t(' (needed)', ' (verplicht)')
      : usual === ''
        ? t('', '')
        : t(` (default: ${usual})`, ` (standaard: ${usual})`);
  return t(`${en}${list}${more.en}`, `${nl}${list}${more.nl}`);
}
