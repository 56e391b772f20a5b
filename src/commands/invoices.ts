import type { Argv } from 'yargs';
import { namedFolder } from '../files/folders.ts';
import { commandSheets } from '../resources/registry.ts';
import type { Command } from './command.ts';
import { type OwnSheetFlags, ownSheetFlags, runOwnSheet, SAME_COMMAND } from './own-sheet.ts';
import { withSession } from './with-session.ts';

interface InvoicesFlags extends OwnSheetFlags {
  readonly file: string;
  readonly to: string;
}

const { command } = commandSheets.invoices;

function builder(argv: Argv): Argv<InvoicesFlags> {
  return ownSheetFlags(argv)
    .positional('file', {
      type: 'string',
      demandOption: true,
      describe: 'Workbook or CSV: id, and extension where it is not pdf',
    })
    .option('to', { type: 'string', demandOption: true, describe: 'Folder that the files go to' })
    .example(
      '$0 invoices facturen.xlsx --to ~/facturen',
      'fetch what is not there yet',
    ) as unknown as Argv<InvoicesFlags>;
}

/** `invoices FILE --to DIR`: fetches the invoices that a sheet names; what is there already is left. */
export const invoicesCommand: Command<InvoicesFlags> = {
  builder,
  run(flags) {
    const { file, to, dryRun } = flags;
    const own = { command, file, folder: namedFolder(to, '--to'), ask: false };
    return withSession(
      flags,
      (session, view) => runOwnSheet(flags, own, session, view),
      dryRun ? 'try' : 'wait',
      SAME_COMMAND,
    );
  },
};
