import {
  exitCodeOfExport,
  exportedResources,
  exportIn,
  exportName,
  FINANCE,
  financeIn,
} from '../../api/export.ts';
import { exportDocument } from '../../api/make-documents.ts';
import { resourceNamed } from '../../api/resource-named.ts';
import { EXIT, type ExitCode, type StopError, usageStop } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { financeDocument } from '../../finance/export-finance.ts';
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
  if (other !== undefined) throw onlyFor(other, FINANCE);
  const resources = flags.what.map((what) => resourceNamed(what, exportedResources, exportName, [FINANCE]));
  const result = await exportIn(session, resources, { ...flags, overwrite: flags.yes });
  // A reader that went away wants no summary; another failure of stdout is told by watchOutput.
  if (result.cutOff) return EXIT.ok;
  const { language } = view;
  // No summary goes where the export itself went.
  const to = result.file === null ? 'stderr' : 'stdout';
  view.show('export', exportDocument(result, language), exportText(result, language, flags), to);
  return exitCodeOfExport(result);
};

const runFinance: Work = async (flags, session, view) => {
  const { format, yes: overwrite, ...others } = flags;
  const [other] = flagsNotTaken('export', 'exportFinance', others);
  if (other !== undefined) throw financeTakesNo(other);
  // Another format is refused by the name that it would give the file.
  const out = format === undefined || format === 'xlsx' ? flags.out : `.${format}`;
  const result = await financeIn(session, { ...flags, out, overwrite });
  view.show('finance', financeDocument(result, view.language), financeText(result, view.language));
  return exitCodeOfExport(result);
};

const onlyFor = (flag: string, what: string): StopError =>
  usageStop(
    t(`--${kebab(flag)} is for export ${what}.`, `--${kebab(flag)} is voor export ${what}.`),
    t('Leave it out.', 'Laat het weg.'),
  );

const FINANCE_ALONE = usageStop(
  t('A finance export is a workbook of its own.', 'Een financiële export is een eigen werkmap.'),
  t('Export the others apart from it.', 'Exporteer de andere apart.'),
);

const financeTakesNo = (flag: string): StopError =>
  usageStop(
    t(`A finance export takes no --${kebab(flag)}.`, `Een financiële export kent geen --${kebab(flag)}.`),
    FINANCE_NEXT[flag] ?? t('Leave it out.', 'Laat het weg.'),
  );

/** What a finance export has in place of a flag that it does not take. */
const FINANCE_NEXT: Readonly<Record<string, Bilingual>> = {
  definitive: t(
    'Leave it out: it is of the definitive events by itself, and of all with --all.',
    'Laat het weg: de export gaat vanzelf over de definitieve evenementen, en met --all over alle.',
  ),
  since: t(
    'Name days with --from and --to: the workbook says what changed since the last finance export of those.',
    'Noem dagen met --from en --to: de werkmap zegt wat er sinds de vorige financiële export daarvan is gewijzigd.',
  ),
};
