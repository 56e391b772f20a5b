import type { Cell, Row } from '../core/cell.ts';
import type { Tone } from '../core/outcome-tones.ts';
import { needsWork } from '../core/row-text.ts';

/** The colour of a cell of the user: its value would be sent, was read in an unexpected way, or is wrong. */
type MarkTone = 'change' | Extract<Tone, 'warn' | 'bad'>;

/** A cell of the user that gets a colour. */
export interface CellMark {
  readonly column: number;
  readonly tone: MarkTone;
}

/** The outcome of a row as the result shows it. */
export interface ShownOutcome {
  /** One for each added header, in order; null for an empty cell. */
  readonly cells: readonly (string | number | null)[];
  readonly tone: Tone;
  /** Index in `cells` of the one that never wraps. */
  readonly oneLine?: number;
  readonly marks?: readonly CellMark[];
}

/** Whether a row still needs work. */
export const isWanted = ({ cells }: ShownOutcome): boolean => needsWork(cells[0]);

/** A row as it was read; one above the header or left out has no outcome. */
export interface ResultRow {
  readonly row: Row;
  readonly outcome?: ShownOutcome;
}

/** The outcome of the row with this number. */
export interface NumberedOutcome extends ShownOutcome {
  readonly row: number;
}

/** A sheet of a result workbook. */
export interface ResultSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** The row of the headers; null for a sheet that was not imported, which is copied as it is. */
  readonly headerRow: number | null;
  /** Columns to add from `firstColumn` on, `#status` first; they replace what is below the header row. */
  readonly added: { readonly firstColumn: number; readonly headers: readonly string[] } | null;
  /** In the order of their numbers, without blank ones; for a sheet that is written anew. */
  readonly rows: AsyncIterable<ResultRow>;
  /** In the order of their rows; for a sheet that was imported. */
  readonly outcomes?: AsyncIterable<NumberedOutcome>;
  /** Rows that need nothing are hidden. */
  readonly onlyProblems?: boolean;
  /** Cells that hold something else than in the file, by their row in it and their column; null for none. */
  readonly corrected?: ReadonlyMap<number, CorrectedCells> | undefined;
  /** Columns of an earlier result, to be emptied below the header row, with the headers that they keep elsewhere. */
  readonly oldColumns?: ReadonlyMap<number, string>;
}

/** What stands in cells of a row in place of what the file holds, by column; null for nothing. */
export type CorrectedCells = ReadonlyMap<number, Cell | null>;

/** A row with these cells in place of its own. */
export function withCells(row: Row, corrected: CorrectedCells): Row {
  const cells = row.cells.filter(({ column }) => !corrected.has(column));
  for (const cell of corrected.values()) if (cell !== null) cells.push(cell);
  return { ...row, cells: cells.sort((one, other) => one.column - other.column) };
}

/** A cell of the summary. */
export interface SummaryCell {
  readonly value: string | number;
  readonly look?: 'title' | 'label' | 'head' | 'plain' | 'sentence' | Tone;
  /** The cell that a click goes to. */
  readonly link?: { readonly sheet: string; readonly address: string };
}

/** The summary sheet. */
export interface ResultSummary {
  /** Its name; numbered when a sheet has that name. */
  readonly name: string;
  /** The summary of an earlier result, which it replaces. */
  readonly replaces: string | null;
  /** The width of each column, in characters. */
  readonly widths: readonly number[];
  /** Rows from 1 on, [] for a blank one; asked for after the outcomes of all sheets have been read. */
  readonly rows: () => readonly (readonly SummaryCell[])[];
}

/** The cells of the user in a row: from the header row down without those in added columns. */
export function userCells({ row }: ResultRow, { headerRow, added }: ResultSheet): readonly Cell[] {
  if (added === null || headerRow === null || row.number < headerRow) return row.cells;
  return row.cells.filter(({ column }) => !isAdded(column, { added }));
}

/** Whether a column is one that the result adds. */
function isAdded(column: number, { added }: Pick<ResultSheet, 'added'>): boolean {
  return added !== null && column >= added.firstColumn && column < added.firstColumn + added.headers.length;
}

/** The cells of a row in the added columns: the headers, the outcome, or nothing. */
export function addedCells(
  result: ResultRow,
  { headerRow, added }: ResultSheet,
): readonly (string | number | null)[] {
  if (added === null) return [];
  return result.row.number === headerRow ? added.headers : (result.outcome?.cells ?? []);
}

/** Rows in batches, so that a writer can wait for its stream in between. */
export async function* resultBatches<Row>(rows: AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
