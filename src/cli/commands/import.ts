import { exclusiveFor, importIn, SET_NEXT, toRequest } from '../../api/import-workbook.ts';
import { type ExitCode, type StopError, usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { kebab } from '../../options/option.ts';
import type { Given } from '../../options/options.ts';
import { asking, inSession, readQuestions, showImport } from '../show.ts';

import { importFiles } from './import-files.ts';

/** `import FILE…`: read, map, plan, show, ask, apply, write the result; of several files one after the other. */
export async function importCommand(flags: Given<'import'>): Promise<ExitCode> {
  const { file: files, sheet, only, set, columns, doneTo, dryRun } = flags;
  const one = (['out', 'report'] as const).find((flag) => flags[flag] !== undefined);
  if (one !== undefined && (files.length > 1 || doneTo !== undefined)) throw forOneFile(one);
  if (doneTo !== undefined && dryRun) throw DRY;
  // Each file that has something to send would go to the failed ones for it.
  if (doneTo !== undefined && !flags.yes && (process.stdin.isTTY !== true || flags.json !== undefined))
    throw UNASKED;
  return await inSession(flags, exclusiveFor(flags), async (session, view) => {
    const options = {
      ...flags,
      sheets: sheet,
      set: set.map(parseSet),
      columns: columns?.split(/[,;]/),
      onlyProblems: only === 'problems',
      questions: readQuestions(flags, view, session),
    };
    const importOne = (file: string) => importIn(session, file, options, asking(flags, view, session));
    const [first] = files;
    if (first !== undefined && files.length === 1 && doneTo === undefined)
      return await showImport(view, await importOne(first), flags);
    // What is wrong with the flags is no fault of a file.
    toRequest(first ?? '', options, session);
    return await view.showSeveral(() => importFiles(session, files, view, { flags, doneTo, importOne }));
  });
}

const forOneFile = (flag: 'out' | 'report'): StopError =>
  usageStop(
    t(`--${kebab(flag)} names one file.`, `--${kebab(flag)} noemt één bestand.`),
    t(
      'Leave it out: each result goes beside its file, or along with --done-to.',
      'Laat het weg: elk resultaat komt naast zijn bestand, of gaat mee met --done-to.',
    ),
  );

const DRY: StopError = usageStop(
  t(
    '--done-to is for what is sent, and --dry-run sends nothing.',
    '--done-to is voor wat verstuurd wordt, en --dry-run verstuurt niets.',
  ),
  t('Leave one of them out.', 'Laat er een weg.'),
);

const UNASKED: StopError = usageStop(
  t(
    '--done-to moves what is sent, and there is no terminal to ask on before.',
    '--done-to verplaatst wat verstuurd is, en er is geen terminal om dat vooraf te vragen.',
  ),
  t('Add --yes to send without a question.', 'Voeg --yes toe om zonder vraag te versturen.'),
);

/** A value of `--set` for all rows. Throws StopError for one without a field. */
function parseSet(text: string): { readonly field: string; readonly text: string } {
  const [, field, value = ''] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
  if (field !== undefined) return { field, text: value };
  throw usageStop(
    t(`--set ${text} is not of the form Field=value.`, `--set ${text} heeft niet de vorm Veld=waarde.`),
    SET_NEXT,
  );
}
