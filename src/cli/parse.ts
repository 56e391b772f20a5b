import { existsSync } from 'node:fs';
import type { Argv, Options } from 'yargs';
import yargs from 'yargs';
import { z } from 'zod';
import { EXITS, type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import { shapeWords } from '../core/shape-words.ts';
import type { CommandEntry, Positional } from '../options/command-entry.ts';
import { COMMAND_LIST, COMMANDS, type CommandName } from '../options/commands.ts';
import { choicesOf, chosen, initialOf, kebab, kindOf, type Option } from '../options/option.ts';
import { flagHelp } from '../options/options.ts';

import { ASKING, offeredAt } from './usage/completion.ts';
import {
  commandIn,
  type Entry,
  entriesOf,
  GROUPS,
  hasValue,
  positionalHelp,
  positionalName,
  typeOf,
  usageOf,
} from './usage/words.ts';
import { UNKNOWN, YARGS_TEXTS } from './usage/yargs-texts.ts';
import { columnsOf, wrap } from './view/lines.ts';
import { fileWord } from './view/next-command.ts';

/** What a command line asks for: a command with its input, or what is to be shown, such as a help. */
type Asked = { readonly name: CommandName; readonly given: never } | { readonly shown: string };

/** What the words of a command line ask for. Throws StopError for wrong usage. */
export async function readWords(given: readonly string[], language: Language): Promise<Asked> {
  if (given[0] !== ASKING) {
    // A bare --json would take the next word, the file, as its value.
    const words = given.map((word) => (word === '--json' ? '--json=rows' : word));
    return await parsed(helpAsked(commandFirst(words)), language);
  }
  // bash takes --lang=nl for three words.
  const words = given.filter((one) => one !== '=');
  const offered = await offeredAt(words.slice(1), async () => {
    const asked = await parsed(words, language);
    return 'shown' in asked ? asked.shown : '';
  });
  return { shown: offered.join('\n') };
}

/** What yargs makes of words, with the commands and flags of the tables, in one language. */
async function parsed(words: readonly string[], language: Language): Promise<Asked> {
  // yargs lays out the help of a command whenever that runs: it gets no more than that needs.
  const isAsked = words[0] === ASKING || words.some((word) => /^(--help|help|-[a-z]*h[a-z]*)$/i.test(word));
  let asked: Asked = { shown: '' };
  await yargs()
    // Or `--yes.xlsx` would be taken for a part of --yes.
    .parserConfiguration({ 'dot-notation': false })
    .scriptName('catersheet')
    .locale(language)
    .updateStrings(YARGS_TEXTS[language] as never)
    .wrap(columnsOf())
    .usage(isAsked ? ABOUT[language] : '')
    .command(
      COMMAND_LIST.map(([name, { help }]) => ({
        // What is required is asked for in words of its own, once nothing unknown stands there.
        command: usageOf(name, language, isAsked),
        describe: isAsked ? help[language] : (false as const),
        builder: (argv: Argv) => commandParser(argv, name, language, isAsked),
        handler(given: Given) {
          asked = { name, given: checked(words, name, given, language) as never };
        },
      })),
    )
    .demandCommand(1, NAME_A_COMMAND[language])
    .recommendCommands()
    .strict()
    .help('help', undefined)
    .alias('help', 'h')
    .version(false)
    .option('version', { alias: 'V', type: 'boolean', describe: SHOW_VERSION[language] })
    .epilogue(isAsked ? exitsText(language) : '')
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

type Given = Readonly<Record<string, unknown>>;

const ABOUT = t(
  'Spreadsheets in and out of a catering and event-management service.',
  'Spreadsheets je cateringsysteem in en uit.',
);
const NAME_A_COMMAND = t('Name a command.', 'Noem een opdracht.');
const SHOW_VERSION = t('Show the version', 'Toon de versie');

function exitsText(language: Language): string {
  const lines = Object.values(EXITS).flatMap(({ code, text }) =>
    wrap(`  ${String(code).padEnd(5)}${text[language]}`, columnsOf(), 7),
  );
  return [t('Exit codes:', 'Exitcodes:')[language], ...lines].join('\n');
}

/** A command with its flags, what stands behind it, and its examples. */
function commandParser(argv: Argv, name: CommandName, language: Language, isAsked: boolean): Argv {
  const { help, positionals, examples }: CommandEntry = COMMANDS[name];
  if (isAsked) argv.usage(`catersheet ${usageOf(name, language)}\n\n${help[language]}.`);
  for (const one of positionals) {
    argv.positional(positionalName(one, language), {
      ...(one.choices === undefined || !isAsked ? { type: 'string' } : { choices: one.choices }),
      describe: positionalHelp(one)[language],
      // Or yargs shows its own default, [].
      ...(one.many === true ? { array: true, default: undefined } : {}),
    });
  }
  for (const [group, title] of Object.entries(GROUPS)) {
    const taken = entriesOf(name).filter((entry) => (entry.group ?? 'own') === group);
    for (const entry of taken) argv.option(kebab(entry.flag), yargsOption(entry, name, language, isAsked));
    if (group === 'output') argv.group(['help', 'version'], `${title[language]}:`);
  }
  if (!isAsked) return argv;
  const shown = Object.entries(examples).map(
    ([line, text]) => `  catersheet ${line}\n      ${text[language]}`,
  );
  return argv.epilogue([t('Examples:', 'Voorbeelden:')[language], ...shown].join('\n'));
}

function yargsOption(entry: Entry, command: CommandName, language: Language, isAsked: boolean): Options {
  const { flag, alias, initial, required, group = 'own' } = entry;
  const kind = kindOf(typeOf(entry));
  const choices = choicesOf(typeOf(entry));
  const type = kind === 'array' || kind === 'enum' ? 'string' : (kind as 'string');
  return {
    describe: flagHelp(entry, command)[language],
    group: `${GROUPS[group][language]}:`,
    hidden: !isAsked,
    // --json is a switch that may have a value.
    ...(flag === 'json' ? {} : choices !== undefined && isAsked ? { choices } : { type }),
    ...(kind === 'array' && { array: true }),
    // One value each: `--out -` too, and no word behind it.
    ...(hasValue(entry) && { nargs: 1, requiresArg: true }),
    ...(alias !== undefined && { alias }),
    ...((typeof initial === 'string' || typeof initial === 'number') && { default: initial }),
    ...(required === true && { demandOption: true }),
  };
}

/** The input of a command, by its own names. Throws StopError for a value that is wrong or lacking. */
function checked(words: readonly string[], name: CommandName, given: Given, language: Language): object {
  const { positionals }: CommandEntry = COMMANDS[name];
  const entries = entriesOf(name);
  const flags = entries.map((entry) => {
    const typed = given[entry.flag];
    const value = typeof typed === 'string' ? chosen(entry, typed) : typed;
    const wrong = wrongValue(entry, value, words);
    if (wrong !== undefined) throw seeHelp(words, wrong);
    return [entry.flag, value ?? initialOf(entry)] as const;
  });
  const misshapen = wrongShape(entries, Object.fromEntries(flags));
  if (misshapen !== undefined) throw seeHelp(words, misshapen);
  const behind = positionals.map((one) => {
    const typed = [given[positionalName(one, language)]].flat().filter((word) => word !== undefined);
    // Empty as a script gives it where its variable holds nothing.
    const isLacking = typed.includes('') || (one.required === true && typed.length === 0);
    const wrong = isLacking ? one.ask : typed.map((word) => noChoice('', String(word), one)).find(Boolean);
    if (wrong !== undefined) throw seeHelp(words, wrong);
    return [one.name, one.many === true ? typed : typed[0]];
  });
  return Object.fromEntries([...flags, ...behind]);
}

/** What is wrong with the value of a flag. */
function wrongValue(entry: Entry, value: unknown, words: readonly string[]): Bilingual | undefined {
  const { flag, alias, also } = entry;
  const type = typeOf(entry);
  const typed = `--${kebab(flag)}`;
  // yargs takes --dry-run=ja for no.
  const valued = new RegExp(`^(${typed}|--${flag}|-${alias})=(?!(true|false)$)`);
  if (kindOf(type) === 'boolean' && words.some((word) => valued.test(word)))
    return t(`${typed} takes no value.`, `${typed} krijgt geen waarde.`);
  if (hasValue(entry) && value === '')
    return t(`${typed} lacks its value.`, `De waarde van ${typed} ontbreekt.`);
  if (kindOf(type) !== 'array' && Array.isArray(value))
    return t(`${typed} is given more than once.`, `${typed} is meer dan eens gegeven.`);
  const choices = choicesOf(type);
  if (choices !== undefined && typeof value === 'string')
    return noChoice(`${typed} `, value, { choices, also });
  return undefined;
}

/** What is wrong with the values of flags by their types: one shape, as making one takes long. */
function wrongShape(entries: readonly Entry[], given: Given): Bilingual | undefined {
  const typed = entries.map((entry) => [`--${kebab(entry.flag)}`, entry] as const);
  const shape = Object.fromEntries(typed.map(([flag, entry]) => [flag, typeOf(entry).optional()]));
  const values = Object.fromEntries(typed.map(([flag, entry]) => [flag, given[entry.flag]]));
  const { error } = z.object(shape).safeParse(values);
  if (error === undefined) return undefined;
  const { en, nl } = shapeWords(error);
  return t(en.replace(/\.?$/, '.'), nl.replace(/\.?$/, '.'));
}

/** Says that a value is none of the choices, with the one that may be meant; undefined for one of them. */
function noChoice(
  where: string,
  value: string,
  { choices, also = {} }: Pick<Positional, 'choices'> & { readonly also?: Option['also'] | undefined },
): Bilingual | undefined {
  if (choices === undefined || choices.includes(value)) return undefined;
  const list = choices.join(', ');
  const none = t(`${where}"${value}" is not one of ${list}.`, `${where}"${value}" is niet een van ${list}.`);
  return meant(none, value, [...choices, ...Object.keys(also)]);
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
  if (words.some((word) => /^--token(=|$)/.test(word))) return usageStop(NO_TOKEN, TOKEN_FILE);
  const command = commandIn(words);
  const [first = ''] = words;
  const file = words.find((word) => !word.startsWith('-') && existsSync(word));
  const isMistyped = file !== first && nearest(first, Object.keys(COMMANDS), 1).length > 0;
  if (command === undefined && file !== undefined && !isMistyped)
    return usageStop(
      t(`${file} is no command.`, `${file} is geen opdracht.`),
      t(
        `To import it: catersheet import ${fileWord(file)}`,
        `Om het te importeren: catersheet import ${fileWord(file)}`,
      ),
    );
  if (!message.startsWith(UNKNOWN)) return seeHelp(words, same(message.trim()));
  // Of a flag yargs names both ways to write it.
  const [name = ''] = message.slice(UNKNOWN.length).split(', ');
  const typed = words
    .map((word) => word.replace(/=.*/s, ''))
    .find((word) => word.replace(/^-+/, '') === name);
  const unknown = t(`Not known here: ${typed ?? name}.`, `Hier niet bekend: ${typed ?? name}.`);
  const flags = command === undefined ? [] : entriesOf(command).map(({ flag }) => kebab(flag));
  return seeHelp(words, typed === name ? unknown : meant(unknown, name, [...flags, 'help', 'version'], '--'));
}

const NO_TOKEN = t(
  'A token is no flag: others on this machine could see it.',
  'Een token is geen vlag: anderen op deze computer zouden het kunnen zien.',
);
const TOKEN_FILE = t(
  'Put it in CATERSHEET_TOKEN, or name its file with --token-file.',
  'Zet het in CATERSHEET_TOKEN, of noem het bestand met --token-file.',
);

function seeHelp(words: readonly string[], message: Bilingual): StopError {
  const command = commandIn(words);
  const help = command === undefined ? 'catersheet --help' : `catersheet ${command} --help`;
  return usageStop(message, t(`See ${help}.`, `Zie ${help}.`));
}

/** The words with the command first, where yargs looks for it. */
function commandFirst(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => Object.hasOwn(COMMANDS, word));
  return at <= 0 ? words : [words[at] ?? '', ...words.slice(0, at), ...words.slice(at + 1)];
}

/** `help import` as `import --help`; what is no command is left to be refused. */
function helpAsked(words: readonly string[]): readonly string[] {
  const [first, about] = words;
  if (first !== 'help') return words;
  const isKnown = about === undefined || about.startsWith('-') || Object.hasOwn(COMMANDS, about);
  return isKnown ? [...words.slice(1), '--help'] : [about];
}
