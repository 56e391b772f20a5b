import type { Argv } from 'yargs';
import type { ExitCode } from '../core/errors.ts';
import type { Command } from './command.ts';
import { givenOnce } from './given-once.ts';

/** A command as the list of commands shows it; what it takes to run is loaded when it is the one that is wanted. */
export interface ListedCommand {
  readonly name: string;
  /** As yargs takes it: the name and what stands behind it. */
  readonly command: string;
  readonly describe: string;
  readonly builder: (argv: Argv) => Promise<Argv>;
  readonly run: (flags: unknown) => Promise<ExitCode>;
}

function listed<Flags>(
  command: string,
  describe: string,
  load: () => Promise<Command<Flags>>,
): ListedCommand {
  return {
    ...{ name: command.replace(/ .*/, ''), command, describe },
    builder: async (argv) => (await load()).builder(argv.check(givenOnce, false)) as unknown as Argv,
    run: async (flags) => await (await load()).run(flags as Flags),
  };
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly ListedCommand[] = [
  listed(
    'import <file>',
    'Import a workbook: packages, recipes, events, stock, arrangements, trips',
    async () => (await import('./import.ts')).importCommand,
  ),
  listed(
    'export <what>',
    'Export records to a workbook that can be edited and imported again, or a period for finance',
    async () => (await import('./export.ts')).exportCommand,
  ),
  listed(
    'apply <run>',
    'Send a planned run exactly as shown, or continue an interrupted one',
    async () => (await import('./apply.ts')).applyCommand,
  ),
  listed(
    'undo <run>',
    'Make a workbook that takes a run back when it is imported',
    async () => (await import('./undo.ts')).undoCommand,
  ),
  listed(
    'runs [run]',
    'List earlier runs, or show one row by row',
    async () => (await import('./runs.ts')).runsCommand,
  ),
  listed(
    'check',
    'Try the service: reachable, token good, lists, lookups and endpoints answering',
    async () => (await import('./check.ts')).checkCommand,
  ),
  listed(
    'template [resource..]',
    'Make a workbook to fill in, with notes, checks and lists to choose from',
    async () => (await import('./template.ts')).templateCommand,
  ),
  listed(
    'documents <file>',
    'Upload the files that a sheet names to their events, each once',
    async () => (await import('./documents.ts')).documentsCommand,
  ),
  listed(
    'invoices <file>',
    'Fetch the invoices that a sheet names into a folder',
    async () => (await import('./invoices.ts')).invoicesCommand,
  ),
  listed(
    'orders <action> [ids..]',
    'Send purchase orders over EDI, each at most once',
    async () => (await import('./orders.ts')).ordersCommand,
  ),
  listed(
    'refresh <what..>',
    'Have the service refresh events: those named, or those of a sheet',
    async () => (await import('./refresh.ts')).refreshCommand,
  ),
  listed(
    'sandbox',
    'Run the embedded service: a made-up catering company over real HTTP',
    async () => (await import('./sandbox.ts')).sandboxCommand,
  ),
  listed(
    'interface',
    'Print the service’s interface as an OpenAPI 3.1 document',
    async () => (await import('./interface.ts')).interfaceCommand,
  ),
];
