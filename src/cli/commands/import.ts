import { exclusiveFor, importIn, SET_NEXT } from '../../api/import-workbook.ts';
import type { ExitCode } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { Given } from '../../options/options.ts';
import { asking, inSession, readQuestions, showImport } from '../show.ts';
import { wrongUsage } from '../stops.ts';

/** `import FILE`: read, map, plan, show, ask, apply, write the result. */
export async function importCommand(flags: Given<'import'>): Promise<ExitCode> {
  const { file, sheet, only, set, columns } = flags;
  return await inSession(flags, exclusiveFor(flags), async (session, view) => {
    const options = {
      ...flags,
      sheets: sheet,
      set: set.map(parseSet),
      columns: columns?.split(/[,;]/),
      onlyProblems: only === 'problems',
      questions: readQuestions(flags, view, session),
    };
    return await showImport(
      view,
      await importIn(session, file, options, asking(flags, view, session)),
      flags,
    );
  });
}

/** A value of `--set` for all rows. Throws StopError for one without a field. */
function parseSet(text: string): { readonly field: string; readonly text: string } {
  const [, field, value = ''] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
  if (field !== undefined) return { field, text: value };
  throw wrongUsage(
    t(`--set ${text} is not of the form Field=value.`, `--set ${text} heeft niet de vorm Veld=waarde.`),
    SET_NEXT,
  );
}
