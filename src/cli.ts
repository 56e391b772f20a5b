#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import yargs, { type CommandModule } from 'yargs';
import { hideBin } from 'yargs/helpers';
import { checkCommand } from './commands/check.ts';
import type { Command } from './commands/command.ts';
import { importCommand } from './commands/import.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { EXIT, type ExitCode, StopError } from './errors.ts';

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

let exitCode: ExitCode = EXIT.ok;

function toModule<Flags>({ command, describe, builder, run }: Command<Flags>): CommandModule {
  const handler = async (flags: unknown): Promise<void> => {
    exitCode = await run(flags as Flags);
  };
  return { command, describe, builder: builder as unknown as NonNullable<CommandModule['builder']>, handler };
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A reader that went away (`| head`) is no fault of ours, and nothing is lost: the result is in its file. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** The one place where what stops the program is caught and becomes an exit code. */
try {
  await yargs(words)
    .scriptName('catersheet')
    .usage('$0 <command>\n\nSpreadsheets in and out of a catering and event-management service.')
    .command(toModule(importCommand))
    .command(toModule(checkCommand))
    .command(toModule(sandboxCommand))
    .demandCommand(1, 'Name a command.')
    .strict()
    .locale('en')
    .version(version())
    .alias('help', 'h')
    .epilog(EXIT_CODES)
    .wrap(Math.min(110, process.stdout.columns || 110))
    .fail((message, error, parser) => {
      if (error instanceof StopError) throw error;
      if (error !== undefined && message === undefined) throw error;
      if (process.argv.length <= 2) parser.showHelp('error');
      throw new StopError(EXIT.usage, message ?? error?.message ?? 'That is not a command.', {
        next: `See catersheet ${commandOf(words)}--help.`,
      });
    })
    .parseAsync();
} catch (error) {
  exitCode = error instanceof StopError ? error.exitCode : EXIT.fault;
  process.stderr.write(
    `${error instanceof StopError ? [error.message, error.next].filter(Boolean).join('\n') : faultText(error)}\n`,
  );
}

process.exitCode = exitCode;

function commandOf([first]: readonly string[]): string {
  return ['import', 'check', 'sandbox'].includes(first ?? '') ? `${first} ` : '';
}

function faultText(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `A fault of the program; please report it.\n${stack}`;
}
