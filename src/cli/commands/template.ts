import { templateDocument } from '../../api/make-documents.ts';
import { resourceNamed } from '../../api/resource-named.ts';
import { templateIn, templateOffline } from '../../api/write-template.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import type { Given } from '../../options/options.ts';
import { resources } from '../../resources/registry.ts';
import type { WrittenTemplate } from '../../template/write-template-file.ts';
import { inSession, inView } from '../show.ts';
import { templateText } from '../view/summaries.ts';
import type { View } from '../view/view.ts';

/** `template [RESOURCE…]`: a workbook to fill in, made from what the sheets are. */
export async function templateCommand(flags: Given<'template'>): Promise<ExitCode> {
  const { resource = [], offline } = flags;
  const show = (view: View, written: WrittenTemplate): ExitCode => {
    const { language } = view;
    view.show('template', templateDocument(written, language), templateText(written, language, flags));
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
