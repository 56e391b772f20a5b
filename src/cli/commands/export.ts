import {
  exitCodeOfExport,
  exportedResources,
  exportIn,
  exportName,
  FINANCE,
  financeIn,
} from '../../api/export.ts';
import { templateDocument } from '../../api/make-documents.ts';
import { resourceNamed } from '../../api/resource-named.ts';
import { templateIn, templateOffline } from '../../api/write-template.ts';
import { EXIT, type ExitCode, type StopError, usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { kebab } from '../../options/option.ts';
import { flagsNotTaken, type Given } from '../../options/options.ts';
import { resources } from '../../resources/registry.ts';
import type { Session } from '../../session/open-session.ts';
import type { WrittenTemplate } from '../../template/write-template-file.ts';
import { inSession, inView } from '../show.ts';
import type { View } from '../view/lines.ts';
import { exportText, financeText, templateText } from '../view/summaries.ts';

type ExportFlags = Given<'export'>;

/** `export WHAT`: what the service holds, as a workbook, CSV or NDJSON. */
export async function exportCommand(flags: ExportFlags): Promise<ExitCode> {
  if (flags.json !== undefined && flags.out === '-')
    throw usageStop(
      t('--json and --out - both want stdout.', '--json en --out - willen allebei stdout.'),
      t('Leave one of them out.', 'Laat er een weg.'),
    );
  const isFinance = flags.what.some((what) => what.toLowerCase() === FINANCE);
  if (isFinance && flags.what.length > 1)
    throw usageStop(
      t('A finance export is a workbook of its own.', 'Een financiële export is een eigen werkmap.'),
      t('Export the others apart from it.', 'Exporteer de andere apart.'),
    );
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
  view.show(document, exportText(document, view.language, flags), to);
  return exitCodeOfExport(document);
};

const runFinance: Work = async (flags, session, view) => {
  const [other] = flagsNotTaken('export', 'exportFinance', flags);
  if (other !== undefined) throw notOf(FINANCE, other);
  const result = await financeIn(session, { ...flags, overwrite: flags.yes });
  view.show(result, financeText(result, view.language));
  return exitCodeOfExport(result);
};

const notOf = (what: string, flag: string): StopError =>
  usageStop(
    t(`export ${what} takes no --${kebab(flag)}.`, `export ${what} kent geen --${kebab(flag)}.`),
    t('Leave it out.', 'Laat het weg.'),
  );

/** `template [RESOURCE…]`: a workbook to fill in, made from what the sheets are. */
export async function templateCommand(flags: Given<'template'>): Promise<ExitCode> {
  const { resource = [], offline } = flags;
  const show = (view: View, written: WrittenTemplate): ExitCode => {
    const { language } = view;
    view.show(templateDocument(written, language), templateText(written, language, flags));
    return EXIT.ok;
  };
  if (offline)
    return await inView(flags, async (view) => show(view, await templateOffline(choose(resource), flags)));
  return await inSession(flags, undefined, async (session, view) =>
    show(view, await templateIn(session, choose(resource), flags)),
  );
}

/** The named resources, each once; all when none is named. Throws StopError for an unknown name. */
function choose(names: readonly string[]): typeof resources {
  if (names.length === 0) return resources;
  return [...new Set(names.map((name) => resourceNamed(name, resources)))];
}
