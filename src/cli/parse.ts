import { existsSync } from 'node:fs';
import type { Argv, Options } from 'yargs';
import yargs from 'yargs';
import { z } from 'zod';
import { EXIT, EXITS, type ExitCode, type StopError } from '../core/errors.ts';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import { shapeWords } from '../core/shape-words.ts';
import type { CommandEntry, Positional } from '../options/command-entry.ts';
import { COMMAND_LIST, COMMANDS, type CommandName } from '../options/commands.ts';
import { choicesOf, chosen, kebab, kindOf } from '../options/option.ts';
import { flagHelp, OPTION_LIST } from '../options/options.ts';
import { wrongUsage } from './stops.ts';
import { commandIn } from './usage/command-line.ts';
import { ASKING, offeredAt } from './usage/completion.ts';
import {
  type Entry,
  entriesOf,
  GROUPS,
  hasValue,
  positionalHelp,
  positionalName,
  typeOf,
  usageOf,
} from './usage/words.ts';
import { NO_CHOICE, TOO_FEW, YARGS_TEXTS } from './usage/yargs-texts.ts';
import { fileWord } from './view/next-command.ts';
import { columnsOf, wrap } from './view/wrap.ts';

/** Does the work of a command with what was given to it. */
type Run = (name: CommandName, given: never) => Promise<ExitCode>;

/** What the words of a command line came to: an exit code, and what is to be shown: a help, or a version. */
interface Parsed {
  readonly exit: ExitCode;
  readonly shown: string;
}

/** Runs the command that the words of a command line name. Throws StopError for wrong usage. */
export async function runCommand(given: readonly string[], language: Language, run: Run): Promise<Parsed> {
  // bash takes --lang=nl for three words.
  const words = given[0] === ASKING ? given.filter((one) => one !== '=') : given;
  let exit: ExitCode = EXIT.ok;
  let shown = '';
  const parse = async (): Promise<string> => {
    const parser = programParser(words, language, async (name, values) => {
      exit = await run(name, values);
    });
    await parser.parseAsync(commandFirst(words), {}, (_error, _given, output) => {
      shown = output;
    });
    return shown;
  };
  if (words[0] === ASKING) shown = (await offeredAt(words.slice(1), parse)).join('\n');
  else await parse();
  return { exit, shown };
}

