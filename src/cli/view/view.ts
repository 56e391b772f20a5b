import type { Documents, StoppedFile } from '../../api/documents.ts';
import type { ImportEnd } from '../../api/import-workbook.ts';
import type { ExitCode, StopError } from '../../core/errors.ts';
import type { Bilingual, Language } from '../../core/language.ts';
import type { Line } from '../../core/standard-streams.ts';
import type { Proposals } from '../../import/map/proposed-map.ts';
import type { Plan } from '../../import/plan/plan-import.ts';
import type { Progress } from '../../run/progress.ts';

/** How a run is shown: for people or as JSON. Results go to stdout, everything else to stderr. */
export interface View {
  readonly language: Language;
  /** Says something before all else, unless wrong usage or an unreadable file ends the command before. */
  tellFirst(text: Bilingual): void;
  note(text: Bilingual): void;
  progress(progress: Progress): void;
  /**
   * Shows the plan and asks; only where there is a terminal. Rejects with a StopError at Ctrl-C or on abort.
   */
  confirm(plan: Plan, signal?: AbortSignal): Promise<boolean>;
  /** Asks a yes-or-no question; rejects as `confirm`. */
  ask(question: Bilingual, signal?: AbortSignal): Promise<boolean>;
  /** Shows what headers may stand for and asks whether to take them, as `confirm` does. */
  takeHeaders(proposed: Proposals, signal?: AbortSignal): Promise<boolean>;
  /** Asks for a line of text; empty for no answer. Rejects as `confirm`. */
  askText(question: Bilingual, signal?: AbortSignal): Promise<string>;
  /** Says something about a question. */
  tell(text: Bilingual): void;
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
