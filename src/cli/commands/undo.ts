import { undoIn } from '../../api/undo-run.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { undoDocument } from '../../export/write-undo.ts';
import type { Given } from '../../options/options.ts';
import { inSession } from '../show.ts';
import { undoText } from '../view/summaries.ts';

/** `undo RUN`: a workbook that takes a run back, to be looked at and imported like any other. */
export async function undoCommand(flags: Given<'undo'>): Promise<ExitCode> {
  return await inSession(flags, 'try', async (session, view) => {
    const written = await undoIn(session, flags.run, flags);
    view.show('undo', undoDocument(written, view.language), undoText(written, view.language, flags));
    return EXIT.ok;
  });
}
