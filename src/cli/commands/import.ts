import { exclusiveFor, importIn } from '../../api/import-workbook.ts';
import type { ExitCode } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { Given } from '../../options/options.ts';
import { resources } from '../../resources/registry.ts';
import { asking, inSession, showImport } from '../show.ts';
import { wrongUsage } from '../stops.ts';

/** `import FILE`: read, map, plan, show, ask, apply, write the result. */
export async function importCommand(flags: Given<'import'>): Promise<ExitCode> {
  const { file, sheet, only, as, set } = flags;
  return await inSession(flags, exclusiveFor(flags), async (session, view) => {
    const options = {
      ...flags,
      sheets: sheet,
      set: set.map(parseSet),
      as: resources.find(({ name }) => name === as),
      onlyProblems: only === 'problems',
    };
    return await showImport(view, await importIn(session, file, options, asking(flags, view, session)));
  });
}

/** A value of `--set` for all rows. Throws StopError for a field that no sheet has. */
function parseSet(text: string): { readonly field: string; readonly text: string } {
  const [, field = '', value = ''] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
  const known = resources.some((resource) => Object.hasOwn(resource.fields, field));
  if (known) return { field, text: value };
  const what =
    field === ''
      ? t(`--set ${text} is not of the form Field=value.`, `--set ${text} heeft niet de vorm Veld=waarde.`)
      : t(
          `--set ${field}: no sheet has a column ${field}.`,
          `--set ${field}: geen enkel werkblad heeft een kolom ${field}.`,
        );
  throw wrongUsage(
    what,
    t(
      'Write it as in --set Actief=Ja, with a field name as the interface spells it.',
      'Schrijf het zoals in --set Actief=Ja, met een veldnaam zoals de interface hem spelt.',
    ),
  );
}
