import { resourceNamed, sheetResources } from '../../api/resource-named.ts';
import { templateIn, templateOffline } from '../../api/write-template.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import type { Given } from '../../options/options.ts';
import { inSession, inView } from '../show.ts';

/** `template [RESOURCE…]`: a workbook to fill in, made from what the sheets are. */
export async function templateCommand(flags: Given<'template'>): Promise<ExitCode> {
  const { resource = [], offline } = flags;
  if (offline)
    return await inView(flags, async (view) => {
      view.showTemplate(await templateOffline(choose(resource), flags));
      return EXIT.ok;
    });
  return await inSession(flags, undefined, async (session, view) => {
    view.showTemplate(await templateIn(session, choose(resource), flags));
    return EXIT.ok;
  });
}

/** The named resources, each once; all when none is named. Throws StopError for an unknown name. */
function choose(names: readonly string[]): typeof sheetResources {
  if (names.length === 0) return sheetResources;
  return [...new Set(names.map((name) => resourceNamed(name, sheetResources)))];
}
