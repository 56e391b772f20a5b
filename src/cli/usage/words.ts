import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { CommandEntry, Positional } from '../../options/command-entry.ts';
import { COMMANDS, type CommandName } from '../../options/commands.ts';
import { kindOf } from '../../options/option.ts';
import { OPTION_LIST } from '../../options/options.ts';

/** An entry of the option table. */
export type Entry = (typeof OPTION_LIST)[number];

/** What stands behind a command, where it has another name in Dutch. */
const DUTCH: Readonly<Record<string, string>> = {
  file: 'bestand',
  to: 'doel',
  resource: 'werkblad',
  what: 'wat',
  ids: 'nummer',
  action: 'wat',
  command: 'opdracht',
};

/** The type of a flag on the command line. */
export const typeOf = ({ typed, type }: Entry): Entry['type'] => typed ?? type;

/** Whether a flag has a value; of --json that stands behind a `=` alone. */
export const hasValue = (entry: Entry): boolean =>
  kindOf(typeOf(entry)) !== 'boolean' && entry.flag !== 'json';

/** The flags of a command. */
export const entriesOf = (command: CommandName): readonly Entry[] =>
  OPTION_LIST.filter(({ commands }) => commands.includes(command));

/** What stands behind a command, with what it chooses from. */
export function positionalHelp({ help, names }: Positional): Bilingual {
  const list = names === undefined ? '' : `: ${names.join(', ')}`;
  return t(`${help.en}${list}`, `${help.nl}${list}`);
}

/** What stands behind a command, in the language of its help: file, bestand. */
export const positionalName = ({ name }: Positional, language: Language): string =>
  (language === 'nl' && DUTCH[name]) || name;

/** The command that a command line names. */
export const commandIn = (words: readonly string[]): CommandName | undefined =>
  words.find((word): word is CommandName => Object.hasOwn(COMMANDS, word));

/** A command with what stands behind it, as yargs takes it: `import <file..>`, `template [werkblad..]`. */
export function usageOf(name: CommandName, language: Language): string {
  const { positionals }: CommandEntry = COMMANDS[name];
  const words = positionals.map((one) => {
    const word = `${positionalName(one, language)}${one.many === true ? '..' : ''}`;
    return one.required === true ? `<${word}>` : `[${word}]`;
  });
  return [name, ...words].join(' ');
}

/** The titles of groups of flags, in the order of the help. */
export const GROUPS = {
  own: t('Flags', 'Vlaggen'),
  what: t('What is taken', 'Wat er genomen wordt'),
  reading: t('How the file is read', 'Hoe het bestand gelezen wordt'),
  service: t('Service', 'Systeem'),
  run: t('Run', 'Run'),
  output: t('Output', 'Uitvoer'),
} as const;

/** The words of this command line; what stands behind `--` is a name, also where it begins as a flag does. */
export function givenWords(): string[] {
  const given = process.argv.slice(2);
  const at = given.indexOf('--');
  if (at < 0) return given;
  return [...given.slice(0, at), ...given.slice(at + 1).map((text) => text.replace(/^-(?=.)/, './-'))];
}
