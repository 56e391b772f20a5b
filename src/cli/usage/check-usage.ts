import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { commandLine } from './command-line.ts';
import { type Fault, flagFault, GLOBAL } from './flag-faults.ts';
import { readWords } from './read-words.ts';
import { behindFault, commandFault } from './word-faults.ts';
import { type Word, word } from './words.ts';

/** So many faults of one command line are put right in what is proposed. */
const MOST_FIXES = 20;

/**
 * Throws StopError with EXIT.usage for words that are no command line of ours: what is wrong first, and the
 * whole command as it should be. It only proposes: nothing but what was typed is ever run.
 */
export async function checkUsage(given: readonly string[]): Promise<void> {
  const words = given.map(word);
  const fault = await faultIn(words);
  if (fault === undefined) return;
  const { message, next } = fault;
  const fixed = await wholeFix(fault);
  if (fixed !== undefined) throw new StopError(EXIT.usage, message, { next, command: commandLine(fixed) });
  const help = helpOf(words);
  throw new StopError(EXIT.usage, message, {
    next:
      next === undefined || fault.fixed !== undefined
        ? t(`See ${help}.`, `Zie ${help}.`)
        : t(`${next.en} See ${help}.`, `${next.nl} Zie ${help}.`),
  });
}

async function faultIn(words: readonly Word[]): Promise<Fault | undefined> {
  const read = readWords(words);
  const asked = GLOBAL.some((name) => words.some(({ text }) => text === `--${name}`));
  const flags = flagFault(words, read);
  const command = asked && read.commandAt < 0 ? undefined : commandFault(words, read);
  // Without any command a flag that is misspelt may have been meant for the program itself.
  const found = read.commandAt < 0 ? (flags ?? command) : (command ?? flags);
  return found ?? (asked ? undefined : await behindFault(words, read));
}

/** The words with all their faults put right; undefined where one can't be. */
async function wholeFix({ fixed }: Fault): Promise<readonly Word[] | undefined> {
  let words = fixed;
  for (let count = 0; words !== undefined && count < MOST_FIXES; count++) {
    const fault = await faultIn(words);
    if (fault === undefined) return words;
    words = fault.fixed;
  }
  return undefined;
}

/** The help that tells more. */
function helpOf(words: readonly Word[]): string {
  const { command } = readWords(words);
  return command === undefined ? 'catersheet --help' : `catersheet ${command} --help`;
}

/** The words with the command first, where yargs looks for it. */
export function commandFirst(given: readonly string[]): string[] {
  const { commandAt } = readWords(given.map(word));
  if (commandAt <= 0) return [...given];
  return [given[commandAt] ?? '', ...given.filter((_, at) => at !== commandAt)];
}
