import type { Cell, Row } from '../core/cell.ts';

/** How an outcome is coloured: it went well, needs no attention, does, or went wrong. */
export type Tone = 'good' | 'plain' | 'warn' | 'bad';

/**
 * How one of the user's own cells is coloured: its value would be sent, was read in an unexpected way, or is
 * wrong.
 */
export type MarkTone = 'change' | Extract<Tone, 'warn' | 'bad'>;

/** What is said of one of the user's own cells; one without a text is only coloured. */
export interface CellMark {
  readonly column: number;
  readonly tone: MarkTone;
  readonly text: string | null;
}

/** What became of a row. */
export interface ShownOutcome {
  /** One cell for each added header, in their order; null where there is nothing to say. */
  readonly cells: readonly (string | number | null)[];
  readonly tone: Tone;
  /** The cell whose text stays on one line however long it is, by its place in `cells`; other texts wrap. */
  readonly oneLine?: number;
  /** At most one for each column. */
  readonly marks?: readonly CellMark[];
}

/** A row as it was read, with what became of it; a row above the header or left out has no outcome. */
export interface ResultRow {
  readonly row: Row;
  readonly outcome?: ShownOutcome;
}

/** What became of one row, by the row's number. */
export interface NumberedOutcome extends ShownOutcome {
  readonly row: number;
}

/** One sheet of a result workbook. */
export interface ResultSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** The row that holds the headers; null for a sheet that was not imported and is copied as it is. */
  readonly headerRow: number | null;
  /**
   * Columns to add from `firstColumn` on, `#status` first; what stood there from the header row down is
   * replaced.
   */
  readonly added: { readonly firstColumn: number; readonly headers: readonly string[] } | null;
  /** In the order of their numbers, blank ones between them absent; for a sheet that is written anew. */
  readonly rows: AsyncIterable<ResultRow>;
  /** The outcomes alone, in the order of their rows in the file; for a sheet that was imported. */
  readonly outcomes?: AsyncIterable<NumberedOutcome>;
  /**
   * Which of its rows are to be seen, when others are hidden: by what became of them; and the last row that
   * holds anything.
   */
  readonly shown?: { readonly wants: (outcome: ShownOutcome) => boolean; readonly lastRow: number };
  /** Columns of an earlier result elsewhere in the sheet, which are emptied from the header row down. */
  readonly oldColumns?: ReadonlySet<number>;
}

/** One cell of the summary. */
export interface SummaryCell {
  readonly value: string | number;
  readonly look?: 'title' | 'label' | 'head' | 'plain' | 'sentence' | Tone;
  /** The cell of the workbook that a click leads to. */
  readonly link?: { readonly sheet: string; readonly address: string };
}

/** The sheet that tells what the whole came to. */
export interface ResultSummary {
  /** The name it is to have; numbered where a sheet has it. */
  readonly name: string;
  /** The sheet that is the summary of an earlier result, whose place and name it takes. */
  readonly replaces: string | null;
  /** Of its columns, in characters. */
  readonly widths: readonly number[];
  /** From row 1 on, an empty one being blank; asked for when the outcomes of all sheets have been read. */
  readonly rows: () => readonly (readonly SummaryCell[])[];
}

/** Points that a line of text needs, and characters of a text in the room of one digit. */
const LINE_HEIGHT = 15;
const CHARACTERS = 1.1;

/** The height in points at which a row shows its sentences; undefined where one line is enough. Not every program makes room by itself. */
export function summaryHeight(cells: readonly SummaryCell[], widths: readonly number[]): number | undefined {
  const lines = cells.map(({ value, look }, at) => {
    if (look !== 'sentence') return 1;
    const texts = String(value).split('\n');
    return texts.reduce(
      (sum, text) => sum + Math.max(1, Math.ceil(text.length / ((widths[at] ?? 1) * CHARACTERS))),
      0,
    );
  });
  const most = Math.max(1, ...lines);
  return most === 1 ? undefined : most * LINE_HEIGHT;
}

/** The user's own cells of a row: those where the program's columns come are left out, from the header row down. */
export function ownCells({ row }: ResultRow, { headerRow, added }: ResultSheet): readonly Cell[] {
  if (added === null || headerRow === null || row.number < headerRow) return row.cells;
  const { firstColumn, headers } = added;
  return row.cells.filter(({ column }) => column < firstColumn || column >= firstColumn + headers.length);
}

/** What stands in the added columns of a row: the headers, the outcome, or nothing. */
export function addedCells(
  result: ResultRow,
  { headerRow, added }: ResultSheet,
): readonly (string | number | null)[] {
  if (added === null) return [];
  return result.row.number === headerRow ? added.headers : (result.outcome?.cells ?? []);
}

/** A sheet's rows in batches, so that a writer can wait for its stream now and then. */
export async function* resultBatches(
  rows: AsyncIterable<ResultRow>,
  size: number,
): AsyncGenerator<ResultRow[]> {
  let batch: ResultRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The sheet's rows, with its header row also where the file has a blank one, as the added headers need a place. */
export async function* withHeaderRow({ rows, headerRow, added }: ResultSheet): AsyncGenerator<ResultRow> {
  let wanted = added === null ? null : headerRow;
  for await (const result of rows) {
    if (wanted !== null && result.row.number > wanted) yield { row: { number: wanted, cells: [] } };
    if (wanted !== null && result.row.number >= wanted) wanted = null;
    yield result;
  }
  if (wanted !== null) yield { row: { number: wanted, cells: [] } };
}
