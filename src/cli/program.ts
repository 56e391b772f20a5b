import { existsSync } from 'node:fs';
import { asStop, EXIT, type ExitCode, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { showLines } from '../core/standard-streams.ts';
import type { CommandName } from '../options/commands.ts';
import type { Given } from '../options/options.ts';
import { earlyLanguage } from '../session/settings.ts';
import { ASKING, readWords } from './parse.ts';
import { tellStop, watchOutput } from './stops.ts';

/** Each command's function, loaded only for the command that is given. */
const WORK: {
  readonly [C in Exclude<CommandName, 'help'>]: () => Promise<(given: Given<C>) => Promise<ExitCode>>;
} = {
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  apply: async () => (await import('./commands/runs.ts')).applyCommand,
  undo: async () => (await import('./commands/runs.ts')).undoCommand,
  runs: async () => (await import('./commands/runs.ts')).runsCommand,
  check: async () => (await import('./commands/service.ts')).checkCommand,
  template: async () => (await import('./commands/export.ts')).templateCommand,
  documents: async () => (await import('./commands/calls.ts')).documentsCommand,
  invoices: async () => (await import('./commands/calls.ts')).invoicesCommand,
  orders: async () => (await import('./commands/calls.ts')).ordersCommand,
  refresh: async () => (await import('./commands/calls.ts')).refreshCommand,
  desk: async () => (await import('./commands/desk.ts')).deskCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  ledger: async () => (await import('./commands/ledger.ts')).ledgerCommand,
  trust: async () => (await import('./commands/trust.ts')).trustCommand,
  sandbox: async () => (await import('./commands/service.ts')).sandboxCommand,
  interface: async () => (await import('./commands/service.ts')).interfaceCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
};

/** Runs the program with the words that it was started with. Resolves when all is done and the exit code is set. */
export async function startProgram(): Promise<void> {
  const words = process.argv.slice(2);
  let lost: ExitCode = EXIT.ok;
  watchOutput(words, (code) => {
    lost = code;
    process.exitCode ||= code;
  });
  // What nobody awaits would be shown by Node itself, as it stands.
  process.on('uncaughtException', (error) => {
    const stop = asStop(error);
    tellStop(words, stop);
    process.exit(stop.exit);
  });
  process.exitCode = (await runProgram(words)) || lost;
}

/**
 * Does what a command line asks for, and shows what stopped it: the only place that catches that and makes it
 * an exit code.
 */
export async function runProgram(given: readonly string[]): Promise<ExitCode> {
  // What stands behind `--` is a name, also where it begins as a flag does.
  const end = given.concat('--').indexOf('--');
  const names = given.slice(end + 1).map((text) => text.replace(/^-(?=.)/, './-'));
  const words = [...given.slice(0, end), ...names];
  const language = earlyLanguage(words);
  try {
    refuseNames(words);
    if (words[0] === ASKING) {
      const { offeredAt } = await import('./completion.ts');
      showLines('stdout', await offeredAt(words, language));
      return EXIT.ok;
    }
    const asked = await readWords(words, language);
    if ('name' in asked) return await (await WORK[asked.name]())(asked.given);
    showLines('stdout', asked.shown === '' ? [] : asked.shown.split('\n'));
    return EXIT.ok;
  } catch (error) {
    const stop = asStop(error);
    tellStop(words, stop, language);
    return stop.exit;
  }
}

/**
 * Throws StopError for a word that is a flag, and the name of a file here too: with `*.xlsx` a folder that
 * somebody sent could give flags of its own.
 */
function refuseNames(given: readonly string[]): void {
  const name = given.find((word) => /^-./.test(word) && existsSync(word));
  if (name === undefined) return;
  throw usageStop(
    t(
      `${name} would be taken for an option, and is the name of a file in this folder.`,
      `${name} zou als optie worden opgevat, en is de naam van een bestand in deze map.`,
    ),
    t(`Name that file as ./${name}, or move it away.`, `Noem dat bestand ./${name}, of haal het daar weg.`),
  );
}
