import { type UndoDocument, undoDocument, type WrittenUndo, writeUndo } from '../export/undo-run.ts';
import { checkOptions, type OptionsOf, ownOptions } from '../options/options.ts';
import { type Session, withSession } from '../session/open-session.ts';

/**
 * Writes a workbook that takes a run back when it is imported; sends nothing. Resolves to what `catersheet
 * undo --json` prints. Throws StopError, also where nothing can be taken back.
 */
export async function undoRun(run: string, options: OptionsOf<'undoRun'> = {}): Promise<UndoDocument> {
  const given = checkOptions('undoRun', options, { run });
  return await withSession(given, 'try', async (session) =>
    undoDocument(await undoIn(session, run, given), session.settings.lang),
  );
}

/** The same within a session. */
export async function undoIn(
  { context, settings }: Session,
  run: string,
  options: OptionsOf<'undoRun'>,
): Promise<WrittenUndo> {
  return await writeUndo(context, { ...ownOptions(options), run, language: settings.lang });
}
