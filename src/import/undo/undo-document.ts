import type { Language } from '../../core/language.ts';
import type { WrittenUndo } from './undo-run.ts';

/** A workbook that takes a run back, as `--json` prints it. */
export interface UndoDocument {
  readonly run: string;
  readonly file: string;
  readonly rows: number;
  /** Rows of the run that can't be taken back. */
  readonly cannot: readonly { readonly sheet: string; readonly row: number; readonly why: string }[];
}

/** What was written, as one plain document. */
export function undoDocument({ run, file, sheets, cannot }: WrittenUndo, language: Language): UndoDocument {
  return {
    ...{ run, file },
    rows: sheets.reduce((sum, { rows }) => sum + rows, 0),
    cannot: cannot.map(({ sheet, row, why }) => ({ sheet, row, why: why[language] })),
  };
}