/** yargs with the commands and flags of the tables, in one language. */
function programParser(
  words: readonly string[],
  language: Language,
  run: (name: CommandName, given: never) => Promise<void>,
): Argv {
  // yargs lays out the help of a command whenever that runs: of what is hidden it lays out nothing.
  const isAsked = words[0] === ASKING || words.some((word) => /^(--help|help|-[a-z]*h[a-z]*)$/i.test(word));
  const exits = Object.values(EXITS).flatMap(({ code, text }) =>
    wrap(`  ${String(code).padEnd(5)}${text[language]}`, columnsOf(), 7),
  );
  return (
    yargs([...words])
      // Or `--yes.xlsx` would be taken for a part of --yes.
      .parserConfiguration({ 'dot-notation': false })
      .scriptName('catersheet')
      .locale(language)
      .updateStrings(YARGS_TEXTS[language] as never)
      .wrap(columnsOf())
      .usage(ABOUT[language])
      .command(
        COMMAND_LIST.map(([name, { help }]) => ({
          command: usageOf(name, language),
          describe: isAsked ? help[language] : (false as const),
          builder: (argv: Argv) => commandParser(argv, name, language, isAsked),
          async handler(given: Readonly<Record<string, unknown>>) {
            checkValues(words, name, given);
            await run(name, givenTo(name, given, language) as never);
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
      .epilogue(`${t('Exit codes:', 'Exitcodes:')[language]}\n${exits.join('\n')}`)
      .completion('complete', false)
      .exitProcess(false)
      .fail((message, error) => {
        throw error === undefined || error.name === 'YError'
          ? usageFault(words, message ?? error.message)
          : error;
      })
  );
}

const ABOUT = t(
  'Spreadsheets in and out of a catering and event-management service.',
  'Spreadsheets je cateringsysteem in en uit.',
);
const NAME_A_COMMAND = t('Name a command.', 'Noem een opdracht.');
const SHOW_VERSION = t('Show the version', 'Toon de versie');

/** A command with its flags, what stands behind it, and its examples. */
function commandParser(argv: Argv, name: CommandName, language: Language, isAsked: boolean): Argv {
  const { help, positionals, examples }: CommandEntry = COMMANDS[name];
  argv.usage(`catersheet ${usageOf(name, language)}\n\n${help[language]}.`);
  for (const one of positionals) {
    argv.positional(positionalName(one, language), {
      ...(one.choices === undefined ? { type: 'string' } : { choices: one.choices }),
      describe: positionalHelp(one)[language],
      // Or yargs shows its own default, [].
      ...(one.many === true ? { array: true, default: undefined } : {}),
    });
  }
  for (const [group, title] of Object.entries(GROUPS)) {
    const taken = entriesOf(name).filter((entry) => (entry.group ?? 'own') === group);
    for (const entry of taken)
      argv.option(kebab(entry.flag), { ...yargsOption(entry, name, language), hidden: !isAsked });
    if (group === 'output') argv.group(['help', 'version'], `${title[language]}:`);
  }
  const shown = Object.entries(examples).map(
    ([line, text]) => `  catersheet ${line}\n      ${text[language]}`,
  );
  return argv.epilogue([t('Examples:', 'Voorbeelden:')[language], ...shown].join('\n'));
}

function yargsOption(entry: Entry, command: CommandName, language: Language): Options {
  const { alias, initial, required, group = 'own', also } = entry;
  const kind = kindOf(typeOf(entry));
  const choices = choicesOf(typeOf(entry));
  return {
    describe: flagHelp(entry, command)[language],
    group: `${GROUPS[group][language]}:`,
    ...(choices === undefined ? typeShown(entry, kind) : { choices }),
    // A flag that is given twice is a list here.
    ...(also === undefined
      ? {}
      : { coerce: (word: unknown) => (typeof word === 'string' ? chosen(entry, word) : word) }),
    ...(kind === 'array' ? { array: true } : {}),
    // One value each: `--out -` too, and no word behind it.
    ...(hasValue(entry) ? { nargs: 1, requiresArg: true } : {}),
    ...(alias === undefined ? {} : { alias }),
    ...(typeof initial === 'string' || typeof initial === 'number' ? { default: initial } : {}),
    ...(required === true ? { demandOption: true } : {}),
  };
}

/** The type of a flag, as help shows it; --json is a switch that may have a value. */
const typeShown = ({ flag }: Entry, kind: string): Options =>
  flag === 'json'
    ? { coerce: (word: unknown) => (word === true ? 'rows' : word) }
    : { type: kind === 'array' ? 'string' : (kind as 'string') };

/** What a command gets: what was given, with what counts for the flags that were not. */
function givenTo(name: CommandName, given: Readonly<Record<string, unknown>>, language: Language): object {
  const { positionals }: CommandEntry = COMMANDS[name];
  const words = positionals.map((one) => {
    const word = given[positionalName(one, language)];
    // As a script gives where its variable holds nothing.
    if (one.ask !== undefined && [word].flat().includes('')) throw seeHelp([name], one.ask);
    return [one.name, Array.isArray(word) ? word.filter((each) => each !== undefined) : word];
  });
  const initial = entriesOf(name).map(({ flag, initial: value }) => [
    flag,
    typeof value === 'function' ? value() : value,
  ]);
  return { ...Object.fromEntries(initial), ...given, ...Object.fromEntries(words) };
}

/** Throws StopError for a value that yargs takes and the table does not, and for a flag given twice. */
function checkValues(
  words: readonly string[],
  name: CommandName,
  given: Readonly<Record<string, unknown>>,
): void {
  const entries = entriesOf(name);
  for (const entry of entries) {
    const typed = `--${kebab(entry.flag)}`;
    const isSwitch = kindOf(typeOf(entry)) === 'boolean';
    // yargs takes --dry-run=ja for no.
    const isValued = [`${typed}=`, `--${entry.flag}=`, `-${entry.alias}=`].some((start) =>
      words.some((one) => one.startsWith(start) && !/=(true|false)$/.test(one)),
    );
    if (isSwitch && isValued)
      throw seeHelp(words, t(`${typed} takes no value.`, `${typed} krijgt geen waarde.`));
    if (hasValue(entry) && given[entry.flag] === '')
      throw seeHelp(words, t(`${typed} lacks its value.`, `De waarde van ${typed} ontbreekt.`));
    if (kindOf(typeOf(entry)) !== 'array' && Array.isArray(given[entry.flag]))
      throw seeHelp(words, t(`${typed} is given more than once.`, `${typed} is meer dan eens gegeven.`));
  }
  const shape = entries.map((entry) => [`--${kebab(entry.flag)}`, typeOf(entry).optional()] as const);
  const values = entries.map(({ flag }) => [`--${kebab(flag)}`, given[flag]] as const);
  const { error } = z.object(Object.fromEntries(shape)).safeParse(Object.fromEntries(values));
  if (error === undefined) return;
  const { en, nl } = shapeWords(error);
  throw seeHelp(words, t(en.replace(/\.?$/, '.'), nl.replace(/\.?$/, '.')));
}

/** What yargs says is wrong, with what may be meant. */
function usageFault(words: readonly string[], message: string): StopError {
  const command = commandIn(words);
  if (words.some((word) => /^--token(=|$)/.test(word))) return wrongUsage(NO_TOKEN, TOKEN_FILE);
  // First, as the word behind it was taken for its value.
  const unknown = unknownFlag(words, command);
  if (unknown !== undefined) return notKnown(words, unknown, command);
  const lacking: Positional | undefined = command && [...COMMANDS[command].positionals].find(isRequired);
  if (message.startsWith(TOO_FEW) && lacking?.ask !== undefined) return seeHelp(words, lacking.ask);
  const file = words.find((word) => !word.startsWith('-') && existsSync(word));
  if (command === undefined && file !== undefined)
    return wrongUsage(
      t(`${file} is no command.`, `${file} is geen opdracht.`),
      t(
        `To import it: catersheet import ${fileWord(file)}`,
        `Om het te importeren: catersheet import ${fileWord(file)}`,
      ),
    );
  const [, name = '', value = '', choices = ''] = NO_CHOICE_OF.exec(message) ?? [];
  return seeHelp(words, name === '' ? same(message.trim()) : noChoice(command, name, value, choices));
}

/** A flag as it was typed that the command lacks; without a command, one that each of them lacks. */
function unknownFlag(words: readonly string[], command: CommandName | undefined): string | undefined {
  const entries = command === undefined ? OPTION_LIST : entriesOf(command);
  const names = ['help', 'version', ...entries.flatMap(({ flag }) => [flag, kebab(flag)])];
  const letters = ['h', 'V', ...entries.flatMap(({ alias = [] }) => alias)];
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? '';
    const isValue = entries.some(
      (one) => hasValue(one) && [`--${kebab(one.flag)}`, `-${one.alias}`].includes(before),
    );
    const [typed = '', dashes = '', name = ''] = /^(--(?:no-)?|-)([a-z][^=]*)/i.exec(word) ?? [];
    if (isValue || typed === '') return [];
    if (dashes === '-') return letters.includes(name.charAt(0)) ? [] : [`-${name.charAt(0)}`];
    return names.includes(name) ? [] : [typed];
  })[0];
}

function notKnown(words: readonly string[], typed: string, command: CommandName | undefined): StopError {
  const own = command === undefined ? [] : entriesOf(command).map(({ flag }) => kebab(flag));
  const isElsewhere = OPTION_LIST.some(({ flag }) => `--${kebab(flag)}` === typed);
  const [near] = isElsewhere ? [] : nearest(typed.replace(/^-+/, ''), [...own, 'help', 'version'], 1);
  const { en, nl } = t(`Not known here: ${typed}.`, `Hier niet bekend: ${typed}.`);
  return near === undefined
    ? seeHelp(words, t(en, nl))
    : seeHelp(words, t(`${en} Did you mean --${near}?`, `${nl} Bedoel je --${near}?`));
}

/** How yargs tells of a value that is none of the choices, in the texts that it has from us. */
const NO_CHOICE_OF = new RegExp(`${NO_CHOICE}\\s+(\\S+)\\t"(.*?)"\\t(.*)`, 's');

/** Says that a value is none of the choices of a flag, or of a word behind the command. */
function noChoice(command: CommandName | undefined, name: string, value: string, listed: string): Bilingual {
  const entry = (command === undefined ? [] : entriesOf(command)).find(({ flag }) => kebab(flag) === name);
  const choices = listed.replaceAll('"', '');
  const [near] = nearest(value, [...choices.split(', '), ...Object.keys(entry?.also ?? {})], 1);
  const where = entry === undefined ? '' : `--${name} `;
  const [en, nl] = [
    `${where}"${value}" is not one of ${choices}.`,
    `${where}"${value}" is niet een van ${choices}.`,
  ];
  return near === undefined ? t(en, nl) : t(`${en} Did you mean ${near}?`, `${nl} Bedoel je ${near}?`);
}

const isRequired = ({ required }: Positional): boolean => required === true;

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
  return wrongUsage(message, t(`See ${help}.`, `Zie ${help}.`));
}

/** The words with the command first, where yargs looks for it. */
function commandFirst(words: readonly string[]): string[] {
  const at = words.findIndex((word) => Object.hasOwn(COMMANDS, word));
  return at <= 0 || words[0] === ASKING
    ? [...words]
    : [words[at] ?? '', ...words.slice(0, at), ...words.slice(at + 1)];
}
