import type { Argv, Options, PositionalOptions } from 'yargs';
import type { z } from 'zod';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { COMMANDS, type CommandEntry, type CommandName, type Positional } from '../options/commands.ts';
import { choicesOf, kebab, kindOf } from '../options/option.ts';
import { flagHelp, OPTION_LIST } from '../options/options.ts';
import { resources } from '../resources/registry.ts';
import { wrongUsage } from './stops.ts';

type Entry = (typeof OPTION_LIST)[number];

const TITLES = {
  output: t('Output:', 'Uitvoer:'),
  service: t('Service:', 'Systeem:'),
  what: t('What:', 'Wat:'),
};

/** Adds the flags, positionals, examples and checks of a command, from the option and command tables. */
export async function addFlags(argv: Argv, command: CommandName, language: Language): Promise<Argv> {
  const { positionals, examples }: CommandEntry = COMMANDS[command];
  const taken = OPTION_LIST.filter(({ commands }) => commands.includes(command));
  const add = (option: Entry): void =>
    void argv.option(kebab(option.flag), yargsOption(option, command, language));
  argv.check(givenOnce, false);
  // Help lists its titles in the order in which they come up here.
  const early = taken.filter(({ group }) => group === 'output' || group === 'service');
  for (const option of early) add(option);
  for (const one of positionals) argv.positional(one.name, await yargsPositional(one, language));
  for (const option of taken) if (!early.includes(option)) add(option);
  argv.check((flags) => checkValues(taken, flags));
  for (const [line, text] of Object.entries(examples)) argv.example(`$0 ${line}`, text[language]);
  return argv;
}

function yargsOption(option: Entry, command: CommandName, language: Language): Options {
  const { alias, initial, required, value, group } = option;
  const type = option.typed ?? option.type;
  const kind = kindOf(type);
  const choices = choicesOf(type);
  return {
    describe: flagHelp(option, command)[language],
    ...(choices === undefined ? { type: kind === 'array' ? 'string' : (kind as 'string') } : { choices }),
    ...(kind === 'array' ? { array: true, nargs: 1 } : {}),
    // Or `--out -` would not be taken for a value.
    ...(value === 'dash' ? { nargs: 1 } : value === 'some' ? { requiresArg: true } : {}),
    ...(alias === undefined ? {} : { alias }),
    ...(initial === undefined ? {} : { default: typeof initial === 'function' ? initial() : initial }),
    ...(required === true ? { demandOption: true } : {}),
    ...(group === undefined ? {} : { group: TITLES[group][language] }),
  };
}

async function yargsPositional(positional: Positional, language: Language): Promise<PositionalOptions> {
  const { required, many, choices } = positional;
  return {
    describe: (await positionalHelp(positional))[language],
    ...(choices === undefined ? { type: 'string' as const } : { choices }),
    ...(many === true ? { array: true } : {}),
    ...(required === true && choices === undefined ? { demandOption: true } : {}),
  };
}

/** The help of a positional, with what it chooses from. */
export async function positionalHelp({ help, names }: Positional): Promise<Bilingual> {
  if (names === undefined) return help;
  const list = (await NAMES[names]()).join(', ');
  return t(`${help.en}: ${list}`, `${help.nl}: ${list}`);
}

const NAMES = {
  sheets: async () => resources.map(({ name }) => name),
  exports: async () => (await import('./commands/export.ts')).EXPORT_NAMES,
};

/** What yargs tells a check about the flags of a command; its types leave it out. */
interface KnownFlags {
  readonly array: readonly string[];
  readonly key: Readonly<Record<string, unknown>>;
}

/** Throws StopError for a flag that takes one value and is given twice. */
function givenOnce(flags: Readonly<Record<string, unknown>>, options: unknown): true {
  const { array, key } = options as KnownFlags;
  const twice = Object.keys(key).find((name) => Array.isArray(flags[name]) && !array.includes(name));
  if (twice === undefined) return true;
  throw wrongUsage(
    t(
      `--${twice} is given more than once, and takes one value.`,
      `--${twice} is meer dan eens gegeven, en krijgt één waarde.`,
    ),
  );
}

/** Throws StopError for a value that its option refuses; yargs itself refuses unknown choices. */
function checkValues(taken: readonly Entry[], flags: Readonly<Record<string, unknown>>): true {
  for (const option of taken) {
    const type = option.typed ?? option.type;
    const name = kebab(option.flag);
    const value = flags[name];
    if (value === undefined || !['string', 'number'].includes(kindOf(type))) continue;
    const { error } = type.safeParse(value);
    if (error !== undefined) throw wrongUsage(ownWords(error) ?? numberWords(name, type));
  }
  return true;
}

/** What a check of the table itself tells of a value that fails it. */
function ownWords({ issues }: z.ZodError): Bilingual | undefined {
  const [issue] = issues;
  return issue?.code === 'custom' ? (issue.params?.words as Bilingual | undefined) : undefined;
}

function numberWords(name: string, type: z.ZodType): Bilingual {
  const { minValue, maxValue, isInt } = type as z.ZodNumber;
  if (isInt && maxValue === Number.MAX_SAFE_INTEGER)
    return t(
      `--${name} must be a whole number, ${minValue} or more.`,
      `--${name} moet een geheel getal zijn, ${minValue} of meer.`,
    );
  if (isInt)
    return t(
      `--${name} must be a whole number from ${minValue} to ${maxValue}.`,
      `--${name} moet een geheel getal van ${minValue} tot en met ${maxValue} zijn.`,
    );
  if (Number.isFinite(maxValue))
    return t(
      `--${name} must be a number from ${minValue} to ${maxValue}.`,
      `--${name} moet een getal van ${minValue} tot en met ${maxValue} zijn.`,
    );
  return t(
    `--${name} must be a number above ${minValue}.`,
    `--${name} moet een getal boven ${minValue} zijn.`,
  );
}
