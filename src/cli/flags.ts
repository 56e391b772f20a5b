import type { Argv, Options, PositionalOptions } from 'yargs';
import type { CommandEntry, Positional } from '../options/command-entry.ts';
import { COMMANDS, type CommandName } from '../options/commands.ts';
import { choicesOf, chosen, kebab, kindOf } from '../options/option.ts';
import { OPTION_LIST } from '../options/options.ts';

type Entry = (typeof OPTION_LIST)[number];

/** Tells yargs the flags and positionals of a command, from the option and command tables. */
export function addFlags(argv: Argv, command: CommandName): Argv {
  const { positionals }: CommandEntry = COMMANDS[command];
  for (const one of positionals) argv.positional(one.name, yargsPositional(one));
  for (const option of OPTION_LIST)
    if (option.commands.includes(command)) argv.option(kebab(option.flag), yargsOption(option));
  return argv;
}

function yargsOption(entry: Entry): Options {
  const { alias, initial, required, value, type, typed = type } = entry;
  const kind = kindOf(typed);
  const choices = choicesOf(typed);
  return {
    ...(choices === undefined ? { type: kind === 'array' ? 'string' : (kind as 'string') } : { choices }),
    ...(choices === undefined || entry.also === undefined
      ? {}
      : { coerce: (word?: string) => (word === undefined ? word : chosen(entry, word)) }),
    ...(kind === 'array' ? { array: true, nargs: 1 } : {}),
    // Or `--out -` would not be taken for a value.
    ...(value === 'dash' ? { nargs: 1 } : value === 'some' ? { requiresArg: true } : {}),
    ...(alias === undefined ? {} : { alias }),
    ...(initial === undefined ? {} : { default: typeof initial === 'function' ? initial() : initial }),
    ...(required === true ? { demandOption: true } : {}),
  };
}

function yargsPositional({ required, many, choices }: Positional): PositionalOptions {
  return {
    ...(choices === undefined ? { type: 'string' as const } : { choices }),
    ...(many === true ? { array: true } : {}),
    ...(required === true && choices === undefined ? { demandOption: true } : {}),
  };
}
