import type { Documents, StoppedFile } from '../../api/documents.ts';
import type { Confirm, ImportEnd } from '../../api/import-workbook.ts';
import type { ExitCode, StopError } from '../../core/errors.ts';
import type { Bilingual, Language } from '../../core/language.ts';
import type { Line } from '../../core/standard-streams.ts';
import type { ReadQuestions } from '../../import/import.ts';
import type { Progress } from '../../run/progress.ts';

/** What is asked on the terminal; each rejects with a StopError at Ctrl-C or when the signal aborts. */
interface Questions extends ReadQuestions {
  /** Asks a yes-or-no question. */
  agreed(question: Bilingual): Promise<boolean>;
  /** Shows a plan and asks whether to send it. */
  confirm: Confirm;
}

/** How a run is shown: for people or as JSON. Results go to stdout, everything else to stderr. */
export interface View {
  readonly language: Language;
  note(text: Bilingual): void;
  progress(progress: Progress): void;
  /** What is asked on the terminal; null where there is nobody to ask. */
  questions(signal?: AbortSignal): Questions | null;
  /** `stopped` is what stopped it, with how to go on. */
  showImport(end: ImportEnd, stopped: StopError | null): Promise<void>;
  /** Does work that shows several imports, and answers its exit code. */
  showSeveral(work: () => Promise<ExitCode>): Promise<ExitCode>;
  /** Shows what a command came to: in lines, or as the document of that name. */
  show<Name extends keyof Documents>(
    name: Name,
    document: Documents[Name],
    lines: readonly Line[],
    to?: 'stdout' | 'stderr',
  ): void;
  /** Says what stopped the run, or one `file` of several; with `--json` in the document, where nothing else was shown. */
  stop(error: StopError, logFile: string | null, about?: StoppedFile): void;
  /** Clears what is on the terminal. */
  close(): void;
}
