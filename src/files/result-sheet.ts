import type { Cell, Row } from '../core/cell.ts';
import type { Tone } from '../core/counts.ts';
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
  /** As they were read, without blank ones; for a sheet that is written anew. */
  readonly rows: AsyncIterable<Row>;
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
interface SummaryCell {
  readonly value: string | number;
  readonly look?: 'title' | 'term' | 'head' | 'sentence' | Tone;
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

/** Outcomes that are read together. */
const TOGETHER = 200;

/** The outcomes of a sheet in row order, some in advance, so that a row need not wait for its own. */
export function outcomeQueue(outcomes: AsyncIterable<NumberedOutcome>) {
  const source = outcomes[Symbol.asyncIterator]();
  let waiting: NumberedOutcome[] = [];
  let at = 0;
  let ended = false;

  async function fill(): Promise<void> {
    waiting = waiting.slice(at);
    at = 0;
    while (waiting.length < TOGETHER) {
      const { value, done } = await source.next();
      if (done) {
        ended = true;
        return;
      }
      waiting.push(value);
    }
  }

  /** Takes the outcome of a row; undefined if the next one is for another row. */
  function of(row: number): NumberedOutcome | undefined {
    const next = waiting[at];
    if (next?.row !== row) return undefined;
    at++;
    return next;
  }

  async function close(): Promise<void> {
    await source.return?.();
  }

  return {
    fill,
    of,
    close,
    /** Whether `fill` must be awaited before the next row. */
    get dry(): boolean {
      return waiting.length === at && !ended;
    },
  };
}
