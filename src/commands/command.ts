import type { Argv } from 'yargs';
import type { ExitCode } from '../core/errors.ts';

/** One command of the command line: flags in, an exit code out. Throws StopError for what stops it. */
export interface Command<Flags> {
  readonly builder: (argv: Argv) => Argv<Flags>;
  readonly run: (flags: Flags) => Promise<ExitCode>;
}
