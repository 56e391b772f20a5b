import { type UndoDocument, undoDocument } from '../import/undo/undo-document.ts';
import { undoRun as runUndo } from '../import/undo/undo-run.ts';
import { type ProgramOptions, withSession } from './with-session.ts';

/** Everything `catersheet undo` can be told, as options. */
export interface UndoOptions extends ProgramOptions {
  /** Where the workbook goes; `undo-RUN.xlsx` where the program runs when absent. */
  readonly out?: string;
}

/**
 * Writes a workbook that takes a run back when it is imported; sends nothing. Resolves to what `catersheet undo --json`
 * prints. Throws StopError, also where nothing can be taken back.
 */
export async function undoRun(run: string, options: UndoOptions = {}): Promise<UndoDocument> {
  return await withSession(options, 'try', async ({ context, settings }) => {
    const language = settings.lang;
    return undoDocument(await runUndo(context, { run, out: options.out, language }), language);
  });
}
