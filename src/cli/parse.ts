import { existsSync } from 'node:fs';
import type { Argv, Options } from 'yargs';
import yargs from 'yargs';
import { z } from 'zod';
import { EXIT, EXITS, type ExitCode, type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import { shapeWords } from '../core/shape-words.ts';
import type { CommandEntry } from '../options/command-entry.ts';
import { COMMAND_LIST, COMMANDS, type CommandName } from '../options/commands.ts';
import { choicesOf, chosen, kebab, kindOf } from '../options/option.ts';
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
  const isAsked = given[0] === ASKING;
  const words = isAsked ? given.filter((one) => one !== '=') : helpAsked(commandFirst(given));
  let exit: ExitCode = EXIT.ok;
  let shown = '';
  const parse = async (): Promise<string> => {
    const parser = programParser(words, language, async (name, values) => {
      exit = await run(name, values);
    });
    await parser.parseAsync(words, {}, (_error, _given, output) => {
      shown = output;
    });
    return shown;
  };
  if (isAsked) shown = (await offeredAt(words.slice(1), parse)).join('\n');
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
          // What is required is asked for in words of its own, once nothing unknown stands there.
          command: usageOf(name, language, isAsked),
          describe: isAsked ? help[language] : (false as const),
          builder: (argv: Argv) => commandParser(argv, name, language, isAsked),
          async handler(given: Readonly<Record<string, unknown>>) {
            const checked = { ...flagsIn(words, name, given), ...wordsIn(words, name, given, language) };
            await run(name, checked as never);
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
  const shown = Object.entries(examples).map(
    ([line, text]) => `  catersheet ${line}\n      ${text[language]}`,
  );
  return argv.epilogue([t('Examples:', 'Voorbeelden:')[language], ...shown].join('\n'));
}

function yargsOption(entry: Entry, command: CommandName, language: Language, isAsked: boolean): Options {
  const { alias, initial, required, group = 'own', also } = entry;
  const kind = kindOf(typeOf(entry));
  const choices = choicesOf(typeOf(entry));
  return {
    describe: flagHelp(entry, command)[language],
    group: `${GROUPS[group][language]}:`,
    hidden: !isAsked,
    ...(choices === undefined || !isAsked ? typeShown(entry, kind) : { choices }),
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
    : { type: kind === 'array' || kind === 'enum' ? 'string' : (kind as 'string') };

/** The words behind a command by their names. Throws StopError for one that is lacking, or none of its choices. */
function wordsIn(
  words: readonly string[],
  name: CommandName,
  given: Readonly<Record<string, unknown>>,
  language: Language,
): object {
  const { positionals }: CommandEntry = COMMANDS[name];
  const own = positionals.map((one) => {
    const typed = [given[positionalName(one, language)]].flat().filter((word) => word !== undefined);
    // Empty as a script gives it where its variable holds nothing.
    const isLacking = typed.includes('') || (one.required === true && typed.length === 0);
    if (isLacking && one.ask !== undefined) throw seeHelp(words, one.ask);
    for (const word of typed) checkChoice(words, '', String(word), one);
    return [one.name, one.many === true ? typed : typed[0]];
  });
  return Object.fromEntries(own);
}

/** The flags of a command, with what counts for those that are not given. Throws StopError for a wrong one. */
function flagsIn(
  words: readonly string[],
  name: CommandName,
  given: Readonly<Record<string, unknown>>,
): object {
  const entries = entriesOf(name);
  for (const entry of entries) {
    const typed = `--${kebab(entry.flag)}`;
    const value = given[entry.flag];
    // yargs takes --dry-run=ja for no.
    const isValued = [`${typed}=`, `--${entry.flag}=`, `-${entry.alias}=`].some((start) =>
      words.some((one) => one.startsWith(start) && !/=(true|false)$/.test(one)),
    );
    if (kindOf(typeOf(entry)) === 'boolean' && isValued)
      throw seeHelp(words, t(`${typed} takes no value.`, `${typed} krijgt geen waarde.`));
    if (hasValue(entry) && value === '')
      throw seeHelp(words, t(`${typed} lacks its value.`, `De waarde van ${typed} ontbreekt.`));
    if (kindOf(typeOf(entry)) !== 'array' && Array.isArray(value))
      throw seeHelp(words, t(`${typed} is given more than once.`, `${typed} is meer dan eens gegeven.`));
    if (typeof value === 'string')
      checkChoice(words, `${typed} `, value, { choices: choicesOf(typeOf(entry)), also: entry.also });
  }
  const shape = entries.map((entry) => [`--${kebab(entry.flag)}`, typeOf(entry).optional()] as const);
  const values = entries.map(({ flag }) => [`--${kebab(flag)}`, given[flag]] as const);
  const { error } = z.object(Object.fromEntries(shape)).safeParse(Object.fromEntries(values));
  if (error !== undefined) {
    const { en, nl } = shapeWords(error);
    throw seeHelp(words, t(en.replace(/\.?$/, '.'), nl.replace(/\.?$/, '.')));
  }
  const initial = entries.map(({ flag, initial: value }) => [
    flag,
    typeof value === 'function' ? value() : value,
  ]);
  return { ...Object.fromEntries(initial), ...given };
}

/** Throws StopError for a value that is none of the choices, with the one that may be meant. */
function checkChoice(
  words: readonly string[],
  where: string,
  value: string,
  {
    choices,
    also = {},
  }: { readonly choices?: readonly string[] | undefined; readonly also?: Entry['also'] | undefined },
): void {
  if (choices === undefined || choices.includes(value)) return;
  const list = choices.join(', ');
  const none = t(`${where}"${value}" is not one of ${list}.`, `${where}"${value}" is niet een van ${list}.`);
  throw seeHelp(words, meant(none, value, [...choices, ...Object.keys(also)]));
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
  const file = words.find((word) => !word.startsWith('-') && existsSync(word));
  if (command === undefined && file !== undefined)
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
