import type { Argv } from 'yargs';
import type { ExitCode } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { importWorkbook } from '../import/import.ts';
import type { Session } from '../session/open-session.ts';
import type { View } from '../view/view.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { type ReadingFlags, readingFlags } from './reading-flags.ts';
import { askToSend, showResult } from './show-result.ts';

/** What a command takes that carries out the rows of a sheet of its own. */
export interface OwnSheetFlags extends CommonFlags, ReadingFlags {
  readonly dryRun: boolean;
  readonly sheet: readonly string[];
  readonly out: string | undefined;
}

/** Adds them. */
export function ownSheetFlags(argv: Argv): Argv<OwnSheetFlags> {
  return readingFlags(commonFlags(argv))
    .option('dry-run', { type: 'boolean', default: false, describe: 'Show what would be done; do nothing' })
    .option('sheet', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'Only this sheet (may be repeated)',
    })
    .option('out', {
      alias: 'o',
      type: 'string',
      describe: 'Result workbook (NAME.result.xlsx beside the file)',
    }) as unknown as Argv<OwnSheetFlags>;
}

/** How such a command goes on after Ctrl-C. */
export const SAME_COMMAND = t(
  'Give the same command again to go on: rows that are done come out unchanged.',
  'Geef dezelfde opdracht opnieuw om verder te gaan: wat klaar is, blijkt dan ongewijzigd.',
);

/** What is to be done with the sheet's rows. */
interface OwnSheet {
  readonly command: string;
  readonly file: string;
  /** Where files are taken from or put into, absolute. */
  readonly folder?: string;
  /** Asks before anything is sent. */
  readonly ask: boolean;
}

/** Reads, plans and carries out the rows of a command's own sheet, and gives the workbook back with their outcomes. */
export async function runOwnSheet(
  flags: OwnSheetFlags,
  { command, file, folder, ask }: OwnSheet,
  session: Session,
  view: View,
): Promise<ExitCode> {
  const { context, settings } = session;
  const { headers, profile, locale, lang } = settings;
  const result = await importWorkbook(context, {
    ...{ file, command, folder, headers, profile, locale },
    ...{ map: flags.map, headerRow: flags.headerRow, encoding: flags.encoding, delimiter: flags.delimiter },
    ...{ dryRun: flags.dryRun, out: flags.out, only: flags.sheet },
    ...{ set: [], strict: false, allowDelete: false, onConflict: 'skip', language: lang },
    confirm: ask ? (plan) => askToSend(flags.json, view, plan, context.signal) : undefined,
  });
  return await showResult(session, view, result);
}
