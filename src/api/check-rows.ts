import type { Locale } from '../core/value.ts';
import type { CellCorrection } from '../import/correct/corrected-workbook.ts';
import { openFile } from '../import/open-file.ts';
import { FileRows, RowChecks, type RowPlace, type SheetCells } from '../import/recheck/row-checks.ts';
import type { Suggestions } from '../import/recheck/suggestions.ts';
import type { ConflictDecision } from '../records/planning.ts';
import type { Session } from '../session/open-session.ts';
import { type SessionInput, toRequest } from './import-workbook.ts';
import { type CheckedRow, checkedRow } from './table-entries.ts';

/** Checks of single rows of a file, within the session that they were opened in. */
export interface OpenRowChecks {
  /** How the file's text numbers are read. */
  readonly locale: Locale;
  /**
   * The columns of a sheet, and the cells of rows of it as the file has them; undefined for a sheet that is
   * not imported. `corrections` count for the headers alone.
   */
  cells(
    sheet: string,
    rows: readonly number[],
    corrections?: readonly CellCorrection[],
  ): Promise<SheetCells | undefined>;
  /**
   * What would become of these rows with all corrections and decisions so far; only reads are sent, and the
   * ledger is left as it is. A row that holds nothing is absent. What takes the other rows of the file is not
   * seen, such as others on the same record, copies and sums: plan the file before it is sent.
   */
  check(
    corrections: readonly CellCorrection[],
    decisions: readonly ConflictDecision[],
    rows: readonly RowPlace[],
  ): Promise<readonly CheckedRow[]>;
  /** What can be chosen for the cells of a column, at most `limit` (50) that hold the words of `search`. */
  suggestions(
    sheet: string,
    column: number,
    wishes?: { readonly search?: string; readonly limit?: number },
    corrections?: readonly CellCorrection[],
  ): Promise<Suggestions>;
  /** Removes what was kept of the file on disk. */
  close(): Promise<void>;
}

/** Keeps a file for checks of its rows: for `planIn` as `memory`, then for `openRowChecks` as `rows`. */
export const rowsOfFile = (): FileRows => new FileRows();

/**
 * Opens checks of the rows of a file. `options` are those of its plan; `run` is that plan, which knows of the
 * other rows. `rows` was filled by `planIn`; without it the first check reads the file once. Throws
 * StopError.
 */
export async function openRowChecks(
  session: Session,
  file: string,
  options: Omit<SessionInput, 'corrections' | 'decisions' | 'memory' | 'questions'>,
  { run, rows = new FileRows() }: { readonly run?: string; readonly rows?: FileRows } = {},
): Promise<OpenRowChecks> {
  const { context, settings } = session;
  const request = toRequest(file, options, session);
  const { workbook, headers, given } = await openFile(context, { ...request, memory: rows });
  const known = { ...request, names: headers.names, ownHeaders: headers.own, ...given };
  const checks = new RowChecks(context, { workbook, options: known, rows, run });
  const language = settings.lang;
  return {
    locale: known.locale,
    cells: (...asked) => checks.cells(...asked),
    async check(...asked) {
      const planned = await checks.check(...asked);
      return planned.map((row) => checkedRow(row, language));
    },
    suggestions: (sheet, column, { search = '', limit = 50 } = {}, corrections = []) =>
      checks.suggestions(sheet, column, { language, search, limit }, corrections),
    close: () => rows.close(),
  };
}
