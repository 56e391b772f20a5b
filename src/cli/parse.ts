import type { Argv, CommandModule } from 'yargs';
import yargs from 'yargs';
import type { ExitCode, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { COMMAND_LIST, type CommandName, usageOf } from '../options/commands.ts';
import { addFlags } from './flags.ts';
import { wrongUsage } from './stops.ts';
import { checkUsage, commandFirst } from './usage/check-usage.ts';

/** Does the work of a command with what was given to it. */
type Run = (name: CommandName, given: never) => Promise<ExitCode>;

/**
 * Runs the command that the words of a command line name. Throws StopError for wrong usage, in words of ours:
 * yargs, which parses them, is left nothing to refuse.
 */
export async function runCommand(words: readonly string[], run: Run): Promise<ExitCode> {
  await checkUsage(words);
  let exit: ExitCode | undefined;
  const toModule = (name: CommandName): CommandModule => ({
    command: usageOf(name),
    builder: (argv: Argv) => addFlags(argv, name),
    async handler(given) {
      exit = await run(name, given as never);
    },
  });
  await yargs(commandFirst(words))
    // Or `--yes.xlsx` would be taken for a part of --yes.
    .parserConfiguration({ 'dot-notation': false })
    .scriptName('catersheet')
    .command(COMMAND_LIST.map(([name]) => toModule(name)))
    .demandCommand(1)
    .strict()
    .version(false)
    .help(false)
    .fail((message, error) => {
      throw error ?? unparsed(message);
    })
    .parseAsync();
  if (exit === undefined) throw unparsed('');
  return exit;
}

const unparsed = (message: string): StopError =>
  wrongUsage(
    t(`This command line can't be read. ${message}`, `Deze opdrachtregel is niet te lezen. ${message}`),
    t('See catersheet --help.', 'Zie catersheet --help.'),
  );
