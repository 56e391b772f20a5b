import type { Language } from '../../core/language.ts';

/** How what yargs says of what it does not know begins. */
export const UNKNOWN = 'unknown: ';

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
    'Missing required argument: %s': counted('Missing: --%s.'),
    'Unknown argument: %s': counted(`${UNKNOWN}%s`),
    'Invalid values:': ' ',
    'Argument: %s, Given: %s, Choices: %s': '%s: %s is not one of %s.',
    'Unknown command: %s': counted('There is no command %s.'),
    'Not enough arguments following: %s': '--%s lacks its value.',
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
    'Missing required argument: %s': counted('Dit ontbreekt: --%s.'),
    'Unknown argument: %s': counted(`${UNKNOWN}%s`),
    'Invalid values:': ' ',
    'Argument: %s, Given: %s, Choices: %s': '%s: %s is niet een van %s.',
    'Unknown command: %s': counted('Er is geen opdracht %s.'),
    'Not enough arguments following: %s': 'De waarde van --%s ontbreekt.',
    'Did you mean %s?': 'Bedoel je %s?',
  },
};
