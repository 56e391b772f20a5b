import type { Bilingual } from '../../../core/language.ts';
import type { CommandEntry } from '../../../options/command-entry.ts';
import { COMMAND_LIST, COMMANDS, type CommandName } from '../../../options/commands.ts';
import { choicesOf, kebab, kindOf } from '../../../options/option.ts';
import { flagHelp } from '../../../options/options.ts';
import { NAMES_OF } from '../names.ts';
import { type Entry, entriesOf, hasValue, typeOf } from '../read-words.ts';

/** What a shell offers for a word: these, files, folders, the names of profiles or runs, or nothing. */
export type Offer = readonly string[] | 'files' | 'folders' | 'profiles' | 'runs' | 'nothing';

/** A flag as shells complete it. */
export interface ShellFlag {
  /** Without its dashes. */
  readonly name: string;
  readonly letter: string | undefined;
  readonly help: Bilingual;
  /** Undefined for a switch. */
  readonly value: Offer | undefined;
  readonly many: boolean;
}

/** A command as shells complete it. */
export interface ShellCommand {
  readonly name: CommandName;
  readonly help: Bilingual;
  readonly flags: readonly ShellFlag[];
  /** What is offered for its first word, its second, …; for all that follow as for the last, with `many`. */
  readonly words: readonly Offer[];
  readonly many: boolean;
}

/** The commands, with what a shell offers behind them; made from the tables alone. */
export async function shellCommands(): Promise<readonly ShellCommand[]> {
  return await Promise.all(COMMAND_LIST.map(async ([name]) => await shellCommand(name)));
}

async function shellCommand(name: CommandName): Promise<ShellCommand> {
  const { help, positionals }: CommandEntry = COMMANDS[name];
  return {
    ...{ name, help },
    flags: entriesOf(name).map((entry) => shellFlag(entry, name)),
    words: await Promise.all(positionals.map(wordOffer)),
    many: positionals.at(-1)?.many === true,
  };
}

function shellFlag(entry: Entry, command: CommandName): ShellFlag {
  return {
    name: kebab(entry.flag),
    letter: entry.alias,
    help: flagHelp(entry, command),
    value: hasValue(entry) ? valueOffer(entry) : undefined,
    many: kindOf(typeOf(entry)) === 'array',
  };
}

function valueOffer(entry: Entry): Offer {
  if (entry.flag === 'profile') return 'profiles';
  if (entry.placeholder === 'FILE') return 'files';
  if (entry.placeholder === 'DIR') return 'folders';
  return choicesOf(typeOf(entry)) ?? 'nothing';
}

async function wordOffer({
  name,
  choices,
  names,
  files,
}: CommandEntry['positionals'][number]): Promise<Offer> {
  if (choices !== undefined) return choices;
  if (names !== undefined) return await NAMES_OF[names]();
  if (name === 'run') return 'runs';
  return name === 'file' || files === true ? 'files' : 'nothing';
}
