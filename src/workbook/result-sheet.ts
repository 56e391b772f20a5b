import type { Row } from '../schema/cell.ts';

/** How an outcome is coloured: it went well, needs no attention, does, or went wrong. */
export type Tone = 'good' | 'plain' | 'warn' | 'bad';

/** How one of the user's own cells is coloured: its value would be sent, was read in an unexpected way, or is wrong. */
export type MarkTone = 'change' | Extract<Tone, 'warn' | 'bad'>;

/** What is said of one of the user's own cells; one without a text is only coloured. */
export interface CellMark {
  readonly column: number;
  readonly tone: MarkTone;
  readonly text: string | null;
}

/** What became of a row. */
export interface Outcome {
  /** One cell for each added header, in their order. */
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
  readonly outcome?: Outcome;
}

/** What became of one row, by the row's number. */
export interface RowOutcome extends Outcome {
  readonly row: number;
}

/** One sheet of a result workbook. */
export interface ResultSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** The row that holds the headers; null for a sheet that was not imported and is copied as it is. */
  readonly headerRow: number | null;
  /** Columns to add from `firstColumn` on, `#status` first; what stood there from the header row down is replaced. */
  readonly added: { readonly firstColumn: number; readonly headers: readonly string[] } | null;
  /** In the order of their numbers, blank ones between them absent; for a sheet that is written anew. */
  readonly rows: AsyncIterable<ResultRow>;
  /** The outcomes alone, in the order of their rows in the file; for a sheet that was imported. */
  readonly outcomes?: AsyncIterable<RowOutcome>;
  /** Which of its rows are wanted, when others are left out: by what became of them; and the last row that holds anything. */
  readonly only?: { readonly wants: (outcome: Outcome) => boolean; readonly lastRow: number };
  /** Columns of an earlier result elsewhere in the sheet, which are emptied from the header row down. */
  readonly oldColumns?: ReadonlySet<number>;
}
