import { existsSync } from 'node:fs';
import type { Argv, Options } from 'yargs';
import yargs from 'yargs';
import { z } from 'zod';
import { EXITS, type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import { shapeWords } from '../core/shape-words.ts';
import {
  COMMAND_LIST,
  COMMANDS,
  type CommandEntry,
  type CommandName,
  type Positional,
} from '../options/commands.ts';
import { choicesOf, initialOf, kebab, kindOf } from '../options/option.ts';
import { flagHelp, OPTION_LIST } from '../options/options.ts';
import { columnsOf, wrap } from './view/lines.ts';
import { fileWord } from './view/next-steps.ts';

/** What a command line asks for: a command with its input, or what is to be shown, such as a help. */
type Asked =
  | { readonly name: Exclude<CommandName, 'help'>; readonly given: never }
  | { readonly shown: string };

/** What the words of a command line ask for. Throws StopError for wrong usage. */
export async function readWords(given: readonly string[], language: Language): Promise<Asked> {
  // A bare --json would take the next word, the file, as its value.
  const words = given.map((word) => (word === '--json' ? '--json=rows' : word));
  // yargs looks for the command in front.
  const at = words.findIndex((word) => Object.hasOwn(COMMANDS, word));
  const inOrder = at <= 0 ? words : [...words.splice(at, 1), ...words];
  return await parsed(inOrder, language);
}

/** The flag with which a shell asks yargs what may stand at the cursor. */
export const ASKING = '--get-yargs-completions';

/** What yargs makes of words, with the commands and flags of the tables, in one language. */
export async function parsed(words: readonly string[], language: Language): Promise<Asked> {
  // Else what is required is asked for in words of its own, once nothing unknown stands there.
  const isHelp = words.some((word) => /^(--help|help|-[a-z]*h[a-z]*)$/i.test(word));
  let asked: Asked = { shown: '' };
  await yargs()
    // Or `--yes.xlsx` would be taken for a part of --yes.
    .parserConfiguration({ 'dot-notation': false })
    .scriptName('catersheet')
    .locale(language)
    .updateStrings(YARGS_TEXTS[language] as never)
    .wrap(columnsOf())
    .usage(
      t(
        'Spreadsheets in and out of a catering and event-management service.',
        'Spreadsheets je cateringsysteem in en uit.',
      )[language],
    )
    .command(
      COMMAND_LIST.map(([name, { help, positionals }]) => ({
        command: isHelp
          ? usageOf(name, language)
          : usageOf(name, language).replace('<', '[').replace('>', ']'),
        describe: help[language],
        builder: (argv: Argv) => commandParser(argv, name, language),
        async handler(given: Typed) {
          const flags = entriesOf(name).map((entry) => [entry.flag, valueFor(entry, given, words)]);
          const behind = positionals.map((one: Positional) => {
            const typed = [given[positionalName(one, language)]].flat().filter((word) => word !== undefined);
            // Empty as a script gives it where its variable holds nothing.
            if (one.ask !== undefined && (typed[0] ?? '') === '') throw seeHelp(words, one.ask);
            return [one.name, one.many === true ? typed : typed[0]];
          });
          const all = Object.fromEntries([...flags, ...behind]);
          if (name === 'help') asked = await parsed([all.command, '--help'], language);
          else asked = { name, given: all as never };
        },
      })),
    )
    .demandCommand(1, t('Name a command.', 'Noem een opdracht.')[language])
    .recommendCommands()
    .strict()
    .help('help', undefined)
    .alias('help', 'h')
    .version(false)
    .option('version', {
      alias: 'V',
      type: 'boolean',
      describe: t('Show the version', 'Toon de versie')[language],
    })
    .epilogue(exitsText(language))
    .completion('complete', false)
    .exitProcess(false)
    .fail((message, error) => {
      throw error === undefined || error.name === 'YError'
        ? usageFault(words, message ?? error.message)
        : error;
    })
    .parseAsync(words, {}, (_error, _given, shown) => {
      if (shown !== '') asked = { shown };
    });
  return asked;
}

type Typed = Readonly<Record<string, unknown>>;

function exitsText(language: Language): string {
  const lines = Object.values(EXITS).flatMap(({ code, text }) =>
    wrap(`  ${String(code).padEnd(5)}${text[language]}`, columnsOf(), 7),
  );
  return [t('Exit codes:', 'Exitcodes:')[language], ...lines].join('\n');
}

/** A command with its flags, what stands behind it, and its examples. */
function commandParser(argv: Argv, name: CommandName, language: Language): Argv {
  const { help, positionals, examples = {} }: CommandEntry = COMMANDS[name];
  argv.usage(`catersheet ${usageOf(name, language)}\n\n${help[language]}.`);
  for (const one of positionals) {
    const choices = name === 'help' ? Object.keys(COMMANDS) : one.choices;
    argv.positional(positionalName(one, language), {
      ...(choices === undefined ? { type: 'string' } : { choices }),
      describe: positionalHelp(one)[language],
      // Or yargs shows its own default, [].
      ...(one.many === true ? { array: true, default: undefined } : {}),
    });
  }
  for (const [group, title] of Object.entries(GROUPS)) {
    const taken = entriesOf(name).filter((entry) => (entry.group ?? 'own') === group);
    for (const entry of taken)
      argv.option(kebab(entry.flag), {
        ...yargsOption(entry),
        describe: flagHelp(entry)[language],
        group: `${title[language]}:`,
      });
    if (group === 'output') argv.group(['help', 'version'], `${title[language]}:`);
  }
  const shown = Object.entries(examples).map(
    ([line, text]) => `  catersheet ${line}\n      ${text[language]}`,
  );
  return argv.epilogue([t('Examples:', 'Voorbeelden:')[language], ...shown].join('\n'));
}

function yargsOption(entry: Entry): Options {
  const { flag, alias, initial, required } = entry;
  const [kind, choices] = [kindOf(typeOf(entry)), choicesOf(typeOf(entry))];
  return {
    ...(choices !== undefined && {
      choices,
    }),
    // --json is a switch that may have a value.
    ...(flag !== 'json' &&
      choices === undefined && { type: kind === 'array' ? 'string' : (kind as 'string') }),
    ...(kind === 'array' && { array: true }),
    // One value each: `--out -` too, and no word behind it.
    ...(hasValue(entry) && { nargs: 1, requiresArg: true }),
    ...(alias !== undefined && { alias }),
    ...((typeof initial === 'string' || typeof initial === 'number') && { default: initial }),
    ...(required === true && { demandOption: true }),
  };
}

/** The value of a flag, by its type. Throws StopError for a wrong one. */
function valueFor(entry: Entry, given: Typed, words: readonly string[]): unknown {
  const { flag, alias } = entry;
  const value = given[flag] ?? initialOf(entry);
  const type = typeOf(entry);
  const name = `--${kebab(flag)}`;
  const behind = new RegExp(`^(?:${name}|--${flag}|-${alias})=(.*)`, 's');
  const typed = [value, ...words.flatMap((word) => behind.exec(word)?.[1] ?? [])];
  // yargs takes --dry-run=ja for no, and --retries= for nothing.
  if (kindOf(type) === 'boolean' && typed.some((word) => !/^(true|false)$/.test(String(word))))
    throw seeHelp(words, t(`${name} takes no value.`, `${name} krijgt geen waarde.`));
  if (hasValue(entry) && typed.includes(''))
    throw seeHelp(words, t(`${name} lacks its value.`, `De waarde van ${name} ontbreekt.`));
  if (kindOf(type) !== 'array' && Array.isArray(value))
    throw seeHelp(words, t(`${name} is given more than once.`, `${name} is meer dan eens gegeven.`));
  if (value === undefined || type.safeParse(value).success) return value;
  const { error } = z.object({ [name]: type }).safeParse({ [name]: value });
  const { en, nl } = shapeWords(error ?? { issues: [] });
  throw seeHelp(words, t(en.replace(/\.?$/, '.'), nl.replace(/\.?$/, '.')));
}

/** A sentence on a wrong word, with what may be meant. */
function meant({ en, nl }: Bilingual, word: string, known: readonly string[], dashes = ''): Bilingual {
  const [near] = nearest(word, known, 1);
  return near === undefined
    ? t(en, nl)
    : t(`${en} Did you mean ${dashes}${near}?`, `${nl} Bedoel je ${dashes}${near}?`);
}

/** What yargs says is wrong, with what may be meant. */
function usageFault(words: readonly string[], message: string): StopError {
  const command = commandIn(words);
  if (!message.startsWith(UNKNOWN)) {
    const [wrong = '', ...choices] = [...message.matchAll(/"(.*?)"/g)].map(([, word = '']) => word);
    return seeHelp(words, meant(same(message.trim()), wrong, choices));
  }
  // Of a flag yargs names both ways to write it.
  const [name = ''] = message.slice(UNKNOWN.length).split(', ');
  if (name === 'token')
    return usageStop(
      t(
        'A token is no flag: others on this machine could see it.',
        'Een token is geen vlag: anderen op deze computer zouden het kunnen zien.',
      ),
      t(
        'Put it in CATERSHEET_TOKEN, or name its file with --token-file.',
        'Zet het in CATERSHEET_TOKEN, of noem het bestand met --token-file.',
      ),
    );
  if (command === undefined && existsSync(name)) {
    const line = `catersheet import ${fileWord(name)}`;
    return usageStop(
      t(`${name} is no command.`, `${name} is geen opdracht.`),
      t(`To import it: ${line}`, `Om het te importeren: ${line}`),
    );
  }
  const flags = command === undefined ? [] : entriesOf(command).map(({ flag }) => kebab(flag));
  const typed = words.includes(name) ? name : `${name.length === 1 ? '-' : '--'}${name}`;
  const unknown = t(`Not known here: ${typed}.`, `Hier niet bekend: ${typed}.`);
  return seeHelp(words, meant(unknown, name, [...flags, 'help', 'version'], '--'));
}

function seeHelp(words: readonly string[], message: Bilingual): StopError {
  const command = commandIn(words);
  const help = command === undefined ? 'catersheet --help' : `catersheet ${command} --help`;
  return usageStop(message, t(`See ${help}.`, `Zie ${help}.`));
}

/** An entry of the option table. */
type Entry = (typeof OPTION_LIST)[number];

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
const positionalName = ({ name }: Positional, language: Language): string =>
  (language === 'nl' && DUTCH[name]) || name;

/** The command that a command line names. */
export const commandIn = (words: readonly string[]): CommandName | undefined =>
  words.find((word): word is CommandName => Object.hasOwn(COMMANDS, word));

/** A command with what stands behind it, as yargs takes it: `import <file..>`, `template [werkblad..]`. */
function usageOf(name: CommandName, language: Language): string {
  const { positionals }: CommandEntry = COMMANDS[name];
  const words = positionals.map((one) => {
    const word = `${positionalName(one, language)}${one.many === true ? '..' : ''}`;
    return one.ask !== undefined ? `<${word}>` : `[${word}]`;
  });
  return [name, ...words].join(' ');
}

/** The titles of groups of flags, in the order of the help.
 * @public The manual page has them too.
 */
export const GROUPS = {
  own: t('Flags', 'Vlaggen'),
  reading: t('How the file is read', 'Hoe het bestand gelezen wordt'),
  service: t('Service', 'Systeem'),
  run: t('Run', 'Run'),
  output: t('Output', 'Uitvoer'),
} as const;

/** How what yargs says of what it does not know begins. */
const UNKNOWN = 'unknown: ';

/** A text that is the same for one and for several. */
const counted = (text: string) => ({ one: text, other: text });

/** The words of yargs in the plain words of this program: those that differ from its own. */
const YARGS_TEXTS: Readonly<Record<Language, Readonly<Record<string, string | object>>>> = {
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
