import { dirname, resolve } from 'node:path';
import type { Argv } from 'yargs';
import { namedFolder } from '../files/folders.ts';
import { commandSheets } from '../resources/registry.ts';
import type { Command } from './command.ts';
import { type OwnSheetFlags, ownSheetFlags, runOwnSheet, SAME_COMMAND } from './own-sheet.ts';
import { withSession } from './with-session.ts';

interface DocumentsFlags extends OwnSheetFlags {
  readonly file: string;
  readonly from: string | undefined;
  readonly yes: boolean;
}

const { command } = commandSheets.documents;

function builder(argv: Argv): Argv<DocumentsFlags> {
  return ownSheetFlags(argv)
    .positional('file', {
      type: 'string',
      demandOption: true,
      describe: 'Workbook or CSV: PartijID or Event.ExternalID, Submap, Document',
    })
    .option('from', { type: 'string', describe: 'Folder that the files are in (the one of the sheet)' })
    .option('yes', { alias: 'y', type: 'boolean', default: false, describe: 'Send without asking' })
    .example(
      '$0 documents offertes.xlsx --from ~/offertes --dry-run',
      'which files would go where',
    ) as unknown as Argv<DocumentsFlags>;
}

/** `documents FILE`: uploads the files that a sheet names to their events, each once. */
export const documentsCommand: Command<DocumentsFlags> = {
  builder,
  run(flags) {
    const { file, from, yes, dryRun } = flags;
    const folder = from === undefined ? resolve(dirname(file)) : namedFolder(from, '--from');
    return withSession(
      flags,
      (session, view) => runOwnSheet(flags, { command, file, folder, ask: !yes }, session, view),
      dryRun ? 'try' : 'wait',
      SAME_COMMAND,
    );
  },
};
