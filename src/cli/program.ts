import { existsSync } from 'node:fs';
import { asStop } from '../core/as-stop.ts';
import { EXIT, type ExitCode, type StopError, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { showLines } from '../core/standard-streams.ts';
import type { CommandName } from '../options/commands.ts';
import type { Given } from '../options/options.ts';
import { earlyLanguage } from '../session/settings.ts';
import { tellStop } from './stops.ts';

/** Each command's function, loaded only for the command that is given. */
const WORK: {
  readonly [C in Exclude<CommandName, 'help'>]: () => Promise<(given: Given<C>) => Promise<ExitCode>>;
} = {
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  apply: async () => (await import('./commands/apply.ts')).applyCommand,
  undo: async () => (await import('./commands/undo.ts')).undoCommand,
  runs: async () => (await import('./commands/runs.ts')).runsCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  template: async () => (await import('./commands/template.ts')).templateCommand,
  documents: async () => (await import('./commands/command-sheets.ts')).documentsCommand,
  invoices: async () => (await import('./commands/command-sheets.ts')).invoicesCommand,
  orders: async () => (await import('./commands/orders.ts')).ordersCommand,
  refresh: async () => (await import('./commands/command-sheets.ts')).refreshCommand,
  desk: async () => (await import('./commands/desk.ts')).deskCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  ledger: async () => (await import('./commands/ledger.ts')).ledgerCommand,
  trust: async () => (await import('./commands/trust.ts')).trustCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  interface: async () => (await import('./commands/interface.ts')).interfaceCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
};

/**
 * Does what a command line asks for, and shows what stopped it: the only place that catches that and makes it
 * an exit code.
 */
export async function runProgram(words: readonly string[]): Promise<ExitCode> {
  try {
    refuseNames(words);
    return await answer(words);
  } catch (error) {
    const stop = asStop(error);
    await showStop(words, stop);
    return stop.exit;
  }
}

/** Shows what stopped the program before a view was chosen. */
export async function showStop(words: readonly string[], stop: StopError): Promise<void> {
  try {
    const { earlyView } = await import('./show.ts');
    earlyView(words).stop(stop, null);
  } catch {
    tellStop(words, stop);
  }
}

/** Does what the words ask for. */
async function answer(words: readonly string[]): Promise<ExitCode> {
  const language = earlyLanguage(words);
  const { readWords } = await import('./parse.ts');
  const asked = await readWords(words, language);
  if ('shown' in asked) {
    if (asked.shown !== '') showLines('stdout', asked.shown.split('\n'));
    return EXIT.ok;
  }
  const { name, given } = asked;
  return name === 'help' ? EXIT.ok : await (await WORK[name]())(given);
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
