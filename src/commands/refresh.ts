import type { Argv } from 'yargs';
import { exitCodeOfCalls } from '../calls/calls.ts';
import { refreshEvents } from '../calls/refresh-events.ts';
import type { ExitCode } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { commandSheets } from '../resources/registry.ts';
import type { Session } from '../session/open-session.ts';
import type { View } from '../view/view.ts';
import type { Command } from './command.ts';
import { wholeIds } from './orders.ts';
import { type OwnSheetFlags, ownSheetFlags, runOwnSheet } from './own-sheet.ts';
import { wrongUsage } from './usage.ts';
import { withSession } from './with-session.ts';

interface RefreshFlags extends OwnSheetFlags {
  readonly what: readonly string[];
  readonly yes: boolean;
}

const { refreshes } = commandSheets;
const { command } = refreshes;

function builder(argv: Argv): Argv<RefreshFlags> {
  return ownSheetFlags(argv)
    .positional('what', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'Numbers of events, or a workbook or CSV with PartijID or Event.ExternalID',
    })
    .option('yes', {
      alias: 'y',
      type: 'boolean',
      default: false,
      describe: 'Refresh what a file names without asking',
    })
    .example('$0 refresh 9023 9024', 'have the service refresh two events') as unknown as Argv<RefreshFlags>;
}

/** `refresh FILE|ID…`: has the service refresh events. */
export const refreshCommand: Command<RefreshFlags> = {
  builder,
  run: (flags) =>
    withSession(
      flags,
      (session, view) => runRefresh(flags, session, view),
      flags.dryRun ? 'try' : 'wait',
      GO_ON,
    ),
};

const GO_ON = t(
  'Give the same command again to go on: refreshing once more does no harm.',
  'Geef dezelfde opdracht opnieuw om verder te gaan: nog eens verversen kan geen kwaad.',
);

async function runRefresh(flags: RefreshFlags, session: Session, view: View): Promise<ExitCode> {
  const { what, yes } = flags;
  const [file = '', ...others] = what;
  if (others.length === 0 && !/^\d+$/.test(file))
    return await runOwnSheet(flags, { command, file, ask: !yes }, session, view);
  const { dryRun, out, map, headerRow, encoding, delimiter, sheet } = flags;
  const given = [out, map, headerRow, encoding, delimiter].some((flag) => flag !== undefined);
  if (dryRun || given || sheet.length > 0) throw onlyOfAFile();
  const result = await refreshEvents(session.context, refreshes, wholeIds(what));
  view.showCalls(result);
  if (result.stopped !== null) view.stop(result.stopped, session.logFile);
  return exitCodeOfCalls(result);
}

const onlyOfAFile = () =>
  wrongUsage(
    t(
      '--dry-run, --out, --sheet and how a file is read are for a file; events that are named have no plan and no result.',
      '--dry-run, --out, --sheet en hoe een bestand gelezen wordt zijn voor een bestand; genoemde evenementen hebben geen plan en geen resultaat.',
    ),
    t('Leave them out.', 'Laat ze weg.'),
  );
