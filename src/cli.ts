#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { COMMANDS, type ListedCommand } from './commands/commands.ts';
import { earlyLanguage } from './commands/early-language.ts';
import { asStop } from './commands/fault.ts';
import { wrongUsage } from './commands/usage.ts';
import { watchOutput } from './commands/watch-output.ts';
import { EXIT, type ExitCode, StopError } from './core/errors.ts';
import { t } from './core/language.ts';
import { keepRowsYoung } from './session/keep-rows-young.ts';

keepRowsYoung();

const EXIT_CODES = `Exit codes:
  0    every row is done, or needs nothing (dry run: would be)
  1    a fault of the program
  2    usage or configuration
  3    the file can't be read, or holds no row to send; nothing was sent
  4    the service can't be reached or refuses the token
  5    finished, but some rows are invalid, failed or in conflict
  6    some outcomes are unknown
  130  interrupted, can be continued`;

/** A bare --json would take the next word, the file, for its value. */
const words = hideBin(process.argv).map((word) => (word === '--json' ? '--json=rows' : word));

/** Help is in English only. */
const language = words.includes('--help') || words.includes('-h') ? 'en' : earlyLanguage(words, process.env);

const NO_COMMAND = t('Name a command.', 'Noem een opdracht.');

let exitCode: ExitCode = EXIT.ok;
let lost: ExitCode = EXIT.ok;

function toModule({ command, describe, builder, run }: ListedCommand): CommandModule {
  const handler = async (flags: unknown): Promise<void> => {
    exitCode = await run(flags);
  };
  return { command, describe, builder: builder as unknown as NonNullable<CommandModule['builder']>, handler };
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

watchOutput(words, (code) => {
  lost = code;
  process.exitCode ||= code;
});

/** The one place where what stops the program is caught and becomes an exit code. */
try {
  await yargs(words)
    .scriptName('catersheet')
    .usage('$0 <command>\n\nSpreadsheets in and out of a catering and event-management service.')
    .command(COMMANDS.map(toModule))
    .demandCommand(1, NO_COMMAND[language])
    .strict()
    .locale(language)
    .version(version())
    .alias('help', 'h')
    .epilog(EXIT_CODES)
    .wrap(Math.min(110, process.stdout.columns || 110))
    .fail((message, error, parser) => {
      const help = `catersheet ${commandOf(words)}--help`;
      const next = t(`See ${help}.`, `Zie ${help}.`);
      if (error instanceof StopError)
        throw error.next === undefined ? wrongUsage(error.texts.message, next) : error;
      if (error !== undefined && message === undefined) throw error;
      if (process.argv.length <= 2) parser.showHelp('error');
      const what = unknownCommand(words) ?? message ?? error?.message ?? NO_COMMAND[language];
      throw wrongUsage({ en: what, nl: what }, next);
    })
    .parseAsync();
} catch (error) {
  const stop = error instanceof Error && error.name === 'YError' ? badFlags(error) : asStop(error);
  exitCode = stop.exitCode;
  const { earlyView } = await import('./commands/choose-view.ts');
  earlyView(words, process.env).stop(stop, null);
}

process.exitCode = exitCode === EXIT.ok ? lost : exitCode;

function commandOf([first = '']: readonly string[]): string {
  return COMMANDS.some(({ name }) => name === first) ? `${first} ` : '';
}

/** What yargs says of words that it can't take apart, past all that is asked of it to say otherwise. */
function badFlags({ message }: Error): StopError {
  const help = `catersheet ${commandOf(words)}--help`;
  return wrongUsage({ en: message, nl: message }, t(`See ${help}.`, `Zie ${help}.`));
}

/** A first word that is no command; yargs would only call it an unknown argument, beside the flags that follow. */
function unknownCommand(given: readonly string[]): string | undefined {
  const [first = '-'] = given;
  if (first.startsWith('-') || commandOf(given) !== '') return undefined;
  return t(`There is no command ${first}.`, `Er is geen opdracht ${first}.`)[language];
}
