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
import { OPTION_LIST } from '../options/options.ts';
import { wrongUsage } from './stops.ts';
import { commandIn } from './usage/command-line.ts';
import { ASKING, offeredAt } from './usage/completion.ts';
import {
  type Entry,
  entriesOf,
  flagText,
  GROUPS,
  hasValue,
  positionalHelp,
  positionalName,
  typeOf,
  usageOf,
} from './usage/words.ts';
import { TOO_FEW, YARGS_TEXTS } from './usage/yargs-texts.ts';
import { fileWord } from './view/next-command.ts';
import { columnsOf } from './view/wrap.ts';

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
  const exits = Object.values(EXITS).map(({ code, text }) => `  ${String(code).padEnd(5)}${text[language]}`);
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
          describe: help[language],
          builder: (argv: Argv) => commandParser(argv, name, language),
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
function commandParser(argv: Argv, name: CommandName, language: Language): Argv {
  const { help, positionals, examples }: CommandEntry = COMMANDS[name];
  argv.usage(`catersheet ${usageOf(name, language)}\n\n${help[language]}.`);
  for (const one of positionals) {
    argv.positional(positionalName(one, language), {
      ...(one.choices === undefined ? { type: 'string' } : { choices: one.choices }),
      describe: positionalHelp(one)[language],
      ...(one.many === true ? { array: true } : {}),
    });
  }
  for (const [group, title] of Object.entries(GROUPS)) {
    const taken = entriesOf(name).filter((entry) => (entry.group ?? 'own') === group);
    for (const entry of taken) argv.option(kebab(entry.flag), yargsOption(entry, name, language));
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
    describe: flagText(entry, command)[language],
    group: `${GROUPS[group][language]}:`,
    ...(choices === undefined ? { type: kind === 'array' ? 'string' : (kind as 'string') } : { choices }),
    ...(also === undefined ? {} : { coerce: (word?: string) => word && chosen(entry, word) }),
    ...(kind === 'array' ? { array: true } : {}),
    // One value each: `--out -` too, and no word behind it.
    ...(hasValue(entry) ? { nargs: 1, requiresArg: true } : {}),
    ...(alias === undefined ? {} : { alias }),
    ...(typeof initial === 'string' || typeof initial === 'number' ? { default: initial } : {}),
    ...(required === true ? { demandOption: true } : {}),
  };
}

/** What a command gets: what was given, with what counts for the flags that were not. */
function givenTo(name: CommandName, given: Readonly<Record<string, unknown>>, language: Language): object {
  const { positionals }: CommandEntry = COMMANDS[name];
  const words = positionals.map((one) => [one.name, given[positionalName(one, language)]]);
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
    const word = words.find((one) => one.startsWith(`${typed}=`) && !/=(true|false)$/.test(one));
    if (isSwitch && word !== undefined)
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
  const own = command === undefined ? [] : entriesOf(command).map(({ flag }) => kebab(flag));
  const flags = [...own, 'help', 'version'];
  const typed = words.flatMap((word) => /^--([^=]+)/.exec(word)?.[1] ?? []);
  const unknown = typed.find((one) => !flags.includes(one) && message.includes(one));
  const isElsewhere = OPTION_LIST.some(({ flag }) => kebab(flag) === unknown);
  const [near] = unknown === undefined || isElsewhere ? [] : nearest(unknown, flags, 1);
  const said = message.trim();
  const text = unknown === undefined ? said : said.replace(`: ${unknown}`, `: --${unknown}`);
  return near === undefined
    ? seeHelp(words, same(text))
    : seeHelp(words, t(`${text} You may mean --${near}.`, `${text} Misschien bedoel je --${near}.`));
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
