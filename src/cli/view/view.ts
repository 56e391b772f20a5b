import type { StoppedFile } from '../../api/documents.ts';
import type { ImportEnd } from '../../api/import-workbook.ts';
import type { CheckEnd } from '../../api/make-documents.ts';
import type { CallsResult } from '../../calls/calls.ts';
import type { ExitCode, StopError } from '../../core/errors.ts';
import type { Bilingual } from '../../core/language.ts';
import type { ExportResult } from '../../export/export-records.ts';
import type { WrittenUndo } from '../../export/write-undo.ts';
import type { FinanceResult } from '../../finance/export-finance.ts';
import type { Proposals } from '../../import/map/proposed-map.ts';
import type { Plan } from '../../import/plan/plan-import.ts';
import type { Progress } from '../../run/progress.ts';
import type { WrittenTemplate } from '../../template/write-template-file.ts';

/** How a run is shown: for people or as JSON. Results go to stdout, everything else to stderr. */
export interface View {
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
  /** Prints no summary on stdout where the export itself went there. */
  showExport(result: ExportResult): void;
  showFinance(result: FinanceResult): void;
  showTemplate(written: WrittenTemplate): void;
  showUndo(written: WrittenUndo): void;
  showCalls(result: CallsResult): void;
  showCheck(end: CheckEnd): void;
  /** Says what stopped the run, or one `file` of several; with `--json` in the document, where nothing else was shown. */
  stop(error: StopError, logFile: string | null, about?: StoppedFile): void;
  /** Clears what is on the terminal. */
  close(): void;
}
