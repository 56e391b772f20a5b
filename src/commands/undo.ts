import type { Argv } from 'yargs';
import { EXIT } from '../core/errors.ts';
import { undoRun } from '../import/undo/undo-run.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { withSession } from './with-session.ts';

interface UndoFlags extends CommonFlags {
  readonly run: string;
  readonly out: string | undefined;
}

function builder(argv: Argv): Argv<UndoFlags> {
  return commonFlags(argv)
    .positional('run', { type: 'string', demandOption: true, describe: 'Run to take back (see runs)' })
    .option('out', {
      alias: 'o',
      type: 'string',
      describe: 'Workbook to write (undo-RUN.xlsx); never over another',
    })
    .example(
      '$0 undo 20270331-074512-k3vq',
      'a workbook that takes it back when it is imported',
    ) as unknown as Argv<UndoFlags>;
}

/** `undo RUN`: a workbook that takes a run back, to be looked at and imported like any other. */
export const undoCommand: Command<UndoFlags> = {
  builder,
  run: (flags) =>
    withSession(
      flags,
      async ({ context, settings }, view) => {
        view.showUndo(await undoRun(context, { run: flags.run, out: flags.out, language: settings.lang }));
        return EXIT.ok;
      },
      'try',
    ),
};
