import { applyIn, exclusiveFor } from '../../api/import-workbook.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import type { Given } from '../../options/options.ts';
import { asking, inSession, showImport } from '../show.ts';
import { WORDS } from '../view/words.ts';

/** `apply RUN`: sends a planned run exactly as shown, or continues an interrupted one. */
export async function applyCommand(flags: Given<'apply'>): Promise<ExitCode> {
  return await inSession(flags, exclusiveFor({ queue: flags.queue }), async (session, view) => {
    const options = { ...flags, onlyProblems: flags.only === 'problems' };
    const confirm = asking(flags, view, session);
    const end = await applyIn(session, flags.run, options, { confirm, tell: view.note });
    if (end !== null) return await showImport(view, end, flags);
    view.note(WORDS.declined);
    return EXIT.ok;
  });
}
