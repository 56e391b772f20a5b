import {
  exitCodeOfExport,
  exportedResources,
  exportIn,
  exportName,
  FINANCE,
  financeIn,
} from '../../api/export.ts';
import { resourceNamed } from '../../api/resource-named.ts';
import { EXIT, type ExitCode, type StopError, usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { kebab } from '../../options/option.ts';
import { flagsNotTaken, type Given } from '../../options/options.ts';
import type { Session } from '../../session/open-session.ts';
import { inSession } from '../show.ts';

import { exportText, financeText } from '../view/summaries.ts';
import type { View } from '../view/view.ts';

type ExportFlags = Given<'export'>;

/** `export WHAT`: what the service holds, as a workbook, CSV or NDJSON. */
export async function exportCommand(flags: ExportFlags): Promise<ExitCode> {
  if (flags.json !== undefined && flags.out === '-')
    throw usageStop(
      t('--json and --out - both want stdout.', '--json en --out - willen allebei stdout.'),
      t('Leave one of them out.', 'Laat er een weg.'),
    );
  const isFinance = flags.what.some((what) => what.toLowerCase() === FINANCE);
  if (isFinance && flags.what.length > 1) throw FINANCE_ALONE;
  const work = isFinance ? runFinance : runExport;
  return await inSession(flags, undefined, (session, view) => work(flags, session, view));
}

type Work = (flags: ExportFlags, session: Session, view: View) => Promise<ExitCode>;

const runExport: Work = async (flags, session, view) => {
  const [other] = flagsNotTaken('export', 'exportRecords', flags);
  if (other !== undefined) throw notOf(flags.what.join(' '), other);
  const resources = flags.what.map((what) => resourceNamed(what, exportedResources, exportName, [FINANCE]));
  const { document, cutOff } = await exportIn(session, resources, { ...flags, overwrite: flags.yes });
  // A reader that went away wants no summary; another failure of stdout is told by watchOutput.
  if (cutOff) return EXIT.ok;
  // No summary goes where the export itself went.
  const to = document.file === null ? 'stderr' : 'stdout';
  view.show('export', document, exportText(document, view.language, flags), to);
  return exitCodeOfExport(document);
};

const runFinance: Work = async (flags, session, view) => {
  const [other] = flagsNotTaken('export', 'exportFinance', flags);
  if (other !== undefined) throw notOf(FINANCE, other);
  const result = await financeIn(session, { ...flags, overwrite: flags.yes });
  view.show('finance', result, financeText(result, view.language));
  return exitCodeOfExport(result);
};

const notOf = (what: string, flag: string): StopError =>
  usageStop(
    t(`export ${what} takes no --${kebab(flag)}.`, `export ${what} kent geen --${kebab(flag)}.`),
    t('Leave it out.', 'Laat het weg.'),
  );

const FINANCE_ALONE = usageStop(
  t('A finance export is a workbook of its own.', 'Een financiële export is een eigen werkmap.'),
  t('Export the others apart from it.', 'Exporteer de andere apart.'),
);
