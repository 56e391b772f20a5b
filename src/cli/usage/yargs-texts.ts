import type { Language } from '../../core/language.ts';

/** How what yargs says begins where a word lacks; each word has its own text for that. */
export const TOO_FEW = 'too few:';

/** How it begins where a value is none of the choices. */
export const NO_CHOICE = 'no choice:';

/** A text that is the same for one and for several. */
const counted = (text: string) => ({ one: text, other: text });

/** The words of yargs in the plain words of this program: those that differ from its own. */
export const YARGS_TEXTS: Readonly<Record<Language, Readonly<Record<string, string | object>>>> = {
  en: {
    'Options:': 'Flags:',
    boolean: 'on/off',
    string: 'text',
    array: 'may be repeated',
    'Positionals:': 'Behind the command:',
    'Show help': 'Show this help',
    'Show version number': 'Show the version',
    'Not enough non-option arguments: got %s, need at least %s': counted(`${TOO_FEW} %s %s`),
    'Missing required argument: %s': counted('Missing: --%s.'),
    'Unknown argument: %s': counted('Not known here: %s.'),
    'Unknown command: %s': counted('There is no command %s.'),
    'Not enough arguments following: %s': '--%s lacks its value.',
    'Invalid values:': NO_CHOICE,
    'Argument: %s, Given: %s, Choices: %s': '%s\t%s\t%s',
  },
  nl: {
    'Commands:': 'Opdrachten:',
    'Options:': 'Vlaggen:',
    boolean: 'aan/uit',
    string: 'tekst',
    array: 'mag vaker',
    'Positionals:': 'Achter de opdracht:',
    'default:': 'standaard:',
    'Show help': 'Toon deze hulp',
    'Show version number': 'Toon de versie',
    'Not enough non-option arguments: got %s, need at least %s': counted(`${TOO_FEW} %s %s`),
    'Missing required argument: %s': counted('Dit ontbreekt: --%s.'),
    'Unknown argument: %s': counted('Hier niet bekend: %s.'),
    'Unknown command: %s': counted('Er is geen opdracht %s.'),
    'Not enough arguments following: %s': 'De waarde van --%s ontbreekt.',
    'Invalid values:': NO_CHOICE,
    'Argument: %s, Given: %s, Choices: %s': '%s\t%s\t%s',
    'Did you mean %s?': 'Bedoel je %s?',
  },
};
